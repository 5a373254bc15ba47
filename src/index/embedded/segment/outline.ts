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

/** Appends the block of a file: its symbols, and its chunks, which mostly have names of these. */
export function writeOutline(to: ByteWriter, { chunks, symbols }: Outline): void {
  writeSymbols(to, symbols);
  to.varint(chunks.length);
  const references = {
    qualifiedName: new SymbolTexts(symbols, "qualifiedName"),
    name: new SymbolTexts(symbols, "name"),
  };
  let line = 0;
  for (const { startLine, endLine, kind, symbol, names } of chunks) {
    to.varint(startLine - line);
    to.varint(endLine - startLine);
    line = endLine;
    to.byte(CHUNK_KINDS.indexOf(kind));
    references.qualifiedName.write(to, symbol);
    to.varint(names.length);
    references.name.expected = 0;
    for (const name of names) references.name.write(to, name);
  }
}

function writeSymbols(to: ByteWriter, symbols: readonly SymbolFacts[]): void {
  to.varint(symbols.length);
  let line = 0;
  let qualified = "";
  for (const facts of symbols) {
    const { name, qualifiedName, kind, access, startLine, endLine, nameLine } = facts;
    // A later symbol may begin on an earlier line.
    to.varint(zigzag(startLine - line));
    to.varint(Math.max(0, endLine - startLine));
    line = startLine;
    to.varint(Math.max(0, nameLine - startLine));
    to.byte(CHUNK_KINDS.indexOf(kind) | (ACCESS_LEVELS.indexOf(access) << KIND_BITS));
    qualified = writeFrontCoded(to, qualified, qualifiedName);
    const isEnd = name !== "" && qualifiedName.endsWith(name);
    to.varint(isEnd ? name.length : 0);
    if (!isEnd) writeFrontCoded(to, "", name);
  }
}

/**
 * Texts that are mostly those of symbols: 0 and the text, or 1 plus the number of the symbol minus the one that is expected,
 * which is the next after the last.
 */
class SymbolTexts {
  readonly #symbols: readonly SymbolFacts[];
  readonly #key: "name" | "qualifiedName";
  /** The first symbol with each text. */
  #numbers: Map<string, number> | undefined;
  expected = 0;

  constructor(symbols: readonly SymbolFacts[], key: "name" | "qualifiedName") {
    this.#symbols = symbols;
    this.#key = key;
  }

  write(to: ByteWriter, text: string): void {
    const number = this.#numberOf(text);
    if (number === undefined) {
      to.byte(0);
      to.text(text);
      return;
    }
    to.varint(1 + zigzag(number - this.expected));
    this.expected = number + 1;
  }

  #numberOf(text: string): number | undefined {
    if (this.#symbols[this.expected]?.[this.#key] === text) return this.expected;
    if (this.#numbers === undefined) {
      this.#numbers = new Map();
      for (const [number, symbol] of [...this.#symbols.entries()].toReversed())
        this.#numbers.set(symbol[this.#key], number);
    }
    return this.#numbers.get(text);
  }

  read(from: ByteReader): string {
    const value = from.varint();
    if (value === 0) return from.text();
    const number = this.expected + unzigzag(value - 1);
    const symbol = this.#symbols[number];
    if (symbol === undefined) throw damaged();
    this.expected = number + 1;
    return symbol[this.#key];
  }
}

/** Decodes an outline. Throws INDEX_UNAVAILABLE for other bytes. */
export function readOutline(bytes: Uint8Array): Outline {
  const from = new ByteReader(bytes);
  const symbols = readSymbols(from);
  return { symbols, chunks: readChunks(from, symbols) };
}

/** Decodes only the symbols. */
export function readOutlineSymbols(bytes: Uint8Array): readonly SymbolFacts[] {
  return readSymbols(new ByteReader(bytes));
}

/** Decodes only the symbols with these numbers, which ascend, without the texts of the others. */
export function readOutlineSymbolsAt(
  bytes: Uint8Array,
  numbers: readonly number[],
): readonly SymbolFacts[] {
  const from = new ByteReader(bytes);
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

function readChunks(from: ByteReader, symbols: readonly SymbolFacts[]): readonly ChunkFacts[] {
  const qualifiedName = new SymbolTexts(symbols, "qualifiedName");
  const name = new SymbolTexts(symbols, "name");
  const count = readCount(from);
  const chunks: ChunkFacts[] = [];
  let line = 0;
  for (let at = 0; at < count; at += 1) {
    const startLine = line + from.varint();
    line = startLine + from.varint();
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    const symbol = qualifiedName.read(from);
    const names: string[] = [];
    name.expected = 0;
    for (let left = from.varint(); left > 0 && from.left > 0; left -= 1)
      names.push(name.read(from));
    chunks.push({ startLine, endLine: line, kind, symbol, names });
  }
  return chunks;
}

/** Reads the symbols of an outline. */
export function readSymbols(from: ByteReader): readonly SymbolFacts[] {
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

/** The data of a symbol that is stored before its name. */
interface SymbolPlace extends Pick<SymbolFacts, "startLine" | "endLine" | "nameLine"> {
  /** Kind and access level. */
  readonly facts: number;
}

/** `line`: the first line of the symbol before. */
function readPlace(from: ByteReader, line: number): SymbolPlace {
  const startLine = line + unzigzag(from.varint());
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
export function readCount(from: ByteReader): number {
  const count = from.varint();
  if (count <= from.left / 4 + 1) return count;
  throw damaged();
}

function damaged(): IndexDamage {
  return new IndexDamage("The outline of a file in the index is damaged.");
}

/** A number as one without a sign, which is the lowest bit. */
function zigzag(value: number): number {
  return value < 0 ? value * -2 - 1 : value * 2;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
