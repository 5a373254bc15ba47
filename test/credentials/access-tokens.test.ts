import { expect, test } from "vitest";

import { newSecret } from "../../src/credentials/secret-format.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";
import { secretDigest } from "../../src/credentials/secret-digest.ts";
import {
  createToken,
  parseDuration,
  saveDefaultToken,
} from "../../src/credentials/access-tokens.ts";
import { codeOf } from "./home.ts";
import { promise } from "../trust/promise.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns the outcome code of creating a token with these arguments. */
async function call(request: Partial<Parameters<typeof createToken>[1]>): Promise<string> {
  const store = new MemoryCredentialStore();
  return codeOf(() => createToken(store, { name: "laptop", ...request }, NOW));
}

test("a token is good for 30 days and all namespaces unless said otherwise", async () => {
  const store = new MemoryCredentialStore();
  const { record, secret } = await createToken(store, { name: "laptop" }, NOW);
  expect(record).toEqual({
    id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
    kind: "token",
    name: "laptop",
    namespaces: "all",
    readOnly: false,
    createdAt: NOW,
    expiresAt: NOW + 30 * DAY,
    digest: secretDigest(secret),
  });
  expect(await store.list()).toEqual([record]);
});

test("names are 1 to 100 characters on one line", async () => {
  for (const name of ["a", "é".repeat(100), "😀".repeat(100), "CI of the team"]) {
    expect(await call({ name })).toBe("ok");
  }
  for (const name of ["", "  ", "a".repeat(101), "two\nlines", "\u001b[31m"]) {
    expect(await call({ name })).toBe("USAGE");
  }
});

promise([36], "lifetimes are 1 minute to 365 days", async () => {
  for (const ttlMs of [MINUTE, 365 * DAY]) expect(await call({ ttlMs })).toBe("ok");
  for (const ttlMs of [0, -1, MINUTE - 1, 365 * DAY + 1, Number.NaN, Infinity]) {
    expect(await call({ ttlMs })).toBe("USAGE");
  }
  return 8;
});

test("namespaces must be well-formed, and there must be at least one", async () => {
  expect(await call({ namespaces: ["docs", "api-2"] })).toBe("ok");
  expect(await call({ namespaces: ["Docs"] })).toBe("USAGE");
  expect(await call({ namespaces: [] })).toBe("USAGE");
});

test("durations are a number and a unit", async () => {
  expect(["1m", "90m", "12h", "30d", "52w"].map(parseDuration)).toEqual([
    MINUTE,
    90 * MINUTE,
    DAY / 2,
    30 * DAY,
    364 * DAY,
  ]);
  for (const text of [
    "",
    "30",
    "d",
    "-1d",
    "1.5h",
    "30 d",
    "30D",
    "1s",
    "1y",
    "1d1h",
    "9999999d",
  ]) {
    expect([text, await codeOf(() => parseDuration(text))]).toEqual([text, "USAGE"]);
  }
});

test("only a token of this store can be the default", async () => {
  const store = new MemoryCredentialStore();
  expect(await codeOf(() => saveDefaultToken(store, store.defaultToken, newSecret("token")))).toBe(
    "UNAUTHENTICATED",
  );
  expect(await codeOf(() => saveDefaultToken(store, store.defaultToken, newSecret("key")))).toBe(
    "UNAUTHENTICATED",
  );
  expect(await codeOf(() => saveDefaultToken(store, store.defaultToken, "svt_typo"))).toBe(
    "CREDENTIAL_MALFORMED",
  );
});

test("the name of a token that has expired is free again", async () => {
  const store = new MemoryCredentialStore();
  const minute = 60_000;
  await createToken(store, { name: "ci", ttlMs: minute }, NOW);
  expect(await codeOf(() => createToken(store, { name: "ci" }, NOW + minute - 1))).toBe("USAGE");
  expect(await codeOf(() => createToken(store, { name: "ci" }, NOW + minute))).toBe("ok");
});
