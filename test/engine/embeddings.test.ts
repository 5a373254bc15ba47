import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { readAsset } from "../../src/base/assets.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";

/**
 * Id of each table -> its SHA-256. Indexes use only the id to decide whether their vectors are comparable with a
 * query's: a changed table gets a new id and a new line here, and existing lines never change.
 */
const TABLES: Readonly<Record<string, string>> = {
  "svc-embed-v1": "a64f4f32c16b4f0d572c6029d0e12c1a44a6a3795cf67236bc73e275525316cb",
};

test("the bundled table matches its id", () => {
  const table = createHash("sha256").update(readAsset("embedding-table")).digest("hex");
  expect({ [packedEmbeddings.id]: table }).toEqual({
    [packedEmbeddings.id]: TABLES[packedEmbeddings.id],
  });
});

test("no table has two ids, which would cause needless re-embedding", () => {
  const tables = Object.values(TABLES);
  expect(new Set(tables).size).toBe(tables.length);
});

test("a thread reads the table once, for indexing and for queries", () => {
  const table = packedEmbeddings.load();
  expect(packedEmbeddings.load()).toBe(table);
  expect(table).toMatchObject({ dimensions: 256 });
  expect(table.rowsOf("revokeToken").length).toBeGreaterThan(1);
});
