import type { EmbeddingTable } from "../../src/embed/embedding-table.ts";
import { vectorBytes } from "../../src/embed/quantize.ts";

interface TableParts {
  readonly words: readonly string[];
  readonly dimensions: number;
  readonly bits: 4 | 8;
  /** The integer at component `at` of row `row`. */
  readonly value?: (row: number, at: number) => number;
  readonly logProbability?: (row: number) => number;
  /** Additional or overriding fields of the header. */
  readonly header?: object;
}

/** Returns the bytes of an `.svce` file. */
export function svceBytes({
  words,
  dimensions,
  bits,
  value = (row, at) => ((row * 5 + at * 3) % 15) - 7,
  logProbability = () => -10,
  header = {},
}: TableParts): Buffer {
  const vocabulary = Buffer.from(words.join("\n"));
  const fields = { v: 1, bits, rows: words.length, dim: dimensions, ...header };
  const head = Buffer.from(JSON.stringify({ vocabBytes: vocabulary.length, ...fields }));
  const start = Buffer.from("SVCE\0\0\0\0");
  start.writeUInt32LE(head.length, 4);
  const words4 = Buffer.concat([start, head, vocabulary]);
  const matrix = words.flatMap((_, row) =>
    Array.from({ length: dimensions }, (__, at) => value(row, at)),
  );
  const packed =
    bits === 8
      ? Int8Array.from(matrix)
      : Uint8Array.from({ length: matrix.length / 2 }, (_, at) => {
          const [low = 0, high = 0] = matrix.slice(at * 2, at * 2 + 2);
          return (low + 8) | ((high + 8) << 4);
        });
  return Buffer.concat([
    words4,
    Buffer.alloc((4 - (words4.length % 4)) % 4),
    bytesOf(Float32Array.from(words, (_, row) => logProbability(row))),
    bytesOf(Float32Array.from(words, (_, row) => 0.01 * (row + 1))),
    bytesOf(packed),
  ]);
}

export function bytesOf(numbers: Float32Array | Float64Array | Int8Array | Uint8Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Returns the value of a component, scale included. */
export function component(table: EmbeddingTable, row: number, at: number): number {
  const { bits, bytes, scales } = table.matrix;
  const place = row * table.dimensions + at;
  const pair = bytes[place >> 1] ?? 0;
  const nibble = place % 2 === 0 ? pair & 15 : pair >> 4;
  const integer = bits === 4 ? nibble - 8 : ((bytes[place] ?? 0) << 24) >> 24;
  return integer * (scales[row] ?? 0);
}

/** Returns the components of stored vector `row` in `bytes`. */
export function components(bytes: Uint8Array, dimensions: number, row = 0): readonly number[] {
  const start = row * vectorBytes(dimensions);
  return Array.from({ length: dimensions }, (_, at) => {
    const pair = bytes[start + (at >> 1)] ?? 0;
    const nibble = at % 2 === 0 ? pair % 16 : Math.floor(pair / 16);
    return nibble < 8 ? nibble : nibble - 16;
  });
}
