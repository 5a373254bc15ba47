// Removes secrets from anything that is about to be shown: by field name, and by form. Every expression below
// runs in linear time: the text that a repetition consumes cannot begin another match of the same one.

import { hintedForms, TOKEN_PATTERNS } from "./secret-patterns.ts";

const REDACTED = "[redacted]";
const MAX_DEPTH = 12;
/** Maximum values visited per line. Without it, a densely linked graph would expand almost without end. */
const MAX_VALUES = 200_000;
const MAX_CAUSES = 8;
/** JSON inside a text is parsed up to this length; longer text is searched as plain text. */
const MAX_INNER_JSON = 64 * 1024;

/** Ids of credentials are public. */
const PUBLIC_ID = /^(?:key|tok)_[0-9a-f]{16}$/;
/** Secret names end with one of these, whatever comes before: `accessToken`, `SERVICE_TOKEN`, `x-api-key`. */
const SECRET_NAME =
  /(?:token|secret|passwords?|passwd|passphrase|passcode|authorization|cookies?|credentials?|bearer|(?:api|private|access|secret|data|master|session|signing|encryption|provider)key)$/;
const SHORT_SECRET_NAME = /^(?:key|pwd|pass|auth|pin)$/;
/** Names of the protocol: they identify a request and give no access. */
const HARMLESS_NAME = /^progresstoken$/;

/**
 * One short expression for each form. The engine can skip to its first characters, which it cannot do for one
 * long alternation.
 */
const FORMS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Keys of other providers, by their common prefixes.
  [/sk-[\w-]{16,}/g, REDACTED],
  [/(?:npm|hf)_[\w-]{16,}/g, REDACTED],
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w+/=\s\\]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    REDACTED,
  ],
  [/(\bbearer(?:\s|%20|:)+)[\w.~+/=%-]{8,}/gi, `$1${REDACTED}`],
  [/(\bbasic\s+)[\w+/=-]{16,}/gi, `$1${REDACTED}`],
  // A user and password, or a token, before the host of a URL.
  [/(:\/\/)[^\s/?#"'<>]{1,1024}@/g, `$1${REDACTED}@`],
  // Parameters of a URL's query.
  [/([?&](?:key|sig|signature|code|auth|pwd|pass)=)[^\s&#"'\\]+/gi, `$1${REDACTED}`],
];

/** Credentials of svc itself. A log may hold them in another case, which no hint matches. */
const OWN_FORMS = TOKEN_PATTERNS.filter(({ kind }) => kind === "svc");

/** Whether NAMED can match. This test first makes the function three times as fast. */
const HAS_NAME =
  /(?:token|secret|password|passwd|passphrase|key|authorization|cookie)["'\\]*\s*[:=]/i;
const NAMED: typeof FORMS = [
  // The rest of a header, because authentication schemes have parameters.
  [/((?:authorization|cookie)["'\\]*\s*[:=]\s*["'\\]*)[^\r\n"'\\]+/gi, `$1${REDACTED}`],
  // `password=…`, `"token": "…"`, `\"secret\":\"…\"`.
  [
    /((?:token|secret|password|passwd|passphrase|(?:api|private|access|secret|data|provider)[-_ ]?key)["'\\]*\s*[:=]\s*)(?:\\*"[^"\\\n]+|\\*'[^'\\\n]+|[^\s"'\\&,;}\])]+)/gi,
    `$1${REDACTED}`,
  ],
];

/**
 * Returns the text without secrets of a known form. For text that is shown to its sender: names keep their
 * values.
 */
export function redactValues(text: string): string {
  let clean = text;
  const hinted = hintedForms(text, { from: 0, to: text.length }) ?? [];
  for (const { partial } of [...OWN_FORMS, ...hinted]) clean = clean.replace(partial, REDACTED);
  for (const [pattern, replacement] of FORMS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** Returns the text without secrets of a known form and without the values of secret names. */
export function redactText(text: string): string {
  let clean = redactValues(text);
  if (!HAS_NAME.test(clean)) return clean;
  for (const [pattern, replacement] of NAMED) clean = clean.replace(pattern, replacement);
  return clean;
}

/**
 * Returns a copy of any value with its secrets replaced, in JSON types: maps and sets become objects and
 * arrays, errors their stack traces, bytes their length. Never throws.
 */
export function redact(value: unknown): unknown {
  return new Redaction().value(value, 0);
}

/** Does the same as `redact` for the fields of a log line. */
export function redactFields(fields: object): Readonly<Record<string, unknown>> {
  return new Redaction().object(fields, 0);
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (HARMLESS_NAME.test(plain)) return false;
  return SECRET_NAME.test(plain) || SHORT_SECRET_NAME.test(plain);
}

class Redaction {
  #left = MAX_VALUES;
  readonly #parents = new Set<object>();

  value(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#text(value, depth);
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "function" || typeof value === "symbol") return undefined;
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) return "[too deep]";
    if ((this.#left -= 1) < 0) return "[too much]";
    if (this.#parents.has(value)) return "[circular]";
    this.#parents.add(value);
    try {
      return this.#structure(value, depth);
    } catch {
      return "[cannot be shown]";
    } finally {
      this.#parents.delete(value);
    }
  }

  object(fields: object, depth: number): Readonly<Record<string, unknown>> {
    const entries = Object.entries(fields);
    const labelled = isLabelled(fields);
    return Object.fromEntries(
      entries.map(([key, item]: [string, unknown]) => [
        redactText(key),
        labelled && key === "value" ? hidden(item) : this.#named(key, item, depth + 1),
      ]),
    );
  }

  #structure(value: object, depth: number): unknown {
    if (value instanceof Error) return redactText(stackOf(value));
    if (Array.isArray(value)) return this.#list(value, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof URL || value instanceof RegExp) return redactText(String(value));
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${value.byteLength} bytes]`;
    if (value instanceof Set) return this.#list([...value], depth);
    if (isPairs(value)) {
      const pairs = Array.from(value, ([key, item]): [string, unknown] => [
        typeof key === "string" ? key : String(this.value(key, depth + 1)),
        item,
      ]);
      return this.object(Object.fromEntries(pairs), depth);
    }
    return this.object(value, depth);
  }

  /** A list of headers may be flat: name, value, name, value. */
  #list(list: readonly unknown[], depth: number): unknown[] {
    return list.map((item, at) => {
      const name = at === 0 ? undefined : list[at - 1];
      return typeof name === "string" && name.length < 64 && typeof item === "string"
        ? this.#named(name, item, depth + 1)
        : this.value(item, depth + 1);
    });
  }

  #named(name: string, item: unknown, depth: number): unknown {
    return isSecretName(name) ? hidden(item) : this.value(item, depth);
  }

  #text(text: string, depth: number): unknown {
    const inner = depth < MAX_DEPTH ? innerJson(text) : undefined;
    if (inner === undefined) return redactText(text);
    // The result is searched again for names that only the patterns know.
    return redactText(JSON.stringify(this.value(inner, depth + 1)));
  }
}

/** Numbers and booleans under such a name are limits and counts. */
function hidden(item: unknown): unknown {
  if (typeof item === "string") return PUBLIC_ID.test(item) ? item : REDACTED;
  if (typeof item === "number" || typeof item === "boolean") return item;
  return item === null || item === undefined ? item : REDACTED;
}

/** `{ name: "authorization", value: … }`, as some clients list headers. */
function isLabelled(fields: object): boolean {
  if (!("value" in fields)) return false;
  const name = "name" in fields ? fields.name : "key" in fields ? fields.key : undefined;
  return typeof name === "string" && isSecretName(name);
}

/** Maps, and the browser classes for headers and forms. Their names, because to read a global class of them loads undici. */
const PAIRS: ReadonlySet<string> = new Set(["Map", "URLSearchParams", "Headers", "FormData"]);

function isPairs(value: object): value is Iterable<readonly [unknown, unknown]> {
  const name = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return PAIRS.has(name) && Symbol.iterator in value;
}

function innerJson(text: string): unknown {
  if (text.length > MAX_INNER_JSON || !/^\s*[{[]/.test(text) || !/[}\]]\s*$/.test(text))
    return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function stackOf(error: Error): string {
  const stacks: string[] = [];
  let rest: unknown[] = [error];
  while (rest.length > 0 && stacks.length < MAX_CAUSES) {
    const [next, ...others] = rest;
    stacks.push(
      next instanceof Error ? (next.stack ?? `${next.name}: ${next.message}`) : shortText(next),
    );
    const inner: unknown[] = next instanceof AggregateError ? next.errors : [];
    const cause = next instanceof Error && next.cause !== undefined ? [next.cause] : [];
    rest = [...cause, ...inner, ...others];
  }
  return stacks.join("\nCaused by: ");
}

/** The text of a cause, which may be a value of any type. */
function shortText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(redact(value)) ?? String(value));
}
