// Forgeries possible without the data key: every command refuses them, with a hint.
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished } from "vitest";

import { openStore } from "../../../src/credentials/sealed/open-store.ts";
import { inPairs, startCommand } from "./programs.ts";
import {
  ANCHOR,
  DATABASE,
  differences,
  type Files,
  filesOf,
  KEY,
  putFiles,
} from "./stored-state.ts";
import { promise } from "../../trust/promise.ts";
import { svcProgram } from "../../helpers/svc-program.ts";

interface Account {
  readonly root: string;
  readonly svc: (...words: readonly string[]) => ReturnType<typeof startCommand>["ended"];
}

/** Creates an account without a keychain; `store` and `keys` below its root lead to the directories of svc. */
async function account(): Promise<Account> {
  const root = mkdtempSync(join(tmpdir(), "svc-forged-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = {
    HOME: root,
    SERVICE_HOME: join(root, "data"),
    SERVICE_CONFIG_HOME: join(root, "config"),
    SERVICE_TOKEN: "",
    SERVICE_PASSPHRASE: "",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
  const svc: Account["svc"] = (...words) => startCommand([...svcProgram(), ...words], env).ended;
  const { end, errors } = await svc("auth", "token", "create", "--name", "one");
  expect(`${end} ${errors}`).toMatch(/^0 /);
  const keys = readdirSync(env.SERVICE_CONFIG_HOME).find((name) => name.startsWith("keys"));
  symlinkSync(join(root, "data/credentials"), join(root, "store"));
  symlinkSync(join(root, "config", keys ?? ""), join(root, "keys"));
  return { root, svc };
}

/** Swaps the values of a column between the two tokens; unique values take a detour over temporary ones. */
function swapped(column: string): string {
  return `
    CREATE TEMP TABLE old AS SELECT id, ${column} AS value FROM sealed WHERE kind = 'token';
    UPDATE sealed SET ${column} = randomblob(9) WHERE kind = 'token';
    UPDATE sealed SET ${column} = (SELECT value FROM old WHERE old.id <> sealed.id) WHERE kind = 'token';
  `;
}

const CHANGED = /changed by something other than svc/;
const FORGERIES: readonly (readonly [string, string, RegExp])[] = [
  ["two rows with their bodies swapped", swapped("body"), CHANGED],
  ["two rows with their blind indexes swapped", swapped("lookup"), CHANGED],
  [
    "a row copied under another id",
    "INSERT INTO sealed SELECT 'tok_0', kind, NULL, body FROM sealed WHERE kind = 'token' LIMIT 1",
    CHANGED,
  ],
  [
    "every row twice",
    `ALTER TABLE sealed RENAME TO old; CREATE TABLE sealed (id TEXT, kind TEXT, lookup BLOB, body BLOB);
     INSERT INTO sealed SELECT * FROM old; INSERT INTO sealed SELECT * FROM old; DROP TABLE old`,
    /holds a row twice|changed by something other than svc/,
  ],
  ["a row of another kind", "UPDATE sealed SET kind = 'key' WHERE kind = 'token'", CHANGED],
  ["a deleted row", "DELETE FROM sealed WHERE id = (SELECT min(id) FROM sealed)", CHANGED],
  ["a forged row", "INSERT INTO sealed VALUES ('tok_0', 'token', x'00', x'00')", CHANGED],
  ["a higher generation", "UPDATE header SET generation = generation + 1", CHANGED],
  ["a format of a later version", "UPDATE header SET format = 9", /another version of svc/],
  ["no tables", "DROP TABLE sealed; DROP TABLE header", /gone, but was here before/],
];

/** Returns a path with its content in another state. */
function swap(path: string, from: Files): [string, Buffer] {
  return [path, from.get(path) ?? Buffer.of()];
}

/** Returns file sets that do not belong together, or that lack a file. */
function replacements(
  now: Files,
  older: Files,
  foreign: Files,
): readonly (readonly [string, Files, RegExp])[] {
  const without = (path: string): Files => new Map([...now].filter(([name]) => name !== path));
  return [
    ["an older copy of the file", new Map([...now, swap(DATABASE, older)]), /older copy/],
    ["another store", new Map([...now, swap(DATABASE, foreign)]), /not the one of this/],
    [
      "another store and its anchor",
      new Map([...now, swap(DATABASE, foreign), swap(ANCHOR, foreign)]),
      /not the one of this/,
    ],
    ["the key of another store", new Map([...now, swap(KEY, foreign)]), /not the one of this/],
    ["the anchor of another store", new Map([...now, swap(ANCHOR, foreign)]), /anchor/],
    ["an emptied file", new Map(now).set(DATABASE, Buffer.of()), /gone, but was here before/],
    ["another file", new Map(now).set(DATABASE, Buffer.alloc(8192, "x")), /cannot be read/],
    ["no file", without(DATABASE), /gone, but was here before/],
    ["no anchor", without(ANCHOR), /older copy|anchor/],
    ["no key", without(KEY), /key file of the credential store no longer exists/],
  ];
}

/** Commands that open the store for reading; each is run for some of the stores. */
function othersFor(what: string): readonly (readonly string[])[] {
  if (what.startsWith("a")) return [["token", "list"]];
  return what.startsWith("no") ? [["keys", "list"]] : [];
}

promise(
  [40],
  "every command refuses a store that was forged, swapped, rolled back or removed",
  async () => {
    const [mine, other] = await Promise.all([account(), account()]);
    const older = filesOf(mine.root);
    expect((await mine.svc("auth", "token", "create", "--name", "two")).end).toBe(0);
    const now = filesOf(mine.root);

    const forged = FORGERIES.map(([what, statement, says]) => {
      putFiles(mine.root, now);
      const db = new DatabaseSync(join(mine.root, DATABASE));
      db.exec(statement);
      db.close();
      return [what, filesOf(mine.root), says] as const;
    });

    for (const [what, files, says] of [
      ...forged,
      ...replacements(now, older, filesOf(other.root)),
    ]) {
      putFiles(mine.root, files);
      /* oxlint-disable no-await-in-loop -- one store after another in one place */
      await inPairs([["token", "create", "--name", "three"], ...othersFor(what)], async (words) => {
        const { end, output, errors } = await mine.svc("auth", ...words);
        expect.soft([what, words, end, output]).toEqual([what, words, 2, ""]);
        expect.soft([what, errors]).toEqual([what, expect.stringMatching(says)]);
        // The error, then the hint.
        expect
          .soft(errors)
          .toMatch(/^svc: .+\.\n(?:It was left as it is\. Restore|Put|Use) .+\.\n$/);
      });
      /* oxlint-enable no-await-in-loop */
      expect.soft([what, differences(files, filesOf(mine.root))]).toEqual([what, []]);
    }

    putFiles(mine.root, now);
    const store = await openStore({
      directory: join(mine.root, "data/credentials"),
      keyDirectory: join(mine.root, "config", readdirSync(join(mine.root, "config"))[0] ?? ""),
    });
    onTestFinished(() => store?.close());
    expect(await store?.list()).toHaveLength(2);
    return FORGERIES.length;
  },
  120_000,
);
