import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { migrateStore } from "../../../src/credentials/sealed/migrate.ts";
import { storeStatus } from "../../../src/credentials/sealed/store-status.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { memoryKeychain, tempHome } from "../home.ts";

const MINUTE = 60_000;
const UNKNOWN = {
  keySource: undefined,
  keyLocation: undefined,
  generation: undefined,
  credentials: undefined,
  readOnly: undefined,
  clock: undefined,
  problem: undefined,
};

test("without a store: where it would be, and nothing is created", async () => {
  const home = tempHome();
  const { directory } = home;
  expect(await storeStatus(home)).toEqual({ ...UNKNOWN, directory, exists: false });
  expect(readdirSync(home.root)).toEqual([]);
});

test("an open store: its key, its changes, its credentials by state", async () => {
  const home = tempHome();
  const store = await home.open();
  const now = Date.now();
  await createToken(store, { name: "expired", ttlMs: MINUTE }, now - 2 * MINUTE);
  await createToken(store, { name: "active" }, now);
  const { record } = await createToken(store, { name: "revoked" }, now);
  await store.write(({ put }) => put({ ...record, revokedAt: now }));
  expect(await storeStatus(home)).toEqual({
    directory: home.directory,
    exists: true,
    keySource: "file",
    keyLocation: home.key,
    generation: 4,
    credentials: { active: 1, expired: 1, revoked: 1 },
    readOnly: false,
    clock: { known: now, now: expect.any(Number), isAhead: false },
    problem: undefined,
  });
});

test("the location of the key is reported for each kind", async () => {
  const [file, passphrase, keychain] = [tempHome(), tempHome(), tempHome()];
  const keyFile = join(file.root, "my.key");
  const secrets = memoryKeychain();
  await file.open({ keyFile });
  await passphrase.open({ passphrase: "open sesame" });
  await keychain.open({ keychain: secrets });
  const places = [
    await storeStatus(file),
    await storeStatus({ ...passphrase, passphrase: "open sesame" }),
    await storeStatus({ ...keychain, keychain: secrets }),
  ].map(({ keySource, keyLocation, problem }) => [keySource, keyLocation, problem]);
  expect(places).toEqual([
    ["file", keyFile, undefined],
    ["passphrase", "SERVICE_PASSPHRASE", undefined],
    ["keychain", [...secrets.secrets.keys()][0], undefined],
  ]);
});

test("a clock that is more than five minutes ahead is reported", async () => {
  const home = tempHome();
  const store = await home.open();
  await createToken(store, { name: "one" }, Date.now() + 4 * MINUTE);
  expect((await storeStatus(home)).clock?.isAhead).toBe(false);
  await createToken(store, { name: "two" }, Date.now() + 6 * MINUTE);
  expect((await storeStatus(home)).clock?.isAhead).toBe(true);
  store.resetClock(Date.now());
  expect((await storeStatus(home)).clock?.isAhead).toBe(false);
});

test("a key file left by an interrupted migration is reported", async () => {
  const home = tempHome();
  const keychain = memoryKeychain();
  await home.open();
  const key = readFileSync(home.key);
  await migrateStore({ ...home, keychain }, { kind: "keychain" });
  expect((await storeStatus({ ...home, keychain })).unusedKeyFile).toBeUndefined();
  writeFileSync(home.key, key, { mode: 0o600 });
  expect((await storeStatus({ ...home, keychain })).unusedKeyFile).toBe(home.key);
});

test("a locked store: the facts of the header, and how to unlock it", async () => {
  const home = tempHome();
  const keychain = memoryKeychain();
  await createToken(await home.open({ keychain }), { name: "one" });
  expect(await storeStatus({ ...home, keychain: memoryKeychain("fails") })).toEqual({
    ...UNKNOWN,
    directory: home.directory,
    exists: true,
    keySource: "keychain",
    keyLocation: expect.stringMatching(/^credentials-/),
    generation: 1,
    problem: {
      detail: "The keychain with the data key is locked.",
      hint: expect.stringContaining("Unlock the keychain"),
    },
  });
});

test.each([
  ["is no database", (path: string) => writeFileSync(path, "not a database".repeat(100))],
  ["is empty", (path: string) => writeFileSync(path, "")],
  ["is gone", (path: string) => rmSync(path)],
])("a store whose file %s is a problem with a hint, and is not changed", async (_what, damage) => {
  const home = tempHome();
  const store = await home.open();
  await createToken(store, { name: "one" });
  await store.close();
  damage(home.database);
  expect(await storeStatus(home)).toMatchObject({
    credentials: undefined,
    problem: { detail: expect.any(String), hint: expect.stringContaining("backup") },
  });
});

test("directories of other users are a problem, not a failure", async () => {
  const home = tempHome();
  await (await home.open()).close();
  const { problem } = await storeStatus({ ...home, directory: home.database });
  expect(problem?.detail).toContain("not a directory");
});
