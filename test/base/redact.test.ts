import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createLogger } from "../../src/base/log.ts";
import { redact, redactText } from "../../src/base/redact.ts";

const BASE62 = Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
const word = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });

/** Secrets with a known form. */
const secret = fc.oneof(
  fc.tuple(fc.constantFrom("svk_", "svt_"), word(38)).map(([prefix, rest]) => prefix + rest),
  fc
    .tuple(
      fc.constantFrom(
        "sk-",
        "sk-proj-",
        "sk-ant-api03-",
        "ghp_",
        "github_pat_",
        "glpat-",
        "hf_",
        "npm_",
      ),
      word(36),
    )
    .map(([prefix, rest]) => prefix + rest),
);

/** The log output for these fields, as JSON and for people. */
function logged(fields: Readonly<Record<string, unknown>>, message = "message"): string {
  let text = "";
  for (const human of [true, false]) {
    const logger = createLogger({ level: "debug", human, write: (line) => (text += line) });
    logger.debug(message, fields);
  }
  return text;
}

class Holder {
  readonly inner: unknown;
  constructor(inner: unknown) {
    this.inner = inner;
  }
  toJSON(): unknown {
    return this.inner;
  }
}

/** Places that may contain a secret of a known form. */
const PLACES: Readonly<Record<string, (secret: string) => Readonly<Record<string, unknown>>>> = {
  "a value": (value) => ({ value }),
  "the middle of a text": (value) => ({ text: `before ${value}, after` }),
  "a nested object": (value) => ({ a: { b: { c: { d: value } } } }),
  "an array": (value) => ({ list: [1, [value]] }),
  "a map": (value) => ({ map: new Map<unknown, unknown>([["name", { value }]]) }),
  "the key of a map": (value) => ({ map: new Map([[value, 1]]) }),
  "a set": (value) => ({ set: new Set([value]) }),
  "the key of an object": (value) => ({ object: { [value]: 1 } }),
  "the key of the fields": (value) => ({ [value]: 1 }),
  "the message of an error": (value) => ({ error: new Error(`refused ${value}`) }),
  "the cause of an error": (value) => ({
    error: new Error("outer", { cause: new Error("inner", { cause: { value } }) }),
  }),
  "an error among others": (value) => ({ error: new AggregateError([new Error(value)], "many") }),
  "a URL": (value) => ({ url: new URL(`https://host/path?q=${value}`) }),
  "the user of a URL": (value) => ({ url: `https://${value}@host/path` }),
  "a bearer header in a text": (value) => ({ text: `got "Authorization: Bearer ${value}"` }),
  "a header list": (value) => ({ rawHeaders: ["Host", "x", "Authorization", `Bearer ${value}`] }),
  headers: (value) => ({ headers: new Headers({ "x-other": value }) }),
  "JSON in a text": (value) => ({ body: JSON.stringify({ deep: [{ value }] }) }),
  "JSON in JSON in a text": (value) => ({ body: JSON.stringify({ b: JSON.stringify({ value }) }) }),
  "an object with toJSON": (value) => ({ holder: new Holder({ value }) }),
  "punctuation before it": (value) => ({ text: `('${value}');x_${value}.` }),
  "a value with a prefix": (value) => ({ text: `prefix${value}` }),
  bytes: (value) => ({ bytes: Buffer.from(value) }),
};

test.each(Object.entries(PLACES))("no secret shows in %s", (_name, place) => {
  fc.assert(
    fc.property(secret, (value) => {
      const text = logged(place(value));
      expect(text).not.toContain(value);
      expect(text).not.toContain(value.slice(-12));
    }),
    { numRuns: 40 },
  );
});

test("no secret shows in the message itself", () => {
  expect(logged({}, `token svt_${"a".repeat(38)}`)).not.toContain("aaaa");
});

/** Places where the name of a value shows that it is a secret. */
const NAMED: Readonly<Record<string, (secret: string) => Readonly<Record<string, unknown>>>> = {
  field: (value) => ({ passphrase: value }),
  "field in capitals": (value) => ({ env: { SERVICE_TOKEN: value } }),
  "field of many words": (value) => ({ options: { clientSecret: value, accessToken: value } }),
  header: (value) => ({ headers: { "x-api-key": value, "X-Provider-Key": value, Cookie: value } }),
  "object under such a name": (value) => ({ credentials: { user: value, deep: [value] } }),
  map: (value) => ({ map: new Map([["authorization", value]]) }),
  "headers of a browser": (value) => ({ headers: new Headers({ authorization: value }) }),
  "flat list of headers": (value) => ({ rawHeaders: ["authorization", value, "host", "x"] }),
  "list of pairs": (value) => ({ headers: [["authorization", value]] }),
  "list of named values": (value) => ({ headers: [{ name: "Authorization", value }] }),
  "JSON in a text": (value) => ({ body: JSON.stringify({ password: value }) }),
  "JSON in a longer text": (value) => ({ text: `sent ${JSON.stringify({ apiKey: value })} there` }),
  "JSON quoted twice": (value) => ({
    text: `sent ${JSON.stringify(JSON.stringify({ secret: value }))} there`,
  }),
  assignment: (value) => ({ text: `SERVICE_TOKEN=${value} svc mcp` }),
  "query of a URL": (value) => ({ url: `https://host/?a=1&api_key=${value}&b=2` }),
  "password of a URL": (value) => ({ url: `postgres://user:${value}@host/db` }),
  "bearer in a text": (value) => ({ text: `sent bearer ${value} to it` }),
};

test.each(Object.entries(NAMED))(
  "a value with the name of a secret does not show: %s",
  (_name, place) => {
    fc.assert(
      fc.property(word(14), (value) => {
        expect(logged(place(value))).not.toContain(value);
      }),
      { numRuns: 40 },
    );
  },
);

test("values that are not secrets stay readable", () => {
  const fields = {
    path: "src/token.ts",
    max_tokens: 4000,
    tokens: 12,
    _meta: { progressToken: "p-1" },
    credential: "tok_0011223344556677",
    text: "const key = keys[0]; // see https://host/a?b=c#d and mail@host.org",
    tool: "search_context",
    isOn: true,
    nothing: null,
    date: new Date(0),
  };
  expect(redact(fields)).toEqual({ ...fields, date: "1970-01-01T00:00:00.000Z" });
});

test("under the name of a secret only numbers and booleans are shown", () => {
  const values = [7, true, null, 7n, "x", ["x"], { x: 1 }, Symbol("x"), () => "x"];
  expect(values.map((token) => redact({ token }))).toEqual([
    { token: 7 },
    { token: true },
    { token: null },
    ...values.slice(3).map(() => ({ token: "[redacted]" })),
  ]);
});

test("any value can be shown: cycles, depth, bigints, throwing getters", () => {
  const circle: Record<string, unknown> = { big: 1n };
  circle["self"] = circle;
  expect(redact(circle)).toEqual({ big: "1", self: "[circular]" });
  const trap = {
    get inside(): string {
      throw new Error("no");
    },
  };
  expect(redact({ trap })).toEqual({ trap: "[cannot be shown]" });
  fc.assert(
    fc.property(
      fc.anything({ withMap: true, withSet: true, withDate: true, withBigInt: true }),
      (value) => {
        JSON.stringify(redact(value));
      },
    ),
  );
});

test("redacting a text twice gives the same result as redacting it once", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), secret)), (parts) => {
      const once = redactText(parts.join(" "));
      expect(redactText(once)).toBe(once);
    }),
  );
});

// Quadratic time would take hours here.
test.each([
  "token",
  "token ",
  'token"',
  "token\\",
  "bearer ",
  "://",
  "://a:",
  "eyJ",
  "sk-",
  "-----BEGIN PRIVATE KEY-----",
  "authorization= ",
])("a text full of %j is searched to its end", (part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  expect(redactText(`${text} svt_${"a".repeat(38)}`)).not.toContain("svt_a");
});
