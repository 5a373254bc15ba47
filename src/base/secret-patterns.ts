// Patterns of secrets, as their issuers publish them for scanners. One table serves two readers. The log uses
// `partial`: half a secret is too much there, and losing a word does no harm. Text that people read uses
// `whole`, because a lost word does harm there.

/** A secret in a text: code units from `start` up to, not including, `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** The kind of secret, as the mask names it: `[REDACTED:github]`. */
  readonly kind: string;
}

/** The pattern of one kind of secret. */
export interface SecretPattern {
  /** The issuer, as the mask names it. */
  readonly kind: string;
  /** Plain texts of at least two characters. A text with none of them has no such secret. */
  readonly hints: readonly string[];
  /** Matches the whole secret and hardly anything else. */
  readonly whole: RegExp;
  /** Matches its prefix and the text after it, even if the secret was cut. */
  readonly partial: RegExp;
}

interface MinLengths {
  /** Minimum characters after the prefix of a whole secret. */
  readonly whole: number;
  /** Minimum characters after the prefix of a cut secret; 16 by default, or `whole` if that is less. */
  readonly partial?: number;
  /** The prefix may follow a letter or digit: it is too distinct to occur by chance. */
  readonly isDistinct?: true;
  /** The hints of the pattern; required if the prefix is not a plain text. */
  readonly hints?: readonly string[];
}

const WORD = "[\\w-]";
const LETTERS = "[0-9A-Za-z]";
const LOWER = "[0-9a-z]";
const UPPER = "[0-9A-Z]";
const HEX = "[0-9a-f]";
const ANY_HEX = "[0-9A-Fa-f]";
const BASE64 = "[\\w+/=]";

/**
 * Each runs in linear time: the text that the repetition consumes cannot begin another match, and a failing
 * match reads only a fixed number of characters before it.
 */
export const TOKEN_PATTERNS: readonly SecretPattern[] = [
  token("github", "gh[opsur]_", LETTERS, {
    whole: 30,
    isDistinct: true,
    hints: ["gho_", "ghp_", "ghs_", "ghu_", "ghr_"],
  }),
  token("github", "github_pat_", "\\w", { whole: 36, isDistinct: true }),
  token("gitlab", "gl(?:pat|ptt|dt|rt|cbt|ft|ffct|imt|agent|soat|oas)-", "[\\w.-]", {
    whole: 20,
    hints: [
      "glpat-",
      "glptt-",
      "gldt-",
      "glrt-",
      "glcbt-",
      "glft-",
      "glffct-",
      "glimt-",
      "glagent-",
      "glsoat-",
      "gloas-",
    ],
  }),
  token("gitlab", "GR1348941", WORD, { whole: 20 }),
  token("slack", "xox[a-z]-(?=[\\w-]{0,24}[0-9])", WORD, {
    whole: 12,
    partial: 8,
    hints: ["xox"],
  }),
  token("slack", "xapp-[0-9]-", WORD, { whole: 16, partial: 8 }),
  token("slack", "hooks\\.slack\\.com/(?:services|workflows|triggers)/", "[\\w+/]", {
    whole: 20,
    partial: 8,
    hints: ["hooks.slack"],
  }),
  token("stripe", "[psr]k_(?:live|test|prod)_", LETTERS, {
    whole: 10,
    partial: 8,
    hints: ["k_live_", "k_test_", "k_prod_"],
  }),
  token("stripe", "whsec_", BASE64, { whole: 24 }),
  token("npm", "npm_", LETTERS, { whole: 36 }),
  token("huggingface", "(?:hf|api_org)_", LETTERS, { whole: 30, hints: ["hf_", "api_org_"] }),
  token("pypi", "pypi-AgE", WORD, { whole: 40, isDistinct: true }),
  token("docker", "dckr_[op]at_", WORD, { whole: 24, isDistinct: true }),
  token("google", "AIza", WORD, { whole: 35 }),
  token("google", "GOCSPX-", WORD, { whole: 24 }),
  token("google", "ya29\\.", WORD, { whole: 30 }),
  token("anthropic", "sk-ant-", WORD, { whole: 32 }),
  // Style names look similar but do not mix letters and digits this way.
  token(
    "openai",
    `sk-(?:proj-|svcacct-|admin-|or-v1-)?(?=${WORD}{0,40}[0-9])(?=${WORD}{0,40}[A-Za-z]{3})`,
    LETTERS,
    { whole: 32 },
  ),
  token("openai", "sk-(?:proj|svcacct|admin)-(?=[\\w-]{0,60}[0-9])", WORD, { whole: 40 }),
  token("perplexity", "pplx-", LETTERS, { whole: 40 }),
  token("groq", "gsk_", LETTERS, { whole: 40 }),
  token("replicate", "r8_", LETTERS, { whole: 37 }),
  token("sendgrid", "SG\\.(?=[\\w.=-]{0,65}[0-9])", "[\\w.=-]", { whole: 60, hints: ["SG."] }),
  token("brevo", `xkeysib-${HEX}{64}-`, LOWER, { whole: 16 }),
  token("twilio", "SK(?=[0-9a-fA-F]{0,31}[0-9])", ANY_HEX, {
    whole: 32,
    partial: 32,
    hints: ["SK"],
  }),
  token("mailgun", "key-(?=[0-9a-f]{0,31}[0-9])", HEX, { whole: 32, partial: 32 }),
  token("mailchimp", `${HEX}{32}-us`, "[0-9]", { whole: 1, partial: 1, hints: ["-us"] }),
  token("telegram", "[0-9]{6,16}:A", WORD, { whole: 34, partial: 34, hints: [":A"] }),
  token("discord", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.", WORD, {
    whole: 27,
    hints: ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
  }),
  token("discord", "discord(?:app)?\\.com/api/webhooks/[0-9]{16,20}/", WORD, {
    whole: 60,
    hints: ["api/webhooks/"],
  }),
  token("teams", "webhook\\.office\\.com/webhookb2/", "[\\w@/-]", { whole: 100 }),
  token("digitalocean", "do[oprt]_v1_", HEX, {
    whole: 64,
    hints: ["doo_v1_", "dop_v1_", "dor_v1_", "dot_v1_"],
  }),
  token("flyio", "fo1_", WORD, { whole: 43 }),
  token("flyio", "fm(?:1[ar]|2)_", "[\\w+/=]", { whole: 100, hints: ["fm1a_", "fm1r_", "fm2_"] }),
  token("supabase", "sb(?:p|_secret)_", WORD, { whole: 30, hints: ["sbp_", "sb_secret_"] }),
  token("square", "sq0(?:atp|csp|idp)-", WORD, { whole: 22 }),
  token("square", "EAAA(?=[\\w-]{0,40}[0-9])", WORD, { whole: 22 }),
  token("facebook", "EAA[MC](?=[\\w-]{0,60}[0-9])", LETTERS, {
    whole: 100,
    hints: ["EAAM", "EAAC"],
  }),
  token("sentry", "sntry[su]_", "[\\w+/=]", { whole: 60 }),
  token("facebook", "[0-9]{15,16}\\|", WORD, {
    whole: 27,
    hints: ["0|", "1|", "2|", "3|", "4|", "5|", "6|", "7|", "8|", "9|"],
  }),
  token(
    "authress",
    "(?:sc|ext|scauth|authress)_[0-9a-z]{5,30}\\.[0-9a-z]{4,6}\\.acc[_-]",
    "[\\w.+/=-]",
    {
      whole: 40,
      hints: [".acc_", ".acc-"],
    },
  ),
  token("shopify", "shp(?:at|ca|pa|ss)_", ANY_HEX, {
    whole: 32,
    hints: ["shpat_", "shpca_", "shppa_", "shpss_"],
  }),
  token("shippo", "shippo_(?:live|test)_", ANY_HEX, { whole: 40 }),
  token("databricks", "dapi(?=[0-9a-f]{0,31}[0-9])", HEX, { whole: 32, partial: 32 }),
  token("vault", "hv[sbr]\\.", WORD, { whole: 24, hints: ["hvs.", "hvb.", "hvr."] }),
  token("terraform", `${LETTERS}{14}\\.atlasv1\\.`, "[\\w=-]", { whole: 60, hints: [".atlasv1."] }),
  token("heroku", "HRKU-AA", WORD, { whole: 50 }),
  token("grafana", "gl(?:sa|c)_", BASE64, { whole: 32, hints: ["glsa_", "glc_"] }),
  token("grafana", "eyJrIjoi", "[\\w+/=]", { whole: 60 }),
  token("linear", "lin_(?:api|oauth)_", LETTERS, { whole: 32 }),
  token("newrelic", "NR(?:AK|II|JS)-", "[\\w-]", { whole: 19, hints: ["NRAK-", "NRII-", "NRJS-"] }),
  token("postman", "PMAK-", "[0-9a-fA-F-]", { whole: 50 }),
  token("notion", "ntn_", LETTERS, { whole: 40 }),
  token("airtable", `pat${LETTERS}{14}\\.`, HEX, { whole: 64, hints: ["pat"] }),
  token("adobe", "p8e-", LETTERS, { whole: 32 }),
  token("alibaba", "LTAI", LETTERS, { whole: 20 }),
  token("artifactory", "AKCp", LETTERS, { whole: 60 }),
  token("artifactory", "cmVmd", LETTERS, { whole: 58 }),
  token("atlassian", "ATATT3", "[\\w=-]", { whole: 100 }),
  token("atlassian", "ATCTT3", "[\\w=-]", { whole: 100 }),
  token("aws", "ABSK", "[\\w+/=]", { whole: 100 }),
  token("aws", "bedrock-api-key-", "[\\w+/=]", { whole: 20 }),
  token("azure", `${LETTERS}{3}[0-9]Q~`, "[\\w.~-]", { whole: 31, hints: ["Q~"] }),
  token("clickhouse", "4b1d", LETTERS, { whole: 38 }),
  token("clojars", "CLOJARS_", LOWER, { whole: 60 }),
  token("cloudflare", "v1\\.0-[0-9a-f]{24}-", HEX, { whole: 100, hints: ["v1.0-"] }),
  token("contentful", "CFPAT-", WORD, { whole: 40 }),
  token("doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", LETTERS, {
    whole: 40,
    hints: ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
  }),
  token("dropbox", "sl\\.(?=[\\w=-]{0,60}[0-9])", "[\\w=-]", { whole: 100, hints: ["sl."] }),
  token("duffel", "duffel_(?:test|live)_", "[\\w=-]", { whole: 40 }),
  token("dynatrace", "dt0c01\\.[0-9A-Za-z]{24}\\.", LETTERS, { whole: 60, hints: ["dt0c01."] }),
  token("easypost", "EZ[AT]K", LETTERS, { whole: 54, hints: ["EZAK", "EZTK"] }),
  token("flutterwave", "FLW(?:SEC|PUB)K(?:_TEST)?-", LETTERS, { whole: 12 }),
  token("frameio", "fio-u-", "[\\w=-]", { whole: 60 }),
  token("harness", "(?:pat|sat)\\.[\\w-]{22}\\.[0-9A-Za-z]{24}\\.", LETTERS, {
    whole: 20,
    hints: ["pat.", "sat."],
  }),
  token("infracost", "ico-", LETTERS, { whole: 32 }),
  token("intra42", "s-s4t2(?:ud|af)-", HEX, { whole: 60 }),
  token("maxmind", "[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mm", "k", {
    whole: 1,
    partial: 1,
    hints: ["_mmk"],
  }),
  token("octopus", "API-(?=[A-Z]{0,25}[0-9])", UPPER, { whole: 26 }),
  token("1password", "A3-[0-9A-Z]{6}-", "[0-9A-Z-]", { whole: 24 }),
  token("1password", "ops_eyJ", "[\\w+/=]", { whole: 200 }),
  token("openshift", "sha256~", WORD, { whole: 43 }),
  token("planetscale", "pscale_(?:tkn|oauth|pw)_", "[\\w=.-]", { whole: 32 }),
  token("prefect", "pn[ub]_", LETTERS, { whole: 36, hints: ["pnu_", "pnb_"] }),
  token("pulumi", "pul-", HEX, { whole: 40 }),
  token("readme", "rdme_", LOWER, { whole: 70 }),
  token("rubygems", "rubygems_", HEX, { whole: 48 }),
  token("scalingo", "tk-us-", WORD, { whole: 48 }),
  token("settlemint", "sm_[aps]at_", LETTERS, {
    whole: 16,
    hints: ["sm_aat_", "sm_pat_", "sm_sat_"],
  }),
  token("sonar", "sq[upa]_", HEX, { whole: 40, hints: ["squ_", "sqp_", "sqa_"] }),
  token("sourcegraph", "sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?", ANY_HEX, { whole: 40 }),
  token("typeform", "tfp_", "[\\w.=-]", { whole: 40 }),
  token("yandex", "AQVN", WORD, { whole: 35 }),
  token("age", "AGE-SECRET-KEY-1", UPPER, { whole: 58 }),
  {
    kind: "svc",
    hints: ["svk_", "svt_"],
    whole: /sv[kt]_[0-9A-Za-z]{38}/g,
    // No boundary before it: `_svt_…` and `xsvt_…` reveal just as much.
    partial: /sv[kt](?:_|%5f)[0-9a-z]{4,}/gi,
  },
  {
    kind: "aws",
    hints: ["AKIA", "ASIA", "ABIA", "ACCA"],
    whole: /(?<![0-9A-Za-z])A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}(?![0-9A-Za-z])/g,
    partial: /A[KS]IA[0-9A-Z]{16}/g,
  },
  {
    kind: "jwt",
    hints: ["eyJ"],
    whole: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
    // Not within a word: otherwise each of many possible beginnings would be followed to the end.
    partial: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g,
  },
];

/** The hints and their patterns, by the first two characters of the hint. */
const BY_PAIR = new Map<number, { readonly hint: string; readonly form: SecretPattern }[]>();
const IS_PAIR = new Uint8Array(1 << 14);
for (const form of TOKEN_PATTERNS) {
  for (const hint of form.hints) {
    const pair = pairOf(hint, 0);
    BY_PAIR.set(pair, [...(BY_PAIR.get(pair) ?? []), { hint, form }]);
    IS_PAIR[pair] = 1;
  }
}

/**
 * Returns the patterns with a hint that begins from `from` up to, not including, `to`. Undefined if there are
 * none, which is the usual case. One pass, whatever the number of patterns: about 2 ns per character.
 */
export function hintedForms(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
): ReadonlySet<SecretPattern> | undefined {
  let found: Set<SecretPattern> | undefined;
  for (let at = from; at < to; at += 1) {
    const pair = pairOf(text, at);
    if (IS_PAIR[pair] !== 1) continue;
    for (const { hint, form } of BY_PAIR.get(pair) ?? []) {
      if (text.startsWith(hint, at)) (found ??= new Set()).add(form);
    }
  }
  return found;
}

/** A key for two ASCII characters; 0 if one of them is not ASCII. */
function pairOf(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return (first | second) < 128 ? (first << 7) | second : 0;
}

function token(
  kind: string,
  head: string,
  tail: string,
  { whole, partial = Math.min(whole, 16), isDistinct, hints = [plainBeginning(head)] }: MinLengths,
): SecretPattern {
  const boundary = isDistinct === true ? "" : "(?<![0-9A-Za-z])";
  return {
    kind,
    hints,
    whole: new RegExp(`${boundary}${head}${tail}{${whole},}`, "g"),
    partial: new RegExp(`${head}${tail}{${partial},}`, "g"),
  };
}

/** The literal prefix of an expression. */
function plainBeginning(head: string): string {
  return (/^(?:[\w-]|\\\.)+/.exec(head)?.[0] ?? "").replaceAll("\\", "");
}
