import { expect, test } from "vitest";

import { NameTableBlocks } from "../../../src/index/names/name-table-blocks.ts";
import { NameTableWriter } from "../../../src/index/names/name-table-writer.ts";

/** A table of some names, each with a symbol, a term and an owner. */
function blocksOf(count: number): NameTableBlocks {
  const writer = new NameTableWriter();
  const texts = Array.from({ length: count }, (_, at) => `n${String(at).padStart(5, "0")}`);
  for (const [at, text] of texts.entries()) writer.addName(text, Uint32Array.of(at));
  for (const [at, text] of texts.entries()) writer.addTerm(text, Uint32Array.of(at));
  for (const at of texts.keys()) writer.addSymbol(at, 1);
  for (const text of texts) writer.addOwner(text);
  const bytes = writer.finish();
  return new NameTableBlocks({
    length: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  });
}

test("each kind has as many blocks as it needs, and the last has the rest", () => {
  const blocks = blocksOf(300);
  expect(blocks.counts).toEqual({ names: 300, terms: 300, symbols: 300, owners: 300 });
  const kinds = ["names", "terms", "symbols", "owners"] as const;
  expect(kinds.map((kind) => blocks.countOf(kind))).toEqual([5, 10, 2, 5]);
  expect(blocks.texts("names", 4).count).toBe(44);
  expect(blocks.lists("symbols", 1).count).toBe(44);
  expect(Buffer.from(blocks.texts("owners", 0).bytes).toString("latin1", 2, 8)).toBe("n00000");
  expect(Buffer.from(blocks.texts("terms", 9).bytes).toString("latin1", 2, 8)).toBe("n00288");
  expect(() => blocks.lists("terms", 10)).toThrow("The names section of the index is damaged.");
});

test("the block of a term is the last one that begins with it or before it", () => {
  const blocks = blocksOf(300);
  const terms = ["", "n00000", "n00031", "n00032", "n00100x", "o"];
  expect(terms.map((term) => blocks.blockOfTerm(term))).toEqual([0, 0, 0, 1, 3, 9]);
  expect(blocksOf(0).blockOfTerm("n")).toBe(0);
});
