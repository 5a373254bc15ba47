// What secrets look like, as their makers publish it for scanners. One table for two readers: the log, where
// half a secret is one too many and a word too much is no loss, and text that somebody reads, where it is.

export interface SecretForm {
  /** Whose it is, as a mask names it. */
  readonly kind: string;
  /** The whole secret, and hardly anything else. */
  readonly whole: RegExp;
  /** Its beginning and whatever follows, also where it was cut. */
  readonly partial: RegExp;
}

interface Lengths {
  /** Characters behind the beginning of a whole one, at least. */
  readonly whole: number;
  /** The same of one that was cut. */
  readonly partial: number;
  /** The beginning may be the end of a word: it is too distinct to be one by chance. */
  readonly isDistinct?: true;
}

const WORD = "[\\w-]";
const LETTERS = "[0-9A-Za-z]";
const HEX = "[0-9a-f]";

/**
 * Linear, each of them: what the repetition takes is no beginning of another match, and before it fails it has
 * read a fixed number of characters at most.
 */
export const TOKEN_FORMS: readonly SecretForm[] = [
  token("github", "gh[opsur]_", LETTERS, { whole: 30, partial: 16, isDistinct: true }),
  token("github", "github_pat_", "\\w", { whole: 36, partial: 16, isDistinct: true }),
  token("gitlab", "gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|soat|oas)-", WORD, {
    whole: 20,
    partial: 16,
  }),
  token("slack", "xox[a-z]-(?=[\\w-]{0,24}[0-9])", WORD, { whole: 16, partial: 8 }),
  token("slack", "xapp-[0-9]-", WORD, { whole: 16, partial: 8 }),
  token("slack", "hooks\\.slack\\.com/(?:services|workflows|triggers)/", "[\\w/]", {
    whole: 20,
    partial: 8,
  }),
  token("stripe", "[psr]k_(?:live|test)_", LETTERS, { whole: 16, partial: 8 }),
  token("stripe", "whsec_", "[\\w+/=]", { whole: 24, partial: 16 }),
  token("npm", "npm_", LETTERS, { whole: 36, partial: 16 }),
  token("huggingface", "hf_", LETTERS, { whole: 30, partial: 16 }),
  token("pypi", "pypi-AgE", WORD, { whole: 40, partial: 16, isDistinct: true }),
  token("docker", "dckr_[op]at_", WORD, { whole: 24, partial: 16, isDistinct: true }),
  token("google", "AIza", WORD, { whole: 35, partial: 16 }),
  token("google", "GOCSPX-", WORD, { whole: 24, partial: 16 }),
  token("google", "ya29\\.", WORD, { whole: 30, partial: 16 }),
  token("anthropic", "sk-ant-", WORD, { whole: 32, partial: 16 }),
  // Names of styles are like it, but have no such mixture.
  token(
    "openai",
    `sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=${WORD}{0,40}[0-9])(?=${WORD}{0,40}[A-Za-z]{3})`,
    LETTERS,
    {
      whole: 32,
      partial: 16,
    },
  ),
  token("openai", "sk-(?:proj|svcacct|admin)-(?=[\\w-]{0,60}[0-9])", WORD, {
    whole: 40,
    partial: 16,
  }),
  token("sendgrid", "SG\\.[\\w-]{22}\\.", WORD, { whole: 40, partial: 16 }),
  token("twilio", "SK(?=[0-9a-f]{0,31}[0-9])", HEX, { whole: 32, partial: 32 }),
  token("mailgun", "key-(?=[0-9a-f]{0,31}[0-9])", HEX, { whole: 32, partial: 32 }),
  token("telegram", "[0-9]{8,10}:AA", WORD, { whole: 33, partial: 33 }),
  token("digitalocean", "do[oprt]_v1_", HEX, { whole: 64, partial: 16 }),
  token("shopify", "shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]", { whole: 32, partial: 16 }),
  token("databricks", "dapi(?=[0-9a-f]{0,31}[0-9])", HEX, { whole: 32, partial: 32 }),
  token("vault", "hv[sb]\\.", WORD, { whole: 24, partial: 16 }),
  token("grafana", "gl(?:sa|c)_", "[\\w+/=]", { whole: 32, partial: 16 }),
  token("linear", "lin_(?:api|oauth)_", LETTERS, { whole: 32, partial: 16 }),
  token("newrelic", "NRAK-", "[0-9A-Z]", { whole: 27, partial: 16 }),
  token("postman", "PMAK-", "[0-9a-f-]", { whole: 50, partial: 16 }),
  token("age", "AGE-SECRET-KEY-1", "[0-9A-Z]", { whole: 58, partial: 16 }),
  {
    kind: "svc",
    whole: /sv[kt]_[0-9A-Za-z]{38}/g,
    // No boundary before it: `_svt_…` and `xsvt_…` show as much.
    partial: /sv[kt](?:_|%5f)[0-9a-z]{4,}/gi,
  },
  {
    kind: "aws",
    whole: /(?<![0-9A-Za-z])A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])/g,
    partial: /A[KS]IA[0-9A-Z]{16}/g,
  },
  {
    kind: "jwt",
    whole: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
    // Not within a word, or each of many beginnings would be followed to the end.
    partial: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  },
];

/** Whether any of them may be there. */
export const TOKEN_HINT = new RegExp(
  "gh[opsur]_|github_pat_|gl[a-z]{1,5}[-_]|xox[a-z]-|xapp-|hooks\\.slack|[psr]k_(?:live|test)_|whsec_|npm_|hf_|" +
    "pypi-AgE|dckr_|AIza|GOCSPX-|ya29\\.|sk-|SG\\.|SK[0-9a-f]|key-|:AA|do[oprt]_v1_|shp[a-z]{2}_|dapi|hv[sb]\\.|" +
    "lin_|NRAK-|PMAK-|AGE-SECRET|sv[kt]_|A[KS]IA|eyJ",
);

function token(
  kind: string,
  head: string,
  tail: string,
  { whole, partial, isDistinct }: Lengths,
): SecretForm {
  const boundary = isDistinct === true ? "" : "(?<![0-9A-Za-z])";
  return {
    kind,
    whole: new RegExp(`${boundary}${head}${tail}{${whole},}`, "g"),
    partial: new RegExp(`${head}${tail}{${partial},}`, "g"),
  };
}
