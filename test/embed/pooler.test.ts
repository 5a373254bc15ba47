import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { readAsset } from "../../src/base/assets.ts";
import { scanWords } from "../../src/parse/tokenizer.ts";
import type { EmbeddingTable } from "../../src/embed/embedding-table.ts";
import { Pooler } from "../../src/embed/pooler.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import {
  cosineFactor,
  quantizeQuery,
  vectorBytes,
  quantizeStored,
} from "../../src/embed/quantize.ts";
import { component, components, svceBytes } from "./helpers.ts";

const WORDS = Array.from({ length: 50 }, (_, at) => `word${at}`);
/** Rows that differ in every component. */
const SMALL = readEmbeddingTable(
  svceBytes({
    words: WORDS,
    dimensions: 64,
    bits: 4,
    value: (row, at) => ((row * 31 + at * 17) ** 2 % 15) - 7,
  }),
);

interface Text {
  readonly rows: readonly number[];
  readonly pathRows: readonly number[];
}

/** Returns the components of the stored vector. */
function call(
  pooler: Pooler,
  { rows, pathRows }: Text,
  table: EmbeddingTable = SMALL,
): readonly number[] {
  const vector = new Uint8Array(vectorBytes(table.dimensions));
  for (const row of rows) pooler.count(row);
  pooler.finish(pathRows, vector, 0);
  return components(vector, table.dimensions);
}

/** Returns the pooled vector by definition: in double precision, normalized to length 1. */
function expected({ rows, pathRows }: Text, table: EmbeddingTable = SMALL): readonly number[] {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  const weights = [...counts].map(([row, count]) => [row, 1 + Math.log(count)] as const);
  const sums = Array.from({ length: table.dimensions }, (_, at) =>
    [...weights, ...pathRows.map((row) => [row, 2] as const)].reduce(
      (sum, [row, weight]) => sum + weight * component(table, row, at),
      0,
    ),
  );
  const length = Math.hypot(...sums);
  return sums.map((value) => (length > 0 ? value / length : 0));
}

const row = fc.nat(WORDS.length - 1);
const texts = fc.record({
  rows: fc.array(row, { maxLength: 60 }),
  pathRows: fc.array(row, { maxLength: 5 }),
});

/** Returns the largest difference between `numbers` and `vector` times `scale`, clipped to ±`largest`. */
function distance(
  numbers: ArrayLike<number>,
  vector: readonly number[],
  { scale, largest }: { scale: number; largest: number },
): number {
  expect(numbers).toHaveLength(vector.length);
  return vector.reduce((max, value, at) => {
    const wanted = Math.max(-largest, Math.min(largest, value * scale));
    return Math.max(max, Math.abs((numbers[at] ?? 0) - wanted));
  }, 0);
}

const STORED = { scale: (28 / 11) * 8, largest: 7 };
const QUERY = { scale: 28 * 8, largest: 127 };
/** The rounding error, plus the last bits of single precision. */
const HALF_A_STEP = 0.5001;

test("a vector is the weighted sum of its words, those of the path count twice, and all have one length", () => {
  const pooler = new Pooler(SMALL);
  const property = fc.property(texts, (text) => {
    const found = call(pooler, text);
    expect(distance(found, expected(text), STORED)).toBeLessThanOrEqual(HALF_A_STEP);
  });
  // More runs than the pooler makes vectors before it uses the kernel.
  fc.assert(property, { numRuns: 400 });
});

test("the vector of a query has the same direction with more precision", () => {
  const pooler = new Pooler(SMALL);
  const property = fc.property(texts, ({ rows }) => {
    for (const one of rows) pooler.count(one);
    const wanted = expected({ rows, pathRows: [] });
    expect(distance(pooler.finishQuery(), wanted, QUERY)).toBeLessThanOrEqual(HALF_A_STEP);
  });
  fc.assert(property, { numRuns: 400 });
});

test("the kernel and JavaScript make the same vectors", () => {
  const warm = new Pooler(SMALL);
  for (let count = 0; count < 200; count += 1) call(warm, { rows: [], pathRows: [] });
  const property = fc.property(texts, (text) => {
    const cold = new Pooler(SMALL);
    expect(call(warm, text)).toEqual(call(cold, text));
    for (const one of text.rows) for (const pooler of [warm, cold]) pooler.count(one);
    expect(warm.finishQuery()).toEqual(cold.finishQuery());
  });
  fc.assert(property);
});

test("a text without known words has a vector of zeros, also after another text", () => {
  const pooler = new Pooler(SMALL);
  call(pooler, { rows: [1, 2, 3], pathRows: [4] });
  const to = new Uint8Array(32).fill(99);
  pooler.finish([], to, 0);
  expect(to).toEqual(new Uint8Array(32));
  expect(pooler.finishQuery()).toEqual(new Int8Array(64));
});

test("the vector is written at the given offset and nowhere else", () => {
  const to = new Uint8Array(3 * 32).fill(99);
  const pooler = new Pooler(SMALL);
  pooler.count(7);
  pooler.finish([], to, 32);
  expect(components(to.subarray(32), 64)).toEqual(
    call(new Pooler(SMALL), { rows: [7], pathRows: [] }),
  );
  expect([...to.subarray(0, 32), ...to.subarray(64)]).toEqual(Array.from({ length: 64 }, () => 99));
  expect(() => pooler.finish([], to, 65)).toThrow("a vector at 65 does not fit into 96 bytes");
});

test("a text of every word of the table and one word 100,000 times is pooled", () => {
  const table = readEmbeddingTable(readAsset("embedding-table"));
  const pooler = new Pooler(table);
  for (let at = 0; at < 100_000; at += 1) pooler.count(5);
  for (let at = 0; at < table.matrix.rows; at += 1) pooler.count(at);
  expect(Math.hypot(...pooler.finishQuery()) / 448).toBeCloseTo(1, 1);
});

test("a row outside of the table throws a RangeError", () => {
  expect(() => new Pooler(SMALL).count(WORDS.length)).toThrow(RangeError);
  const to = new Uint8Array(32);
  expect(() => new Pooler(SMALL).finish([WORDS.length], to, 0)).toThrow(RangeError);
});

function stored(numbers: Float32Array): Uint8Array {
  const to = new Uint8Array(vectorBytes(numbers.length)).fill(99);
  quantizeStored(numbers, to, 0);
  return to;
}

test("the scale depends on the dimensions, and larger components are clipped", () => {
  const peak = Float32Array.of(-9, 1, ...new Float32Array(254));
  expect([...quantizeQuery(peak).subarray(0, 3)]).toEqual([-127, 49, 0]);
  expect(components(stored(peak), 256).slice(0, 3)).toEqual([-7, 4, 0]);
  const one = Float32Array.of(1, ...new Float32Array(15));
  expect([...quantizeQuery(one).subarray(0, 3)]).toEqual([112, 0, 0]);
  expect(components(stored(one), 16).slice(0, 3)).toEqual([7, 0, 0]);
});

test("a byte holds two components in two's complement, and the padding is zeros", () => {
  const numbers = Float32Array.from({ length: 48 }, (_, at) => (at % 3) - 1);
  const bytes = stored(numbers);
  expect(bytes).toHaveLength(32);
  // -3 and 0, 3 and -3, 0 and 3.
  expect([...bytes.subarray(0, 3)]).toEqual([0x0d, 0xd3, 0x30]);
  expect([...bytes.subarray(24)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test.each([
  [16, 16],
  [32, 16],
  [48, 32],
  [256, 128],
  [304, 160],
])("a vector of %i dimensions takes %i bytes", (dimensions, bytes) => {
  expect(vectorBytes(dimensions)).toBe(bytes);
});

test("dot products become cosines", () => {
  const query = quantizeQuery(wave(0));
  const cosineTo = (numbers: Float32Array): number => dot(components(stored(numbers), 256), query);
  const factor = cosineFactor(query);
  expect(cosineTo(wave(0)) * factor).toBeCloseTo(1, 1);
  expect(cosineTo(wave(0).map((value) => -value)) * factor).toBeCloseTo(-1, 1);
  expect(cosineTo(wave(1)) * factor).toBeCloseTo(Math.cos(1), 1);
  expect(cosineFactor(new Int8Array(256))).toBe(0);
});

function wave(shift: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, at) => Math.sin(at / 5 + shift));
}

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

const TABLE = readEmbeddingTable(readAsset("embedding-table"));

/** Returns pieces of this project's sources, 30 lines each. */
function pieces(): readonly Text[] {
  const root = path.join(import.meta.dirname, "../../src");
  const memo = new Map<string, readonly number[]>();
  const rowsOf = (text: string): readonly number[] => {
    const rows: number[] = [];
    scanWords(text, (word) => {
      const known = memo.get(word) ?? TABLE.rowsOf(word);
      memo.set(word, known);
      rows.push(...known);
    });
    return rows;
  };
  return globSync("**/*.ts", { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(path.join(root, file), "utf8").split("\n");
      const starts = Array.from({ length: Math.ceil(lines.length / 30) }, (_, at) => at * 30);
      return starts.map((start) => ({
        rows: rowsOf(lines.slice(start, start + 30).join("\n")),
        pathRows: rowsOf(file),
      }));
    })
    .slice(0, 600);
}

test("stored vectors rank pieces of this project nearly as exact vectors do", () => {
  const texts600 = pieces();
  expect(texts600.length).toBeGreaterThanOrEqual(500);
  const pooler = new Pooler(TABLE);
  const vectors = texts600.map((text) => call(pooler, text, TABLE));
  const exact = texts600.map((text) => expected(text, TABLE));
  const cosines: number[] = [];
  let same = 0;
  let total = 0;
  for (const [index, wanted] of exact.entries()) {
    const query = quantizeQuery(Float32Array.from(wanted));
    cosines.push(dot(query, vectors[index] ?? []) * cosineFactor(query));
    if (index % 20 > 0) continue;
    total += 10;
    const found = new Set(topTen(vectors, query));
    same += topTen(exact, wanted).filter((piece) => found.has(piece)).length;
  }
  expect(same / total).toBeGreaterThan(0.9);
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  expect(Math.abs(mean - 1)).toBeLessThan(0.005);
  expect(Math.min(...cosines)).toBeGreaterThan(0.9);
  expect(Math.max(...cosines)).toBeLessThan(1.06);
});

function topTen(
  vectors: readonly ArrayLike<number>[],
  query: ArrayLike<number>,
): readonly number[] {
  return vectors
    .map((vector, piece) => ({ piece, dot: dot(vector, query) }))
    .toSorted((one, other) => other.dot - one.dot)
    .slice(0, 10)
    .map(({ piece }) => piece);
}
