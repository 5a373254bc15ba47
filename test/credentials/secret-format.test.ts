import { crc32 } from "node:zlib";

import { assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import {
  looksLikeSecret,
  newId,
  newSecret,
  parseSecret,
} from "../../src/credentials/secret-format.ts";

const VECTORS = [
  "svk_000000000000000000000000000000000sJerT",
  "svt_000000000000000000000000000000000Byi4J",
  "svk_0123456789ABCDEFGHIJKLMNOPQRSTUV3rg0PQ",
  "svt_UVWXYZabcdefghijklmnopqrstuvwxyz1qvW7a",
];

function check(text: string): string {
  try {
    return parseSecret(text).kind;
  } catch (error) {
    if (error instanceof SvcError) return error.code;
    throw error;
  }
}

test("the checksum is the CRC-32 of zlib", () => {
  expect(crc32("123456789").toString(16)).toBe("cbf43926");
});

test("the published vectors are well formed and of their kind", () => {
  expect(VECTORS.map(check)).toEqual(["key", "token", "key", "token"]);
});

test("a new secret has the documented form, is well formed and is never the same twice", () => {
  for (const kind of ["key", "token"] as const) {
    const secrets = Array.from({ length: 200 }, () => newSecret(kind));
    expect(new Set(secrets).size).toBe(200);
    for (const secret of secrets) {
      expect(secret).toMatch(/^sv[kt]_[0-9A-Za-z]{38}$/);
      expect(check(secret)).toBe(kind);
    }
  }
});

test("every base62 character is about equally frequent in new secrets", () => {
  const payload = Array.from({ length: 2000 }, () => newSecret("key").slice(4, 36)).join("");
  const counts = new Map<string, number>();
  for (const character of payload) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // 64,000 draws over 62 characters: 1032 expected each, and 200 is more than 6 standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 1032)).toBeLessThan(200);
});

test("ids are the kind's prefix and 16 hexadecimal digits", () => {
  expect(newId("key")).toMatch(/^key_[0-9a-f]{16}$/);
  expect(newId("token")).toMatch(/^tok_[0-9a-f]{16}$/);
});

test("one wrong character anywhere after the prefix is CREDENTIAL_MALFORMED", () => {
  const [, , vector = ""] = VECTORS;
  for (let at = 4; at < vector.length; at++) {
    for (const wrong of ["0", "a", "Z", "-", "é"]) {
      if (vector[at] === wrong) continue;
      const typo = vector.slice(0, at) + wrong + vector.slice(at + 1);
      expect([typo, check(typo)]).toEqual([typo, "CREDENTIAL_MALFORMED"]);
    }
  }
});

test("the prefix cannot be swapped, the secret not be cut or lengthened", () => {
  const [key = "", token = ""] = VECTORS;
  const wrong = [
    `svt_${key.slice(4)}`,
    `svk_${token.slice(4)}`,
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    "svk_",
  ];
  expect(wrong.map(check)).toEqual(wrong.map(() => "CREDENTIAL_MALFORMED"));
});

test("a text without one of our prefixes is UNAUTHENTICATED, never malformed", () => {
  const foreign = ["", "sk-proj-abcdef", "Bearer", "SVK_0", "svx_0", "${SERVICE_TOKEN}"];
  expect(foreign.map(check)).toEqual(foreign.map(() => "UNAUTHENTICATED"));
});

test("no text makes the parser fail in another way", () => {
  const codes = ["key", "token", "UNAUTHENTICATED", "CREDENTIAL_MALFORMED"];
  assert(
    property(string(), constantFrom("", "svk_", "svt_"), (text, prefix) => {
      expect(codes).toContain(check(prefix + text));
    }),
    { seed: 1 },
  );
});

test("a mistyped secret of svc is recognised", () => {
  const written = constantFrom(...VECTORS);
  const mistyped = written.chain((secret) =>
    constantFrom(
      secret,
      secret.toUpperCase(),
      secret.toLowerCase(),
      secret.slice(0, 4),
      secret.slice(0, 20),
      `${secret}x`,
      secret.replace("_", ""),
      secret.replace("_", "-"),
      secret.replace("_", "%5F"),
      // Copied without its prefix, with other text around it.
      secret.slice(4),
      `"${secret}"`,
      `'${secret.slice(0, 9)}`,
      `SERVICE_TOKEN=${secret}`,
      `SERVICE_TOKEN=${secret.slice(0, 9)}`,
      `token${secret}`,
      `https://127.0.0.1/?token=${secret}`,
    ),
  );
  assert(property(mistyped, looksLikeSecret));
});

test("keys of other services are not mistaken for secrets of svc", () => {
  const others = [
    "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789",
    "sk-ant-api03-svtsvk0123456789",
    "sk-svcacct-0123456789",
    "gsk_0123456789abcdefghij",
    "AIzaSyA0123456789-svk",
    "ollama",
    "0123456789ABCDEFGHIJKLMNOPQRSTUV3rg0PR",
    "eyJhbGciOiJIUzI1NiJ9.e30.c3Z0X3N2a18",
  ];
  expect(others.filter(looksLikeSecret)).toEqual([]);
});
