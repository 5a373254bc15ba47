import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { EmbeddingSource } from "../../src/embed/embedding-source.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import type { QueryVector } from "../../src/index/scoring/vector-scores.ts";
import { QueryEmbedder } from "../../src/search/query-embedder.ts";
import { svceBytes } from "../embed/helpers.ts";

const NAMES = 20_000;

/**
 * A table in which "north" and "east" are orthogonal, and "south" is the opposite of "north": each word with its
 * only component. The scale of a row is 0.01 times its number.
 */
const COMPASS: readonly (readonly [string, number, number])[] = [
  ["north", 0, 14],
  ["east", 1, 7],
  ["south", 0, -7],
];

function compass(): { readonly source: EmbeddingSource; readonly loads: () => number } {
  let loads = 0;
  const table = readEmbeddingTable(
    svceBytes({
      words: COMPASS.map(([word]) => word),
      dimensions: 16,
      bits: 8,
      value: (row, at) => (COMPASS[row]?.[1] === at ? (COMPASS[row]?.[2] ?? 0) : 0),
      // Word pieces get no weight, so that other words have no row.
      logProbability: () => -30,
    }),
  );
  const source = {
    id: "compass",
    load: () => {
      loads += 1;
      return table;
    },
  };
  return { source, loads: () => loads };
}

function vectorOf(embedder: QueryEmbedder, text: string): QueryVector {
  const vector = embedder.embed(text);
  if (vector === undefined) throw new Error(`no vector of ${text}`);
  return vector;
}

test("the table is not loaded before the first query", () => {
  const { source, loads } = compass();
  const embedder = new QueryEmbedder(source);
  expect(loads()).toBe(0);
  expect(vectorOf(embedder, "north").embedder).toBe("compass");
  expect(loads()).toBeGreaterThan(0);
});

test.each(["", "???", "1", "日本語"])("a query without known words has no vector: %j", (text) => {
  expect(new QueryEmbedder(compass().source).embed(text)).toBeUndefined();
});

test("a name is as similar as its words are", () => {
  const embedder = new QueryEmbedder(compass().source);
  const north = vectorOf(embedder, "where is north?");
  expect(embedder.nameSimilarity("north", north)).toBeCloseTo(1, 6);
  expect(embedder.nameSimilarity("east", north)).toBeCloseTo(0, 6);
  expect(embedder.nameSimilarity("south", north)).toBeCloseTo(-1, 6);
  expect(embedder.nameSimilarity("northEast", north)).toBeCloseTo(Math.SQRT1_2, 2);
});

test.each(["", "???", "日本語"])("a name without known words has similarity 0: %j", (name) => {
  const embedder = new QueryEmbedder(compass().source);
  expect(embedder.nameSimilarity(name, vectorOf(embedder, "north"))).toBe(0);
});

test("a name cached for one query has the right similarity to another", () => {
  const embedder = new QueryEmbedder(compass().source);
  const [north, east] = [vectorOf(embedder, "north"), vectorOf(embedder, "east")];
  for (const round of [1, 2]) {
    expect(embedder.nameSimilarity("north", north), `round ${round}`).toBeCloseTo(1, 6);
    expect(embedder.nameSimilarity("north", east), `round ${round}`).toBeCloseTo(0, 6);
  }
});

test("more names than the cache holds are compared correctly", () => {
  const embedder = new QueryEmbedder(compass().source);
  const north = vectorOf(embedder, "north");
  const before = embedder.nameSimilarity("north", north);
  for (let at = 0; at < NAMES; at += 1) embedder.nameSimilarity(`east ${at + 10}`, north);
  expect(embedder.nameSimilarity("north", north)).toBe(before);
});

const packed = new QueryEmbedder(packedEmbeddings);

test.each([
  ["how is a file deleted", "removeFile", "renderPage"],
  ["limit the number of requests", "RateLimiter", "parseHeader"],
  ["where are passwords checked", "verify_credentials", "draw_circle"],
])("in the built-in table %j is more similar to %s than to %s", (question, near, far) => {
  const vector = vectorOf(packed, question);
  expect(packed.nameSimilarity(near, vector)).toBeGreaterThan(packed.nameSimilarity(far, vector));
});

test("the similarity of any words is a cosine, and deterministic", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(text, text, (question, name) => {
      const vector = packed.embed(question);
      if (vector === undefined) return;
      const near = packed.nameSimilarity(name, vector);
      expect(Math.abs(near)).toBeLessThanOrEqual(1 + 1e-9);
      expect(new QueryEmbedder(packedEmbeddings).nameSimilarity(name, vector)).toBe(near);
    }),
    { numRuns: 50 },
  );
});

test("the order of the words of a query does not matter", () => {
  const [one, other] = ["parse the http header", "header http the parse"].map((text) =>
    vectorOf(packed, text),
  );
  expect(one).toEqual(other);
});
