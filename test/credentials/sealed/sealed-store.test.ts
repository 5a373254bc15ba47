import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { recordOf } from "../../../src/credentials/find-credential.ts";
import { openStore } from "../../../src/credentials/sealed/open-store.ts";
import { createToken, saveDefaultToken } from "../../../src/credentials/access-tokens.ts";
import { codeOf, type Home, memoryKeychain, runFixture, tempHome } from "../home.ts";

/** Opens and reads the store of this home; returns its names in order, or an error code. */
async function call(home: Home): Promise<string> {
  let names = "";
  const code = await codeOf(async () => {
    const store = await openStore(home);
    try {
      const records = (await store?.list()) ?? [];
      names = records.map(({ name, revokedAt }) => name + (revokedAt ? "!" : "")).join(" ");
    } finally {
      await store?.close();
    }
  });
  return code === "ok" ? names : code;
}

/** Creates a closed store with the tokens `one` and `two`. */
async function twoTokens(): Promise<Home & { readonly secrets: readonly string[] }> {
  const home = tempHome();
  const store = await home.open();
  const one = await createToken(store, { name: "one" });
  const two = await createToken(store, { name: "two" });
  await saveDefaultToken(store, store.defaultToken, one.secret);
  await store.close();
  return { ...home, secrets: [one.secret, two.secret] };
}

function sql(home: Home, statement: string): void {
  const db = new DatabaseSync(home.database);
  db.exec(statement);
  db.close();
}

test("there is no store before one is created, and asking for it creates nothing", async () => {
  const home = tempHome();
  expect(await openStore(home)).toBeUndefined();
  expect(readdirSync(home.root)).toEqual([]);
});

test("a reopened store contains what was written", async () => {
  const home = await twoTokens();
  expect((await call(home)).split(" ").toSorted()).toEqual(["one", "two"]);
});

test("processes that create and write one store at the same moment lose nothing", async () => {
  const home = tempHome();
  const runs = await Promise.all(
    [1, 2, 3].map(() => runFixture("create-tokens.ts", [home.root, "10"])),
  );
  const made: { secret: string; isRevoked: boolean }[] = runs.flatMap((text) => JSON.parse(text));
  const store = await home.open();
  expect(await store.list()).toHaveLength(30);
  for (const { secret, isRevoked } of made) {
    expect((await recordOf(store, secret))?.revokedAt !== undefined).toBe(isRevoked);
  }
});

test("of two concurrent creations one key is kept, and both open the same store", async () => {
  const home = tempHome();
  const keychain = memoryKeychain();
  const [one, two] = await Promise.all([home.open({ keychain }), home.open({ keychain })]);
  const { secret } = await createToken(one, { name: "one" });
  expect((await recordOf(two, secret))?.name).toBe("one");
  expect(keychain.secrets.size).toBe(1);
});

test("a process that dies while writing loses only the write in progress", async () => {
  const home = tempHome();
  const store = await home.open();
  const { secret } = await createToken(store, { name: "mine" });
  const outcome = await runFixture("die-while-writing.ts", [home.root]).catch(() => "died");
  expect(outcome).toBe("died");
  await createToken(store, { name: "after" });
  expect((await recordOf(store, secret))?.name).toBe("mine");
  expect((await store.list()).map(({ name }) => name).toSorted()).toEqual([
    "after",
    "kept",
    "mine",
  ]);
});

test("no byte of the files shows a secret, its SHA-256 or a name", async () => {
  const home = tempHome();
  const store = await home.open();
  const { record, secret } = await createToken(store, { name: "a-name-to-look-for" });
  await saveDefaultToken(store, store.defaultToken, secret);
  const files = [home.directory, home.keyDirectory].flatMap((directory) =>
    readdirSync(directory).map((name) => readFileSync(`${directory}/${name}`)),
  );
  expect(files.length).toBeGreaterThanOrEqual(4); // database, its log and shared memory, key, anchor
  const everything = Buffer.concat(files);
  const { digest } = record;
  for (const shown of [secret, secret.slice(4, 36), "a-name-to-look-for", digest, "namespaces"]) {
    expect(everything.includes(shown)).toBe(false);
  }
  expect(everything.includes(Buffer.from(digest, "hex"))).toBe(false);
});

test("every flipped byte of a sealed row is refused", async () => {
  const home = await twoTokens();
  const good = readFileSync(home.database);
  const db = new DatabaseSync(home.database, { readOnly: true });
  const rows = db.prepare("SELECT lookup, body FROM sealed").all();
  db.close();
  writeFileSync(home.database, good);
  for (const value of rows.flatMap(({ lookup, body }) => [lookup, body])) {
    if (!(value instanceof Uint8Array)) continue;
    const start = good.indexOf(value);
    expect(start).toBeGreaterThan(0);
    for (let at = start; at < start + value.length; at += 7) {
      expect(await call(withByteFlipped(home, good, at))).toBe("CREDENTIAL_STORE");
    }
  }
});

test("a flipped byte anywhere in the file is refused or changes nothing", async () => {
  const home = await twoTokens();
  const good = readFileSync(home.database);
  const names = await call(home);
  for (let at = 0; at < good.length; at += 61) {
    expect(["CREDENTIAL_STORE", names]).toContain(await call(withByteFlipped(home, good, at)));
  }
});

function withByteFlipped(home: Home, good: Buffer, at: number): Home {
  const bytes = Buffer.from(good);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
  for (const suffix of ["-wal", "-shm"]) rmSync(home.database + suffix, { force: true });
  writeFileSync(home.database, bytes);
  return home;
}

test.each([
  ["a deleted row", "DELETE FROM sealed WHERE id = (SELECT min(id) FROM sealed)"],
  ["all rows deleted", "DELETE FROM sealed"],
  ["two rows with their bodies swapped", swapped("body")],
  ["two rows with their blind indexes swapped", swapped("lookup")],
  [
    "a row copied under another id",
    "INSERT INTO sealed SELECT 'tok_0', kind, NULL, body FROM sealed LIMIT 1",
  ],
  [
    "every row twice",
    `ALTER TABLE sealed RENAME TO old;
     CREATE TABLE sealed (id TEXT, kind TEXT, lookup BLOB, body BLOB);
     INSERT INTO sealed SELECT * FROM old UNION ALL SELECT * FROM old;
     DROP TABLE old`,
  ],
  ["a row of another kind", "UPDATE sealed SET kind = 'key' WHERE kind = 'token'"],
  ["a forged row", "INSERT INTO sealed VALUES ('tok_0', 'token', x'00', x'00')"],
  ["a higher generation", "UPDATE header SET generation = generation + 1"],
  ["a number too large to read", "UPDATE header SET generation = 9223372036854775807"],
  ["another format", "UPDATE header SET format = 2"],
  ["another data key provider", `UPDATE header SET keySource = '{"kind":"file","x":1}'`],
  ["a provider that does not exist", `UPDATE header SET keySource = '{"kind":"none"}'`],
  ["a header that is not JSON", "UPDATE header SET keySource = '{'"],
  ["no header", "DELETE FROM header"],
  ["no tables", "DROP TABLE sealed; DROP TABLE header"],
])("%s is refused", async (_what, statement) => {
  const home = await twoTokens();
  sql(home, statement);
  const before = readFileSync(home.database);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
  expect(await codeOf(() => home.open())).toBe("CREDENTIAL_STORE");
  expect(readFileSync(home.database).equals(before)).toBe(true);
});

/** Swaps a column of the two tokens; blind indexes are unique, so they take a detour over other values. */
function swapped(column: string): string {
  return `
    CREATE TEMP TABLE old AS SELECT id, ${column} AS value FROM sealed WHERE kind = 'token';
    UPDATE sealed SET ${column} = randomblob(9) WHERE kind = 'token';
    UPDATE sealed SET ${column} = (SELECT value FROM old WHERE old.id <> sealed.id) WHERE kind = 'token';
  `;
}

test("an older copy of the file is refused, so that the revocation it lacks stays in force", async () => {
  const home = await twoTokens();
  const store = await home.open();
  copyFileSync(home.database, `${home.root}/old.db`);
  await store.write(({ records, put }) => {
    for (const record of records.values()) put({ ...record, revokedAt: 1 });
  });
  await store.close();
  expect((await call(home)).split(" ").toSorted()).toEqual(["one!", "two!"]);
  copyFileSync(`${home.root}/old.db`, home.database);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
});

test("a store whose file is gone, or emptied, is not silently recreated", async () => {
  const home = await twoTokens();
  const good = readFileSync(home.database);
  rmSync(home.database);
  expect([await call(home), await codeOf(() => home.open())]).toEqual([
    "CREDENTIAL_STORE",
    "CREDENTIAL_STORE",
  ]);
  writeFileSync(home.database, "", { mode: 0o600 });
  expect([await call(home), await codeOf(() => home.open())]).toEqual([
    "CREDENTIAL_STORE",
    "CREDENTIAL_STORE",
  ]);
  expect(readFileSync(home.database)).toHaveLength(0);
  writeFileSync(home.database, good);
  expect((await call(home)).split(" ").toSorted()).toEqual(["one", "two"]);
});

test("a lost, altered or lowered anchor is refused", async () => {
  const home = await twoTokens();
  const good = readFileSync(home.anchor, "utf8");
  for (const bad of ["", "0\n", good.replace(/^\d+/, "1"), good.replace(/.\n$/, "\n")]) {
    writeFileSync(home.anchor, bad);
    expect(await call(home)).toBe("CREDENTIAL_STORE");
  }
  rmSync(home.anchor);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
});

test("a crash between a commit and its anchor loses nothing", async () => {
  const home = tempHome();
  const store = await home.open();
  const before = readFileSync(home.anchor, "utf8");
  await createToken(store, { name: "one" });
  await store.close();
  const after = readFileSync(home.anchor, "utf8");
  writeFileSync(home.anchor, before);
  expect(await call(home)).toBe("one");
  expect(readFileSync(home.anchor, "utf8")).toBe(after);
});

test("a crash right after the creation, before the anchor, loses nothing", async () => {
  const home = tempHome();
  await (await home.open()).close();
  rmSync(home.anchor);
  const store = await home.open();
  await createToken(store, { name: "one" });
  await store.close();
  expect(await call(home)).toBe("one");
});

test.each([
  ["a deleted row", "DELETE FROM sealed WHERE kind = 'token'"],
  ["an altered row", "UPDATE sealed SET body = randomblob(60) WHERE kind = 'token'"],
  ["an altered generation", "UPDATE header SET generation = generation + 1"],
  ["an altered format", "UPDATE header SET format = 2"],
  ["an altered key source", `UPDATE header SET keySource = '{"kind":"file","x":1}'`],
  ["an altered MAC", "UPDATE header SET mac = randomblob(32)"],
])("%s under an open store is not accepted by its next write", async (_what, statement) => {
  const home = tempHome();
  const store = await home.open();
  const { record } = await createToken(store, { name: "one" });
  sql(home, statement);
  expect(await codeOf(() => store.list())).toBe("CREDENTIAL_STORE");
  expect(await codeOf(() => store.write(({ put }) => put(record)))).toBe("CREDENTIAL_STORE");
  expect(await codeOf(() => store.list())).toBe("CREDENTIAL_STORE");
});

test("a file replaced under an open store is refused until svc is restarted", async () => {
  const home = await twoTokens();
  const store = await home.open();
  copyFileSync(home.database, `${home.root}/copy.db`);
  renameSync(`${home.root}/copy.db`, home.database);
  expect(await codeOf(() => store.list())).toBe("CREDENTIAL_STORE");
  rmSync(home.database);
  expect(await codeOf(() => store.list())).toBe("CREDENTIAL_STORE");
});

test("a file that is not a database is refused and kept", async () => {
  const home = await twoTokens();
  writeFileSync(home.database, "not a database".repeat(100));
  expect(await call(home)).toBe("CREDENTIAL_STORE");
  expect(readFileSync(home.database, "utf8")).toMatch(/^not a database/);
});
