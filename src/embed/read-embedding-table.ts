// The file format of the built-in table, `.svce`, little-endian:
//
//   "SVCE", uint32 length of the header
//   header, JSON: v 1, bits 4 or 8, rows, dim, vocabBytes
//   words, UTF-8, one per line; then zeros up to a multiple of 4
//   float32 per row: the logarithm of the word's probability
//   float32 per row: its scale
//   per row: `dim` integers of `bits` bits, see RowMatrix

import { SvcError } from "../base/errors.ts";
import { checksum } from "./checksum.ts";
import type { EmbeddingTable } from "./embedding-table.ts";
import { Vocabulary } from "./vocabulary.ts";
import { createRowFinder } from "./word-rows.ts";

const MAGIC = "SVCE";
const VERSION = 1;
const MAX_HEADER_BYTES = 4096;

/**
 * Reads a table. Keeps `bytes` without copying and never writes to it. Throws INTERNAL_ERROR if the table is
 * damaged: it is part of the program, not a file of the user.
 */
export function readEmbeddingTable(bytes: Uint8Array): EmbeddingTable {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { bits, rows, dimensions, words, at } = readHeader(buffer);
  const vocabularyEnd = at + words;
  const probabilitiesAt = Math.ceil(vocabularyEnd / 4) * 4;
  const scalesAt = probabilitiesAt + 4 * rows;
  const matrixAt = scalesAt + 4 * rows;
  const end = matrixAt + (rows * dimensions * bits) / 8;
  if (bytes.length !== end) throw damaged(`it has ${bytes.length} bytes, not ${end}`);
  const vocabulary = new Vocabulary(bytes.subarray(at, vocabularyEnd), rows);
  if (vocabulary.size !== rows)
    throw damaged(`it does not have one word for each of its ${rows} rows`);
  const logProbabilities = floats(bytes, probabilitiesAt, rows);
  const scales = floats(bytes, scalesAt, rows);
  return {
    id: `svce${VERSION}-${dimensions}-${checksum(bytes)}`,
    dimensions,
    matrix: { rows, dimensions, bits, bytes: bytes.subarray(matrixAt), scales },
    rowsOf: createRowFinder(vocabulary, logProbabilities),
    // An unknown word has row -1, which has no probability.
    logProbability: (word) => logProbabilities[vocabulary.rowOf(word)],
  };
}

interface Header {
  readonly bits: 4 | 8;
  readonly rows: number;
  readonly dimensions: number;
  /** Length of the words in bytes. */
  readonly words: number;
  /** Where the words begin, in bytes. */
  readonly at: number;
}

function readHeader(buffer: Buffer): Header {
  if (buffer.length < 8 || buffer.toString("latin1", 0, 4) !== MAGIC) {
    throw damaged(`it does not begin with ${MAGIC}`);
  }
  const length = buffer.readUInt32LE(4);
  if (length > MAX_HEADER_BYTES || length > buffer.length - 8) {
    throw damaged("its header is cut off");
  }
  const fields = parseHeader(buffer.toString("utf8", 8, 8 + length));
  const version = countOf(fields, "v");
  if (version !== VERSION) throw damaged(`its version is ${version}`);
  const bits = countOf(fields, "bits");
  if (bits !== 4 && bits !== 8) throw damaged(`its numbers have ${bits} bits`);
  const dimensions = countOf(fields, "dim");
  if (dimensions === 0 || dimensions % 16 !== 0) {
    throw damaged(`its dimensions are ${dimensions}, not a multiple of 16`);
  }
  const rows = countOf(fields, "rows");
  return { bits, rows, dimensions, words: countOf(fields, "vocabBytes"), at: 8 + length };
}

function parseHeader(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    throw damaged("its header is not JSON");
  }
}

function countOf(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  // Far above any real table, and low enough that products of two such numbers are exact.
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 26) {
    return value;
  }
  throw damaged(`its header has no valid "${name}"`);
}

/** Returns a copy, because the address of the bytes may not be aligned for a Float32Array. */
function floats(bytes: Uint8Array, at: number, count: number): Float32Array {
  const values = new Float32Array(new Uint8Array(bytes.subarray(at, at + 4 * count)).buffer);
  if (!values.every(Number.isFinite)) throw damaged("a number in it is not finite");
  return values;
}

function damaged(what: string): SvcError {
  return new SvcError("INTERNAL_ERROR", `The embedding table is damaged: ${what}.`, {
    hint: "Install svc again; `svc --self-check` checks whether the program file is intact.",
  });
}
