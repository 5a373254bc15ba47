import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { readAsset } from "../../src/base/assets.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";

/**
 * Which table each id has stood for, SHA-256. Indexes tell by the id alone whether their vectors can be
 * compared with a question's: a changed table gets a new id and a line here, and no line changes.
 */
const TABLES: Readonly<Record<string, string>> = {
  "svc-embed-v1": "a64f4f32c16b4f0d572c6029d0e12c1a44a6a3795cf67236bc73e275525316cb",
};

test("the table in the program is the one that its id stands for", () => {
  const table = createHash("sha256").update(readAsset("embedding-table")).digest("hex");
  expect({ [packedEmbeddings.id]: table }).toEqual({
    [packedEmbeddings.id]: TABLES[packedEmbeddings.id],
  });
});

test("no table has two ids: nothing would be embedded anew in vain", () => {
  const tables = Object.values(TABLES);
  expect(new Set(tables).size).toBe(tables.length);
});

test("the table is read once in a thread, and lies there for indexing and for questions", () => {
  const table = packedEmbeddings.load();
  expect(packedEmbeddings.load()).toBe(table);
  expect(table).toMatchObject({ dimensions: 256 });
  expect(table.rowsOf("revokeToken").length).toBeGreaterThan(1);
});
