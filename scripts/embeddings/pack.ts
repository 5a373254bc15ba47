// Writes a table as src/embed/read-embedding-table.ts reads it; the form is described there.
import type { TrainedVocabulary } from "./vocabulary.ts";
import type { Matrix } from "./vectors.ts";

/** Bits of a number of the table. */
export type Bits = 4 | 8;

const MAGIC = "SVCE";
const VERSION = 1;
/** Scales of rows of zero length: the stored zeros must not become NaN. */
const MIN_SCALE = 1e-12;

/** The bytes of the file. The number of columns is even. */
export function packTable(table: Matrix, vocabulary: TrainedVocabulary, bits: Bits): Buffer {
  const { rows, columns } = table;
  const words = Buffer.from(vocabulary.words.join("\n"));
  const header = Buffer.from(
    JSON.stringify({
      v: VERSION,
      bits,
      rows: rows.length,
      dim: columns,
      vocabBytes: words.length,
    }),
  );
  const start = Buffer.alloc(MAGIC.length + 4);
  start.write(MAGIC, "latin1");
  start.writeUInt32LE(header.length, MAGIC.length);
  const padding = Buffer.alloc(-(start.length + header.length + words.length) & 3);
  const { scales, numbers } = quantize(table, bits === 4 ? 7 : 127);
  return Buffer.concat([
    start,
    header,
    words,
    padding,
    floats(vocabulary.probabilities.map(Math.log)),
    floats(scales),
    bits === 4 ? inHalves(numbers) : Buffer.from(numbers.buffer),
  ]);
}

/** Each row in whole numbers up to `largest`, with the factor that restores it. */
function quantize(
  { rows, columns }: Matrix,
  largest: number,
): { scales: Float64Array; numbers: Int8Array<ArrayBuffer> } {
  const scales = new Float64Array(rows.length);
  const numbers = new Int8Array(rows.length * columns);
  for (const [index, row] of rows.entries()) {
    const highest = row.reduce((high, value) => Math.max(high, Math.abs(value)), 0);
    const scale = Math.max(MIN_SCALE, highest / largest);
    scales[index] = scale;
    for (let at = 0; at < columns; at += 1) {
      numbers[index * columns + at] = Math.round((row[at] ?? 0) / scale);
    }
  }
  return { scales, numbers };
}

function floats(values: Float64Array): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

/** Two numbers from -7 to 7 a byte, each plus 8, the first in the low half. */
function inHalves(numbers: Int8Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    const low = (numbers[at * 2] ?? 0) + 8;
    const high = (numbers[at * 2 + 1] ?? 0) + 8;
    bytes[at] = low | (high << 4);
  }
  return bytes;
}
