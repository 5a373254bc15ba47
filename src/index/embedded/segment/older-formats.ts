// Reads the parts of segments in formats 8 to 12 that have changed since. A merge writes them in the current format.

import { ByteReader, ByteWriter } from "../../coding/bytes.ts";
import { readFrontCoded } from "../../coding/front-coding.ts";
import { CHUNK_KINDS, type ChunkFacts } from "../../types.ts";
import { readCount, readSymbols, writeOutline } from "./outline.ts";

/** Returns the outline of a file as it is written now. Before, the chunks came first, each with its texts. */
export function convertedOutline(bytes: Uint8Array): Uint8Array {
  const from = new ByteReader(bytes);
  const chunks = readChunks(from);
  const to = new ByteWriter();
  writeOutline(to, { chunks, symbols: readSymbols(from) });
  return to.finish();
}

function readChunks(from: ByteReader): readonly ChunkFacts[] {
  const count = readCount(from);
  const chunks: ChunkFacts[] = [];
  let line = 0;
  let symbol = "";
  let names = "";
  for (let at = 0; at < count; at += 1) {
    const startLine = line + from.varint();
    line = startLine + from.varint();
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    symbol = readFrontCoded(from, symbol);
    names = readFrontCoded(from, names);
    const list = names === "" ? [] : names.split("\n");
    chunks.push({ startLine, endLine: line, kind, symbol, names: list });
  }
  return chunks;
}
