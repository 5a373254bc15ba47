// Secrets as their makers form them, made up anew by each run: none of them stands in this repository, where a
// scanner would find it.

export interface PlantedSecret {
  readonly kind: string;
  readonly value: string;
  /** The line of a file that holds it. */
  readonly line: string;
}

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const BASE62 = DIGITS + UPPER + LOWER;
const HEX = "0123456789abcdef";

/** The same numbers for the same seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Put together here, so that this file is none that holds a key. */
function mark(what: string): string {
  return `-----${what} RSA ${["PRIVATE", "KEY"].join(" ")}-----`;
}

type Make = (random: (alphabet: string, length: number) => string) => PlantedSecret["value"];

/** A token that shows what it is wherever it stands. */
const TOKENS: Readonly<Record<string, Make>> = {
  "github classic": (random) => `ghp_${random(BASE62, 36)}`,
  "github fine-grained": (random) => `github_pat_${random(BASE62, 22)}_${random(BASE62, 59)}`,
  "github app": (random) => `ghs_${random(BASE62, 36)}`,
  gitlab: (random) => `glpat-${random(BASE62, 20)}`,
  "aws key id": (random) => `AKIA${random(UPPER + DIGITS, 16)}`,
  "slack bot": (random) => `xoxb-${random(DIGITS, 12)}-${random(DIGITS, 13)}-${random(BASE62, 24)}`,
  "stripe live": (random) => `sk_live_${random(BASE62, 24)}`,
  npm: (random) => `npm_${random(BASE62, 36)}`,
  google: (random) => `AIza${random(`${BASE62}-_`, 34)}a`,
  "google oauth": (random) => `GOCSPX-${random(BASE62, 28)}`,
  anthropic: (random) => `sk-ant-api03-${random(`${BASE62}-_`, 93)}AA`,
  openai: (random) => `sk-proj-${random(BASE62, 20)}T3BlbkFJ${random(BASE62, 20)}`,
  sendgrid: (random) => `SG.${random(BASE62, 22)}.${random(BASE62, 43)}`,
  pypi: (random) => `pypi-AgEIcHlwaS5vcmc${random(BASE62, 80)}`,
  digitalocean: (random) => `dop_v1_${random(HEX, 64)}`,
  jwt: (random) =>
    `eyJ${random(BASE62, 24)}.eyJ${random(BASE62, 60)}.${random(`${BASE62}-_`, 42)}a`,
  "discord bot": (random) => `MT${random(BASE62, 22)}.G${random(BASE62, 5)}.${random(BASE62, 38)}`,
  "fly.io": (random) => `fo1_${random(BASE62, 43)}`,
  supabase: (random) => `sbp_${random(HEX, 40)}`,
  square: (random) => `sq0atp-${random(BASE62, 21)}a`,
  mailchimp: (random) => `${random(HEX, 32)}-us1`,
  "sentry token": (random) => `sntryu_${random(HEX, 64)}`,
  pulumi: (random) => `pul-${random(HEX, 40)}`,
  planetscale: (random) => `pscale_tkn_${random(BASE62, 43)}`,
  "svc key": (random) => `svk_${random(BASE62, 38)}`,
  "svc token": (random) => `svt_${random(BASE62, 38)}`,
};

/** What only its name, or the place it stands in, makes a secret. */
const NAMED: Readonly<Record<string, readonly [make: Make, line: (value: string) => string]>> = {
  "aws secret key": [
    (random) => `k7${random(`${BASE62}/+`, 36)}x9`,
    (value) => `aws_secret_access_key = ${value}`,
  ],
  "api key": [(random) => `a1b2${random(HEX, 28)}`, (value) => `  "api_key": "${value}",`],
  "client secret": [
    (random) => `Q8z${random(BASE62, 28)}w4`,
    (value) => `const clientSecret = '${value}';`,
  ],
  "access token": [
    (random) => `f0E1${random(BASE62, 28)}`,
    (value) => `export ACCESS_TOKEN=${value}`,
  ],
  "database password": [
    (random) => `n0t${random(BASE62, 9)}`,
    (value) => `const db = open("postgres://app:${value}@db.internal:5432/app");`,
  ],
  "redis password": [
    (random) => `r3d${random(BASE62, 13)}`,
    (value) => `  url: redis://:${value}@cache.internal:6379`,
  ],
  password: [(random) => `Zz9!${random(BASE62, 8)}`, (value) => `  password: "${value}"`],
  bearer: [
    (random) => `t9K2${random(BASE62, 36)}`,
    (value) => `curl -H "Authorization: Bearer ${value}" https://api.internal/`,
  ],
  "rails key base": [(random) => `4e${random(HEX, 126)}`, (value) => `SECRET_KEY_BASE=${value}`],
  "postgres variable": [
    (random) => `h4${random(LOWER, 6)}`,
    (value) => `PGPASSWORD=${value} psql -h db`,
  ],
  "curl user": [
    (random) => `z7${random(BASE62, 10)}`,
    (value) => `curl -sS -u deploy:${value} https://build.internal/`,
  ],
  "docker auth": [
    (random) =>
      Buffer.from(`deploy:x9${random(BASE62, 16)}`)
        .toString("base64")
        .replace(/=+$/, ""),
    (value) => `{"auths": {"registry.internal": {"auth": "${value}"}}}`,
  ],
  "connection string": [
    (random) => `Tr0${random(BASE62, 9)}`,
    (value) => `"Server=db;Database=app;User Id=app;Password=${value};Encrypt=true"`,
  ],
  "session cookie": [
    (random) => `k3j9${random(DIGITS + LOWER, 28)}`,
    (value) => `Cookie: theme=dark; sessionid=${value}`,
  ],
  "sentry dsn": [
    (random) => `0a${random(HEX, 30)}`,
    (value) => `dsn: https://${value}@o12345.ingest.sentry.io/678`,
  ],
  "program argument": [
    (random) => `p4${random(BASE62, 8)}`,
    (value) => `mysql --password=${value} app`,
  ],
  "signing key": [
    (random) => `9fA0${random(BASE62, 40)}`,
    (value) => `signingKey: process.env.KEY ?? "x", signing_key: "${value}"`,
  ],
};

/** `count` secrets, of each kind in turn. */
export function plantedSecrets(count: number, seed: number): readonly PlantedSecret[] {
  const next = randomFrom(seed);
  const random = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
  const makers: ((at: number) => PlantedSecret)[] = [
    ...Object.entries(TOKENS).map(([kind, make]) => (at: number) => {
      const value = make(random);
      const lines = [
        `const setting${at} = "${value}"; // of the mailer`,
        `# Deploy with ${value}, until it expires`,
        `client.use(${value})`,
        // Far behind where a line is cut, and across the cut.
        `${"padding ".repeat(36)}${value} ${"more ".repeat(40)}`,
      ];
      return { kind, value, line: lines[at % lines.length] ?? value };
    }),
    ...Object.entries(NAMED).map(([kind, [make, line]]) => () => {
      const value = make(random);
      return { kind, value, line: line(value) };
    }),
    () => {
      const body = Array.from({ length: 6 }, () => random(`${BASE62}+/`, 64)).join("\n");
      const line = `${mark("BEGIN")}\n${body}\n${mark("END")}`;
      return { kind: "private key", value: body, line };
    },
  ];
  return Array.from({ length: count }, (_none, at) => {
    const make = makers[at % makers.length];
    if (make === undefined) throw new Error("no maker");
    return make(at);
  });
}

/** Pieces of a secret: that none is in an answer says that no part worth having is. */
export function piecesOf({ value }: PlantedSecret): readonly string[] {
  const lines = value.split("\n");
  return lines.flatMap((line) =>
    line.length < 24 ? [line] : [line.slice(8, 20), line.slice(-12), line.slice(-20, -8)],
  );
}
