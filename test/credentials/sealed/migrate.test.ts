import { copyFileSync, existsSync, linkSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import type { CredentialEvent } from "../../../src/credentials/audit-event.ts";
import { recordOf } from "../../../src/credentials/find-credential.ts";
import { migrateStore } from "../../../src/credentials/sealed/migrate.ts";
import { openStore, type StoreOptions } from "../../../src/credentials/sealed/open-store.ts";
import { createToken, saveDefaultToken } from "../../../src/credentials/access-tokens.ts";
import { listSink } from "../audited-store.ts";
import { codeOf, type Home, memoryKeychain, runFixture, tempHome } from "../home.ts";

type Target = Parameters<typeof migrateStore>[1];

/** Creates a closed store with one token, the default one. */
async function withToken(choices: Partial<StoreOptions> = {}): Promise<Home & { secret: string }> {
  const home = tempHome();
  const store = await home.open(choices);
  const { secret } = await createToken(store, { name: "one" });
  await saveDefaultToken(store, store.defaultToken, secret);
  await store.close();
  return { ...home, secret };
}

/** Returns the name of the default token after opening the store, or an error code. */
async function call(home: Home, choices: Partial<StoreOptions> = {}): Promise<string | undefined> {
  let name: string | undefined;
  const code = await codeOf(async () => {
    const store = await openStore({ ...home, ...choices });
    const secret = await store?.defaultToken.read();
    name = store && (await recordOf(store, secret ?? ""))?.name;
    await store?.close();
  });
  return code === "ok" ? name : code;
}

const lockedKeychain = memoryKeychain("fails");

function fullLog(): never {
  throw new SvcError("STORAGE_FULL", "The audit log is full.");
}

function sealedBodies(home: Home): Buffer[] {
  const db = new DatabaseSync(home.database);
  const rows = db.prepare("SELECT body FROM sealed").all();
  db.close();
  return rows.flatMap(({ body }) => (body instanceof Uint8Array ? [Buffer.from(body)] : []));
}

function anchorLines(home: Home): number {
  return readFileSync(home.anchor, "utf8").split("\n").length - 1;
}

test.each<[string, Partial<StoreOptions>, Target, Partial<StoreOptions>]>([
  ["file to passphrase", {}, { kind: "passphrase", passphrase: "new" }, { passphrase: "new" }],
  ["passphrase to file", { passphrase: "old" }, { kind: "file" }, {}],
  [
    "passphrase to another passphrase",
    { passphrase: "old" },
    { kind: "passphrase", passphrase: "new" },
    { passphrase: "new" },
  ],
])("%s", { timeout: 30_000 }, async (_what, before, target, after) => {
  const home = await withToken(before);
  await migrateStore({ ...home, ...before }, target);
  expect(await call(home, after)).toBe("one");
  expect(await call(home, before)).toBe(target.kind === "passphrase" ? "CREDENTIAL_STORE" : "one");
  expect(existsSync(home.key)).toBe(target.kind === "file");
  expect(anchorLines(home)).toBe(1);
});

test("file to keychain and back: the key is in one place at a time", async () => {
  const home = await withToken();
  const keychain = memoryKeychain();
  const options = { ...home, keychain };
  expect(await migrateStore(options, { kind: "keychain" })).toEqual({
    from: "file",
    to: "keychain",
    warnings: [],
  });
  expect([await call(home, { keychain }), existsSync(home.key)]).toEqual(["one", false]);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
  await migrateStore(options, { kind: "file" });
  expect([await call(home), keychain.secrets.size]).toEqual(["one", 0]);
});

test("file to a file at another path, which the store remembers", async () => {
  const home = await withToken();
  const path = join(home.root, "elsewhere.key");
  await migrateStore(home, { kind: "file", path });
  expect([await call(home), await call(home, { keyFile: path })]).toEqual(["one", "one"]);
  expect([existsSync(home.key), statSync(path).mode & 0o777]).toEqual([false, 0o600]);
  const again = await codeOf(() => migrateStore(home, { kind: "file", path }));
  expect(again).toBe("USAGE");
  expect(await call(home)).toBe("one");
});

test("a setting that names the old key file gives a warning", async () => {
  const keyFile = join(tempHome().root, "old.key");
  const home = await withToken({ keyFile });
  const path = join(home.root, "new.key");
  const { warnings } = await migrateStore({ ...home, keyFile }, { kind: "file", path });
  expect(warnings).toEqual([
    `SERVICE_DATA_KEY_FILE still names ${keyFile}: unset it, or name ${path}.`,
  ]);
  expect([await call(home), await call(home, { keyFile })]).toEqual(["one", "CREDENTIAL_STORE"]);
});

test("a key that was copied to the new place is kept, and so is a file with two names", async () => {
  const home = await withToken();
  const [copy, link] = [join(home.root, "copy.key"), join(home.root, "link.key")];
  copyFileSync(home.key, copy);
  await migrateStore(home, { kind: "file", path: copy });
  expect([await call(home), existsSync(home.key)]).toEqual(["one", false]);
  linkSync(copy, link);
  await migrateStore(home, { kind: "file", path: link });
  expect([await call(home), existsSync(copy)]).toEqual(["one", true]);
});

test("nothing sealed with the old key is left, and an older copy is refused", async () => {
  const home = await withToken();
  const old = join(home.root, "old");
  for (const path of [home.database, home.key]) copyFileSync(path, `${old}-${path.slice(-3)}`);
  const bodies = sealedBodies(home);
  expect(bodies).toHaveLength(2);
  await migrateStore(home, { kind: "file", path: join(home.root, "new.key") });
  const after = readFileSync(home.database);
  expect(sealedBodies(home).map((body) => after.includes(body))).toEqual([true, true]);
  expect(bodies.map((body) => after.includes(body))).toEqual([false, false]);
  copyFileSync(`${old}-.db`, home.database);
  copyFileSync(`${old}-key`, home.key);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
});

test("the audit log keeps its key and records the migration", async () => {
  const home = tempHome();
  const keychain = memoryKeychain();
  const events: CredentialEvent[] = [];
  const keys: string[] = [];
  const audit: StoreOptions["audit"] = ({ auditKey }) => {
    keys.push(auditKey.toString("hex"));
    return listSink(events);
  };
  await (await home.open({ audit })).close();
  await migrateStore({ ...home, keychain, audit }, { kind: "keychain" });
  await migrateStore({ ...home, keychain, audit }, { kind: "file" });
  await (await home.open({ audit })).close();
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(4);
  expect(events).toEqual([
    { event: "store.create", details: { key: "file" } },
    { event: "store.migrate", details: { from: "file", to: "keychain" } },
    { event: "store.migrate", details: { from: "keychain", to: "file" } },
  ]);
});

test("a migration that cannot be recorded, or whose place does not work, changes nothing", async () => {
  const home = await withToken();
  const keychain = memoryKeychain();
  const refused = await codeOf(() =>
    migrateStore({ ...home, keychain, audit: () => listSink([], fullLog) }, { kind: "keychain" }),
  );
  expect([refused, keychain.secrets.size, await call(home)]).toEqual(["STORAGE_FULL", 0, "one"]);
  for (const behaviour of ["forgets", "fails"] as const) {
    const options = { ...home, keychain: memoryKeychain(behaviour) };
    expect(await codeOf(() => migrateStore(options, { kind: "keychain" }))).toBe(
      "CREDENTIAL_STORE",
    );
  }
  expect(await codeOf(() => migrateStore(home, { kind: "keychain" }))).toBe("CREDENTIAL_STORE");
  expect(await codeOf(() => migrateStore(home, { kind: "passphrase", passphrase: "" }))).toBe(
    "USAGE",
  );
  expect(await call(home)).toBe("one");
  expect(await codeOf(() => migrateStore(tempHome(), { kind: "file" }))).toBe("CREDENTIAL_STORE");
});

test("an old key that cannot be removed is a warning", async () => {
  const keychain = memoryKeychain();
  const home = await withToken({ keychain });
  const { warnings } = await migrateStore(
    { ...home, keychain: { ...keychain, remove: lockedKeychain.remove } },
    { kind: "file" },
  );
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The old data key could not be removed from credentials-.*: it is locked$/,
    ),
  ]);
  expect(await call(home)).toBe("one");
});

test("an open store reports at the next call that it must be reopened", async () => {
  const home = tempHome();
  const store = await home.open();
  const { secret } = await createToken(store, { name: "one" });
  expect(store.isStale()).toBe(false);
  await migrateStore(home, { kind: "file", path: join(home.root, "new.key") });
  expect(await codeOf(() => recordOf(store, secret))).toBe("CREDENTIAL_STORE");
  expect(store.isStale()).toBe(true);
  expect(await codeOf(() => createToken(store, { name: "two" }))).toBe("CREDENTIAL_STORE");
  await store.close();
  expect((await recordOf(await home.open(), secret))?.name).toBe("one");
});

test("processes that write while the key is moved repeatedly lose nothing", async () => {
  const home = tempHome();
  await (await home.open()).close();
  const writers = [1, 2].map(() => runFixture("write-while-migrated.ts", [home.root, "40"]));
  const moved = (async () => {
    for (let round = 0; round < 6; round += 1) {
      await migrateStore(home, { kind: "file", path: join(home.root, `${round}.key`) });
    }
  })();
  const secrets = (await Promise.all(writers)).flatMap((text): string[] => JSON.parse(text));
  await moved;
  const store = await home.open();
  expect(await store.list()).toHaveLength(80);
  const found = await Promise.all(secrets.map((secret) => recordOf(store, secret)));
  expect(found.filter((record) => record === undefined)).toEqual([]);
  expect(readdirSync(home.root).filter((name) => name.endsWith(".key"))).toEqual(["5.key"]);
});
