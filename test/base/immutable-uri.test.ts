import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { fileSignature, immutableUri, readOnlyAddresses } from "../../src/base/immutable-uri.ts";
import { tree } from "../helpers/tree.ts";

/** A database in WAL mode with one row; `close` empties its WAL. */
function database(): { folder: string; path: string; db: DatabaseSync } {
  const { path: folder, dispose } = tree();
  const path = join(folder, "a b%.db");
  const db = new DatabaseSync(path);
  onTestFinished(() => {
    if (db.isOpen) db.close();
    dispose();
  });
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (7)");
  return { folder, path, db };
}

function rowOf(address: string | URL): unknown {
  const reader = new DatabaseSync(address, { readOnly: true });
  try {
    return { ...reader.prepare("SELECT n FROM t").get() };
  } finally {
    reader.close();
  }
}

test("a closed database is read without a trace next to it", () => {
  const { folder, path, db } = database();
  db.close();
  expect(readdirSync(folder)).toEqual(["a b%.db"]);
  const address = immutableUri(path);
  expect(address).toBeInstanceOf(URL);
  expect(rowOf(address)).toEqual({ n: 7 });
  expect(readdirSync(folder)).toEqual(["a b%.db"]);
});

test("rows that are only in the WAL are read from there", () => {
  const { path } = database();
  expect(immutableUri(path)).toBe(path);
  expect(rowOf(immutableUri(path))).toEqual({ n: 7 });
});

test("an unwritable place has addresses without locks only if its WAL is empty", () => {
  const { path, db } = database();
  const immutable = () => readOnlyAddresses(path).filter(({ isImmutable }) => isImmutable);
  expect([readOnlyAddresses(path).length, immutable().length]).toEqual([2, 0]);
  expect(readOnlyAddresses(path).map(({ address }) => rowOf(address))).toEqual([
    { n: 7 },
    { n: 7 },
  ]);
  db.close();
  expect([readOnlyAddresses(path).length, immutable().length]).toEqual([3, 1]);
  expect(immutable().map(({ address }) => rowOf(address))).toEqual([{ n: 7 }]);
});

test("the signature changes with the file or its WAL, and exists without either", () => {
  const { path, db } = database();
  const before = fileSignature(path);
  expect(fileSignature(path)).toBe(before);
  db.exec("INSERT INTO t VALUES (8)");
  const after = fileSignature(path);
  expect(after).not.toBe(before);
  db.close();
  expect(fileSignature(path)).not.toBe(after);
  expect(fileSignature(`${path}-none`)).toBe(", ");
  writeFileSync(`${path}-none`, "");
  expect(fileSignature(`${path}-none`)).not.toBe(", ");
});
