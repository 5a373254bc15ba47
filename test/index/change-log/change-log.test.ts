import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Catalog } from "../../../src/index/catalog/catalog.ts";
import { statementsOf, type SqlStatements } from "../../../src/index/catalog/catalog-connection.ts";
import { ChangeLog } from "../../../src/index/change-log/change-log.ts";
import type { FileVersion } from "../../../src/index/change-log/change-event.ts";
import {
  CHANGE_LOG_SCHEMA,
  CHANGE_LOG_TABLES,
} from "../../../src/index/change-log/change-log-schema.ts";
import {
  NO_FINGERPRINTS,
  writeFingerprints,
} from "../../../src/index/change-log/fingerprint-block.ts";
import { tree } from "../../helpers/tree.ts";

const VERSION: FileVersion = {
  fingerprints: writeFingerprints(NO_FINGERPRINTS),
  lineHashes: undefined,
  watched: undefined,
  found: undefined,
};
const ALL = { sources: new Map([[1, ""]]), completeSources: new Set([1]), match: () => [] };

function newLog(maxChanges: number): { log: ChangeLog; sql: SqlStatements } {
  const db = new DatabaseSync(":memory:");
  onTestFinished(() => db.close());
  db.exec(CHANGE_LOG_SCHEMA);
  const sql = statementsOf(db);
  const log = new ChangeLog(sql, maxChanges);
  log.begin();
  log.flushPending(1, ALL);
  return { log, sql };
}

test("the oldest changes are deleted, and the state has the last deleted one", () => {
  const { log: one } = newLog(10);
  for (let at = 0; at < 25; at += 1) {
    one.recordVersion(`f${at}`, { source: 1, hash: `${at}` }, VERSION);
    one.flushPending(at + 2, ALL);
  }
  const { last, forgotten } = one.state();
  expect([last, forgotten]).toEqual([26, 16]);
  expect(one.after(0, 100, []).map(({ seq }) => seq)).toEqual([
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
  ]);
  expect(one.seqAtGeneration(3)).toBe(16);
});

test("changes older than 90 days are deleted with the next change", () => {
  const { log: one, sql } = newLog(1000);
  sql.run("UPDATE change SET at_ms = ?", Date.now() - 91 * 24 * 3600 * 1000);
  one.recordVersion("a", { source: 1, hash: "1" }, VERSION);
  one.flushPending(2, ALL);
  expect(one.after(0, 100, []).map(({ path }) => path)).toEqual(["a"]);
  expect(one.state().sinceMs).toBeGreaterThan(0);
});

test("removing a source is one change, and adding it again is one", () => {
  const { log: one } = newLog(1000);
  for (const path of ["a", "b"]) one.recordVersion(path, { source: 1, hash: path }, VERSION);
  one.flushPending(2, ALL);
  for (const path of ["a", "b"]) one.recordRemoval(path);
  one.flushPending(3, { ...ALL, sources: new Map(), completeSources: new Set() });
  one.recordVersion("a", { source: 1, hash: "a" }, VERSION);
  one.flushPending(4, ALL);
  expect(one.after(3, 100, []).map(({ kind, detail }) => [kind, detail.files])).toEqual([
    ["unindexed", 2],
    ["indexed", 1],
  ]);
});

test("moved files with equal content are paired by name, then by order; edited ones by their symbols", () => {
  const { log: one } = newLog(1000);
  const symbols = (...names: readonly string[]): FileVersion => ({
    ...VERSION,
    fingerprints: writeFingerprints({
      outside: 0,
      symbols: names.map((qualifiedName, body) => ({
        qualifiedName,
        kind: "function",
        signature: 1,
        body,
      })),
    }),
  });
  one.recordVersion("old/a.ts", { source: 1, hash: "same" }, VERSION);
  one.recordVersion("old/b.ts", { source: 1, hash: "same" }, VERSION);
  one.recordVersion("old/c.ts", { source: 1, hash: "c1" }, symbols("x", "y"));
  one.flushPending(2, ALL);
  for (const name of ["a", "b", "c"]) one.recordRemoval(`old/${name}.ts`);
  one.recordVersion("new/b.ts", { source: 1, hash: "same" }, VERSION);
  one.recordVersion("new/z.ts", { source: 1, hash: "same" }, VERSION);
  one.recordVersion("new/c.ts", { source: 1, hash: "c2" }, symbols("x", "z"));
  one.flushPending(3, ALL);
  expect(one.after(4, 100, []).map(({ kind, path, oldPath }) => [kind, path, oldPath])).toEqual([
    ["renamed", "new/b.ts", "old/b.ts"],
    ["renamed", "new/c.ts", "old/c.ts"],
    ["renamed", "new/z.ts", "old/a.ts"],
  ]);
});

test("the change log survives an index of another version, and generations continue", () => {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const file = join(path, "catalog.db");
  const first = Catalog.openToWrite(file);
  for (let at = 0; at < 3; at += 1) first.publish(() => {}, ALL);
  const { id } = first.changeLog.state();
  first.close();
  const db = new DatabaseSync(file);
  db.exec("PRAGMA user_version = 1001");
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining([...CHANGE_LOG_TABLES]));
  db.close();
  const second = Catalog.openToWrite(file);
  onTestFinished(() => second.close());
  expect(second.generation()).toBe(0);
  expect(second.changeLog.state().id).toBe(id);
  expect(second.changeLog.after(0, 10, [])).toHaveLength(1);
  expect(second.publish(() => {})).toBe(4);
});
