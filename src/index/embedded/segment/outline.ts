// Encodes the outline of a file: its chunks and symbols. There is one block per file, so a merge copies it
// unchanged, and reading a file's outline takes one read.

import { IndexDamage } from "../../damage.ts";
import { ByteReader, type ByteWriter } from "../../coding/bytes.ts";
import {
  ACCESS_LEVELS,
  CHUNK_KINDS,
  type ChunkFacts,
  type Outline,
  type SymbolFacts,
} from "../../types.ts";
import { readFrontCoded, skipFrontCoded, writeFrontCoded } from "../../coding/front-coding.ts";

/** Bits of a kind; the bits of the access level are above them. */
const KIND_BITS = 4;

/** Appends the block of a file. */
export function writeOutline(to: ByteWriter, { chunks, symbols }: Outline): void {
  to.varint(chunks.length);
  let line = 0;
  let symbol = "";
  let names = "";
  for (const chunk of chunks) {
    to.varint(chunk.startLine - line);
    to.varint(chunk.endLine - chunk.startLine);
    line = chunk.endLine;
    to.byte(CHUNK_KINDS.indexOf(chunk.kind));
    symbol = writeFrontCoded(to, symbol, chunk.symbol);
    names = writeFrontCoded(to, names, chunk.names.join("\n"));
  }
  to.varint(symbols.length);
  line = 0;
  let qualified = "";
  for (const facts of symbols) {
    const { name, qualifiedName, kind, access, startLine, endLine, nameLine } = facts;
    // A later symbol may begin on an earlier line: the lowest bit is the sign.
    to.varint(startLine < line ? (line - startLine) * 2 - 1 : (startLine - line) * 2);
    to.varint(endLine - startLine);
    line = startLine;
    to.varint(Math.max(0, nameLine - startLine));
    to.byte(CHUNK_KINDS.indexOf(kind) | (ACCESS_LEVELS.indexOf(access) << KIND_BITS));
    qualified = writeFrontCoded(to, qualified, qualifiedName);
    const isEnd = name !== "" && qualifiedName.endsWith(name);
    to.varint(isEnd ? name.length : 0);
    if (!isEnd) writeFrontCoded(to, "", name);
  }
}

/** Decodes an outline. Throws INDEX_UNAVAILABLE for other bytes. */
export function readOutline(bytes: Uint8Array): Outline {
  const from = new ByteReader(bytes);
  return { chunks: readChunks(from), symbols: readSymbols(from) };
}

/** Decodes only the chunks. */
export function readOutlineChunks(bytes: Uint8Array): readonly ChunkFacts[] {
  return readChunks(new ByteReader(bytes));
}

/** Decodes only the symbols, in a third of the time. */
export function readOutlineSymbols(bytes: Uint8Array): readonly SymbolFacts[] {
  const from = new ByteReader(bytes);
  for (let left = readCount(from); left > 0; left -= 1) {
    from.varint();
    from.varint();
    from.byte();
    skipFrontCoded(from);
    skipFrontCoded(from);
  }
  return readSymbols(from);
}

function readChunks(from: ByteReader): readonly ChunkFacts[] {
  const count = readCount(from);
  const chunks: ChunkFacts[] = [];
  let line = 0;
  let symbol = "";
  let names = "";
  let list: readonly string[] = [];
  for (let at = 0; at < count; at += 1) {
    const startLine = line + from.varint();
    line = startLine + from.varint();
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    symbol = readFrontCoded(from, symbol);
    const previous = names;
    names = readFrontCoded(from, names);
    if (names !== previous) list = names === "" ? [] : names.split("\n");
    chunks.push({ startLine, endLine: line, kind, symbol, names: list });
  }
  return chunks;
}

function readSymbols(from: ByteReader): readonly SymbolFacts[] {
  const count = readCount(from);
  const symbols: SymbolFacts[] = [];
  let line = 0;
  let qualifiedName = "";
  for (let at = 0; at < count; at += 1) {
    const step = from.varint();
    line += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
    const endLine = line + from.varint();
    const nameLine = line + from.varint();
    const facts = from.byte();
    const kind = CHUNK_KINDS[facts & (2 ** KIND_BITS - 1)] ?? "text";
    const access = ACCESS_LEVELS[facts >>> KIND_BITS] ?? "internal";
    qualifiedName = readFrontCoded(from, qualifiedName);
    const length = from.varint();
    const name = length === 0 ? readFrontCoded(from, "") : qualifiedName.slice(-length);
    symbols.push({ name, qualifiedName, kind, access, startLine: line, endLine, nameLine });
  }
  return symbols;
}

/** Reads a number of entries. Each has at least four bytes, which limits it. */
function readCount(from: ByteReader): number {
  const count = from.varint();
  if (count <= from.left / 4 + 1) return count;
  throw new IndexDamage("The outline of a file in the index is damaged.");
}
