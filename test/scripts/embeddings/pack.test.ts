import * as fc from "fast-check";
import { expect, test } from "vitest";

import { packTable, type Bits } from "../../../scripts/embeddings/pack.ts";
import { zeros, type Matrix } from "../../../scripts/embeddings/vectors.ts";
import { readEmbeddingTable } from "../../../src/embed/read-embedding-table.ts";

/** Words of which none is the stem of another: `word` and a letter. */
function vocabulary(count: number): { words: string[]; probabilities: Float64Array } {
  const words = Array.from({ length: count }, (_, row) => `word${String.fromCharCode(97 + row)}`);
  return { words, probabilities: new Float64Array(count).fill(1 / count) };
}

function matrixOf(rows: readonly (readonly number[])[]): Matrix {
  const matrix = zeros(rows.length, rows[0]?.length ?? 0);
  for (const [index, row] of rows.entries()) matrix.rows[index]?.set(row);
  return matrix;
}

test("every byte of a file at 4 bits is at its place in the format", () => {
  const table = matrixOf([
    [7, -7, 0, 3.5],
    [0, 0, 0, 0],
  ]);
  const words = { words: ["ab", "c"], probabilities: Float64Array.of(1, Math.exp(-2)) };
  const bytes = packTable(table, words, 4);
  const header = '{"v":1,"bits":4,"rows":2,"dim":4,"vocabBytes":4}';
  const start = 8 + header.length;
  expect(bytes.toString("latin1", 0, 4)).toBe("SVCE");
  expect(bytes.readUInt32LE(4)).toBe(header.length);
  expect(bytes.toString("utf8", 8, start + 4)).toBe(`${header}ab\nc`);
  // 60 bytes so far, a multiple of 4.
  expect(bytes.readFloatLE(60)).toBe(0);
  expect(bytes.readFloatLE(64)).toBe(-2);
  expect(bytes.readFloatLE(68)).toBe(1);
  expect([...bytes.subarray(76)]).toEqual([0x1f, 0xc8, 0x88, 0x88]);
});

test("zeros fill up the words to a multiple of 4", () => {
  const bytes = packTable(
    matrixOf([[1, 2]]),
    { words: ["abc"], probabilities: Float64Array.of(1) },
    8,
  );
  const end = 8 + bytes.readUInt32LE(4) + 3;
  const padding = -end & 3;
  expect([...bytes.subarray(end, end + padding)].every((byte) => byte === 0)).toBe(true);
  expect(bytes.length).toBe(end + padding + 4 + 4 + 2);
  expect([...bytes.subarray(-2)]).toEqual([64, 127]);
});

const numbers = fc.array(
  fc.array(fc.float({ min: -5, max: 5, noNaN: true }), { minLength: 16, maxLength: 16 }),
  { minLength: 1, maxLength: 20 },
);

test.each<[Bits, number]>([
  [4, 7],
  [8, 127],
])("at %i bits no number is off by more than half a step of its row", (bits, largest) => {
  fc.assert(
    fc.property(numbers, (rows) => {
      const table = matrixOf(rows);
      const { matrix, rowsOf } = readEmbeddingTable(
        packTable(table, vocabulary(rows.length), bits),
      );
      expect(rowsOf("worda")).toEqual([0]);
      for (const [index, row] of table.rows.entries()) {
        const scale = matrix.scales[index] ?? 0;
        const highest = Math.max(...row.map(Math.abs));
        expect(scale).toBeCloseTo(highest / largest, 5);
        for (const [at, value] of row.entries()) {
          const stored = scale * storedAt(matrix, index * 16 + at);
          expect(Math.abs(stored - value)).toBeLessThanOrEqual(scale * 0.5001);
        }
      }
    }),
    { numRuns: 50 },
  );
});

function storedAt({ bits, bytes }: { bits: Bits; bytes: Uint8Array }, place: number): number {
  if (bits === 8) return ((bytes[place] ?? 0) << 24) >> 24;
  const byte = bytes[place >> 1] ?? 0;
  return (place % 2 === 0 ? byte & 15 : byte >> 4) - 8;
}
