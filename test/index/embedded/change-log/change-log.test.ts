import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { Catalog } from "../../../../src/index/embedded/catalog/catalog.ts";
import { changeLogReader } from "../../../../src/index/embedded/change-log/change-log-reader.ts";
import { changeLogContract } from "../../../contract/change-log.ts";
import { CHANGE_LOG_TABLES } from "../../../../src/index/embedded/change-log/change-log-schema.ts";
import { tree } from "../../../helpers/tree.ts";

const ALL = { sources: new Map([[1, ""]]), completeSources: new Set([1]), match: () => [] };

changeLogContract(() => {
  const catalog = opened();
  const fingerprints: Uint8Array[] = [];
  catalog.changeLog.readFrom((_segment, ordinal) => fingerprints[ordinal]);
  return {
    write: (change) => catalog.change(() => change(catalog.changeLog)),
    reader: changeLogReader(catalog),
    // In the same way as SegmentPublisher.
    replacing: ({ path, source, hash }, version, record) => {
      catalog.changeLog.keepBaseline(path, version === undefined ? undefined : String(hash));
      if (hash === null) catalog.files.remove(path);
      record();
      if (hash === null) return;
      const ordinal = version === undefined ? null : fingerprints.push(version.fingerprints) - 1;
      const segment = ordinal === null ? null : 1;
      catalog.files.put({ ...FILE, path, source, hash, segment, ordinal });
    },
  };
});

const FILE = {
  size: 1,
  mtimeMs: 1,
  inode: 1,
  indexedMs: 1,
  language: "",
  role: "code",
  flags: 0,
  stage: "complete",
  chunks: 0,
  symbols: 0,
  skipped: null,
} as const;

function opened(): Catalog {
  const { path, dispose } = tree();
  const catalog = Catalog.openToWrite(join(path, "catalog.db"));
  onTestFinished(() => {
    catalog.close();
    dispose();
  });
  return catalog;
}

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
