import { randomInt } from "node:crypto";

import { expect } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { authenticate } from "../../src/credentials/authenticate.ts";
import { newId, newSecret } from "../../src/credentials/secret-format.ts";
import { secretDigest } from "../../src/credentials/secret-digest.ts";
import type { SealedStore } from "../../src/credentials/sealed/sealed-store.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { tempHome } from "./home.ts";
import { promise } from "../trust/promise.ts";

const ATTEMPTS = 50_000;
const PREFIX = 4;
const CHECK = 6;
const CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates a real store with credentials of both kinds, and returns their secrets. */
async function fullStore(): Promise<{ store: SealedStore; secrets: readonly string[] }> {
  const store = await tempHome().open();
  const tokens = ["one", "two", "three"].map(async (name) => {
    const { secret } = await createToken(store, { name });
    return secret;
  });
  const keys = ["four", "five"].map(async (name) => {
    const key = newSecret("key");
    const digest = secretDigest(key);
    const record = { id: newId("key"), kind: "key", name, namespaces: "all" } as const;
    await store.write(({ put }) =>
      put({ ...record, readOnly: true, createdAt: Date.now(), digest }),
    );
    return key;
  });
  return { store, secrets: await Promise.all([...tokens, ...keys]) };
}

/** Counts each outcome: error codes, and `accepted`. */
async function outcomes(
  store: SealedStore,
  attempts: Iterable<string>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  let wanted: "token" | "key" = "token";
  for (const attempt of attempts) {
    const outcome = await outcomeOf(store, attempt, wanted);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    wanted = wanted === "token" ? "key" : "token";
  }
  return counts;
}

async function outcomeOf(
  store: SealedStore,
  secret: string,
  wanted: "token" | "key",
): Promise<string> {
  try {
    await authenticate(store, secret, Date.now(), wanted);
    return "accepted";
  } catch (error) {
    return error instanceof SvcError ? error.code : String(error);
  }
}

function* guesses(): Generator<string> {
  for (let at = 0; at < ATTEMPTS; at++) yield newSecret(at % 2 === 0 ? "token" : "key");
}

function* mistyped(secrets: readonly string[]): Generator<string> {
  for (let at = 0; at < ATTEMPTS; at++) yield withTypo(secrets[at % secrets.length] ?? "", at % 5);
}

/** Typos and forgeries that a CRC-32 always detects, because they change at most 32 bits in a row. */
function withTypo(secret: string, kind: number): string {
  if (kind === 0) return replaced(secret, randomInt(PREFIX, secret.length));
  if (kind === 1) return secret.replace(/^sv./, secret.startsWith("svk") ? "svt" : "svk");
  const at = randomInt(PREFIX, secret.length - CHECK - 1);
  const [before, here, next] = [secret.slice(0, at), secret.charAt(at), secret.charAt(at + 1)];
  const after = secret.slice(at + 2);
  if (kind === 2) return before + next + after;
  if (kind === 3) return before + here + here + next + after;
  return here === next ? replaced(secret, at) : before + next + here + after;
}

function replaced(secret: string, at: number): string {
  const before = CHARACTERS.indexOf(secret.charAt(at));
  const other = CHARACTERS.charAt((before + randomInt(1, CHARACTERS.length)) % CHARACTERS.length);
  return secret.slice(0, at) + other + secret.slice(at + 1);
}

promise([37], "none of 50,000 well-formed guesses is accepted", async () => {
  const { store, secrets } = await fullStore();
  expect(await outcomes(store, guesses())).toEqual({ UNAUTHENTICATED: ATTEMPTS });
  const valid = await Promise.all(
    secrets.map((secret) => outcomeOf(store, secret, secret.startsWith("svk_") ? "key" : "token")),
  );
  expect(new Set(valid)).toEqual(new Set(["accepted"]));
  return ATTEMPTS;
});

promise([37], "none of 50,000 mistyped secrets reaches the store", async () => {
  const { store, secrets } = await fullStore();
  // A call that reaches the closed store ends with another error.
  await store.close();
  expect(await outcomes(store, mistyped(secrets))).toEqual({ CREDENTIAL_MALFORMED: ATTEMPTS });
  const asked = await outcomes(store, secrets.slice(0, 1));
  expect(Object.keys(asked)).toEqual([expect.not.stringContaining("CREDENTIAL_MALFORMED")]);
  return ATTEMPTS;
});
