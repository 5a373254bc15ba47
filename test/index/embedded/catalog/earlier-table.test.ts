import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { statementsOf } from "../../../../src/index/embedded/catalog/catalog-connection.ts";
import { EARLIER_SCHEMA } from "../../../../src/index/embedded/catalog/catalog-schema.ts";
import { EarlierTable } from "../../../../src/index/embedded/catalog/earlier-table.ts";

const CONTENT = {
  path: "src/a.ts",
  hash: "00112233445566778899aabbccddeeff",
  size: 12,
  language: "typescript",
  role: "tests",
  flags: 2,
  chunks: 3,
  symbols: 4,
  segment: "lq3k-0a1b2c3d",
  ordinal: 5,
  generation: 6,
} as const;

function created() {
  const db = new DatabaseSync(":memory:");
  const table = new EarlierTable(statementsOf(db));
  return { db, table };
}

test("contents are read as they were written, moved and removed", () => {
  const { db, table } = created();
  expect(table.isSound()).toBe(true);
  db.exec(EARLIER_SCHEMA);
  const other = { ...CONTENT, hash: "ff", generation: 7, segment: "second" };
  table.put(CONTENT);
  table.put(other);
  expect(table.of("src/a.ts")).toEqual([CONTENT, other]);
  expect(table.of("src/b.ts")).toEqual([]);
  expect(table.places().map(({ hash }) => hash)).toEqual(["ff", CONTENT.hash]);
  expect(table.segments()).toEqual(new Set(["second", "lq3k-0a1b2c3d"]));
  table.move({ ...CONTENT, segment: "third", ordinal: 0 });
  expect(table.of("src/a.ts")).toEqual([{ ...CONTENT, segment: "third", ordinal: 0 }, other]);
  expect(table.isSound()).toBe(true);
  table.remove("src/a.ts", "ff");
  expect(table.places()).toHaveLength(1);
  table.clear();
  expect(table.places()).toEqual([]);
});

test.each(["size", "segment", "ordinal", "generation"])(
  "a row with another value of %s is damage",
  (column) => {
    const { db, table } = created();
    db.exec(EARLIER_SCHEMA);
    table.put(CONTENT);
    db.exec(`UPDATE earlier SET ${column} = 99`);
    expect(() => [table.of("src/a.ts"), table.places()]).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
    );
    expect(() => table.isSound()).toThrow(expect.objectContaining({ code: "INDEX_UNAVAILABLE" }));
  },
);
