import { expect, test } from "vitest";

import { createKey } from "../../src/credentials/api-keys.ts";
import { matchesSecret, listCredentials } from "../../src/credentials/list-credentials.ts";
import { revokeCredential } from "../../src/credentials/revoke.ts";
import { createToken, saveDefaultToken } from "../../src/credentials/access-tokens.ts";
import { MemoryCredentialStore } from "../../src/credentials/memory/memory-credential-store.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const MINUTE = 60_000;

test("without a store there is nothing to list", async () => {
  expect(await listCredentials(undefined, { kind: "key", all: true }, NOW)).toEqual([]);
});

test("each kind is listed by itself, oldest first", async () => {
  const store = new MemoryCredentialStore();
  const keys = [
    await createKey(store, { name: "one", namespaces: ["docs"] }, NOW),
    await createKey(store, { name: "two", namespaces: ["docs"] }, NOW + 1),
    await createKey(store, { name: "three", namespaces: ["docs"] }, NOW + 2),
  ];
  const { record } = await createToken(store, { name: "laptop" }, NOW);
  expect(await listCredentials(store, { kind: "key" }, NOW)).toEqual(
    keys.map((key) => ({ record: key.record, state: "active", isDefault: false })),
  );
  expect(await listCredentials(store, { kind: "token" }, NOW)).toMatchObject([{ record }]);
});

test("expired and revoked credentials are listed only on request", async () => {
  const store = new MemoryCredentialStore();
  const [short, long, gone] = [
    await createToken(store, { name: "short", ttlMs: MINUTE }, NOW),
    await createToken(store, { name: "long" }, NOW + 1),
    await createToken(store, { name: "gone", ttlMs: MINUTE }, NOW + 2),
  ];
  await revokeCredential(store, { kind: "token", id: gone.record.id }, NOW);
  const states = async (all: boolean, now: number): Promise<string[]> =>
    (await listCredentials(store, { kind: "token", all }, now)).map(
      ({ record, state }) => `${record.name} ${state}`,
    );
  expect(await states(false, NOW + MINUTE - 1)).toEqual(["short active", "long active"]);
  expect(await states(false, NOW + MINUTE)).toEqual(["long active"]);
  expect(await states(true, NOW + MINUTE)).toEqual([
    "short expired",
    "long active",
    "gone revoked",
  ]);
  // An expired token stays expired when the clock is set back.
  expect(await states(false, NOW)).toEqual(["long active"]);
  expect(matchesSecret(long.record, long.secret)).toBe(true);
  expect(matchesSecret(short.record, long.secret)).toBe(false);
});

test("the default token is marked", async () => {
  const store = new MemoryCredentialStore();
  const { defaultToken } = store;
  await createToken(store, { name: "first" }, NOW);
  const { secret } = await createToken(store, { name: "second" }, NOW + 1);
  await saveDefaultToken(store, defaultToken, secret);
  const listed = await listCredentials(store, { kind: "token", defaultToken }, NOW);
  expect(listed.map(({ record, isDefault }) => [record.name, isDefault])).toEqual([
    ["first", false],
    ["second", true],
  ]);
});
