import { expect, test } from "vitest";

import * as chunking from "../../../src/chunk/chunk.ts";
import { indexEntry, type IndexEntry } from "../../../src/engine/indexing/index-entry.ts";
import { piecesOf, plantedSecrets } from "../../trust/planted-secrets.ts";

function entryOf(text: string): IndexEntry {
  const bytes = Buffer.from(text);
  const times = { size: bytes.length, mtimeMs: 1, inode: 1, indexedMs: 1 };
  const file = { source: 1, path: "a.txt", pathInSource: "a.txt", hash: "0", generated: false };
  return indexEntry({ ...file, text, bytes, times }, chunking, undefined);
}

test("the words of a file do not contain its secrets, and keep their lines", () => {
  const secrets = plantedSecrets(200, 5);
  const text = secrets.map(({ line }) => line).join("\n");
  const { bytes, maskedBytes } = entryOf(text).content;
  const masked = maskedBytes?.toString() ?? "";
  expect(bytes.toString()).toBe(text);
  expect(masked.split("\n").length).toBe(text.split("\n").length);
  expect(secrets.flatMap(piecesOf).filter((piece) => masked.includes(piece))).toEqual([]);
});

test("a file without secrets is read once", () => {
  expect(entryOf("just words\n").content.maskedBytes).toBeUndefined();
});
