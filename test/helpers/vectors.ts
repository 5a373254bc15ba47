// Small tables, and the expected vectors of chunks, computed without an index.

import { scanWords } from "../../src/parse/tokenizer.ts";
import type { EmbeddingSource } from "../../src/embed/embedding-source.ts";
import { Pooler } from "../../src/embed/pooler.ts";
import { readEmbeddingTable } from "../../src/embed/read-embedding-table.ts";
import { vectorBytes } from "../../src/embed/quantize.ts";
import type { QueryVector } from "../../src/index/scoring/vector-scores.ts";
import type { SegmentReader } from "../../src/index/embedded/segment/segment-reader.ts";
import type { FileInput } from "../../src/index/types.ts";
import { svceBytes } from "../embed/helpers.ts";

/**
 * Words of synthetic files; a few that are pieces of others; and a number that is too long for a word. Later
 * ones are heavier, so that those of paths come first.
 */
const WORDS = (
  "src file part txt alpha beta gamma delta omega " +
  "parse config user http server token tokens gr function return name shared rare common renewed old " +
  "kept abc cab bca aaa bbb ccc 42 123456789"
).split(" ");

/** A table of some words whose rows point in all directions, which differ for each seed. */
export function smallEmbeddings(id: string, seed = 1, dimensions = 48): EmbeddingSource {
  const table = readEmbeddingTable(
    svceBytes({
      words: WORDS,
      dimensions,
      bits: 4,
      value: (row, at) => (mixed(seed * 1_000_000 + row * 1000 + at) % 15) - 7,
    }),
  );
  return { id, load: () => table };
}

/** The end of MurmurHash3: neighbouring numbers become unrelated numbers. */
function mixed(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A table for all tests that need no particular one. */
export const SMALL = smallEmbeddings("small");

/** The vector of each chunk of a file, only from the text and the path; none if the file gets none. */
export function vectorsOf(
  { path, bytes, chunks, isFinal }: FileInput,
  source: EmbeddingSource,
): readonly Uint8Array[] {
  if (!isFinal) return [];
  const table = source.load();
  const lines = bytes.toString().split("\n");
  return chunks.map(({ startLine, endLine }) => {
    const vector = new Uint8Array(vectorBytes(table.dimensions));
    pooled(lines.slice(startLine - 1, endLine).join("\n"), source).finish(
      table.rowsOf(path),
      vector,
      0,
    );
    return vector;
  });
}

export function questionOf(text: string, source: EmbeddingSource): QueryVector {
  return { embedder: source.id, components: pooled(text, source).finishQuery() };
}

/** A pooler that has counted the words of a text. */
function pooled(text: string, source: EmbeddingSource): Pooler {
  const table = source.load();
  const pooler = new Pooler(table);
  scanWords(text, (word) => {
    for (const row of table.rowsOf(word)) pooler.count(row);
  });
  return pooler;
}

/** The vectors that a segment has of the chunks of a file. */
export function vectorsIn(reader: SegmentReader, file: number): readonly Uint8Array[] {
  const first = reader.column("firstVector")[file] ?? 0;
  if (first === 0) return [];
  const [from, to] = reader.chunkRange(file);
  const width = reader.vectorWidth;
  return Array.from({ length: to - from }, (_, chunk) =>
    reader.vectors((first - 1 + chunk) * width, width),
  );
}
