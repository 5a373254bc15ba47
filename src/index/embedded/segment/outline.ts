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
import {
  PassedTexts,
  readFrontCoded,
  skipFrontCoded,
  writeFrontCoded,
} from "../../coding/front-coding.ts";

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
  return readSymbols(afterChunks(bytes));
}

/** Decodes only the symbols with these numbers, which ascend, without the texts of the others. */
export function readOutlineSymbolsAt(
  bytes: Uint8Array,
  numbers: readonly number[],
): readonly SymbolFacts[] {
  const from = afterChunks(bytes);
  const count = readCount(from);
  const symbols: SymbolFacts[] = [];
  const names = new PassedTexts(from);
  let line = 0;
  for (let at = 0; at < count && symbols.length < numbers.length; at += 1) {
    const place = readPlace(from, line);
    line = place.startLine;
    names.pass();
    const length = from.varint();
    if (at !== numbers[symbols.length]) {
      if (length === 0) skipFrontCoded(from);
      continue;
    }
    const qualifiedName = names.last();
    symbols.push(symbolOf(place, qualifiedName, readName(from, qualifiedName, length)));
  }
  return symbols;
}

/** Returns a reader at the symbols. */
function afterChunks(bytes: Uint8Array): ByteReader {
  const from = new ByteReader(bytes);
  for (let left = readCount(from); left > 0; left -= 1) {
    from.varint();
    from.varint();
    from.byte();
    skipFrontCoded(from);
    skipFrontCoded(from);
  }
  return from;
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
    const place = readPlace(from, line);
    line = place.startLine;
    qualifiedName = readFrontCoded(from, qualifiedName);
    symbols.push(symbolOf(place, qualifiedName, readName(from, qualifiedName, from.varint())));
  }
  return symbols;
}

/** What is stored of a symbol before its name. */
interface SymbolPlace extends Pick<SymbolFacts, "startLine" | "endLine" | "nameLine"> {
  /** Kind and access level. */
  readonly facts: number;
}

/** `line`: the first line of the symbol before. */
function readPlace(from: ByteReader, line: number): SymbolPlace {
  const step = from.varint();
  const startLine = line + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
  const endLine = startLine + from.varint();
  return { startLine, endLine, nameLine: startLine + from.varint(), facts: from.byte() };
}

/** `length`: of the name at the end of the qualified name; 0 if it is not there. */
function readName(from: ByteReader, qualifiedName: string, length: number): string {
  return length === 0 ? readFrontCoded(from, "") : qualifiedName.slice(-length);
}

function symbolOf(
  { startLine, endLine, nameLine, facts }: SymbolPlace,
  qualifiedName: string,
  name: string,
): SymbolFacts {
  const kind = CHUNK_KINDS[facts & (2 ** KIND_BITS - 1)] ?? "text";
  const access = ACCESS_LEVELS[facts >>> KIND_BITS] ?? "internal";
  return { name, qualifiedName, kind, access, startLine, endLine, nameLine };
}

/** Reads a number of entries. Each has at least four bytes, which limits it. */
function readCount(from: ByteReader): number {
  const count = from.varint();
  if (count <= from.left / 4 + 1) return count;
  throw new IndexDamage("The outline of a file in the index is damaged.");
}
