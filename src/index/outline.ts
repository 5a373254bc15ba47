// What a file consists of, as bytes: its chunks and its symbols. One block a file, so that a merge
// copies it as it is, and reading one file's costs one read.

import { SvcError } from "../base/errors.ts";
import { ByteReader, type ByteWriter } from "./bytes.ts";
import { KINDS, type ChunkKind } from "./format.ts";

/** One chunk, as the index takes and gives it. Lines are 1-based and inclusive. */
export interface ChunkFacts {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: ChunkKind;
  /** Qualified name of the first definition; "" when there is none. */
  readonly symbol: string;
  readonly names: readonly string[];
}

export interface SymbolFacts {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly startLine: number;
  readonly endLine: number;
}

export interface Outline {
  /** In order of lines, without overlap. */
  readonly chunks: readonly ChunkFacts[];
  /** A definition before those inside it. */
  readonly symbols: readonly SymbolFacts[];
}

export function writeOutline(to: ByteWriter, { chunks, symbols }: Outline): void {
  to.varint(chunks.length);
  let line = 0;
  let symbol = "";
  let names = "";
  for (const chunk of chunks) {
    to.varint(chunk.startLine - line);
    to.varint(chunk.endLine - chunk.startLine);
    line = chunk.endLine;
    to.byte(KINDS.indexOf(chunk.kind));
    symbol = writeText(to, symbol, chunk.symbol);
    names = writeText(to, names, chunk.names.join("\n"));
  }
  to.varint(symbols.length);
  line = 0;
  let qualified = "";
  for (const { name, qualifiedName, kind, startLine, endLine } of symbols) {
    // One that is listed later may begin earlier: the sign is the lowest bit.
    to.varint(startLine < line ? (line - startLine) * 2 - 1 : (startLine - line) * 2);
    to.varint(endLine - startLine);
    line = startLine;
    to.byte(KINDS.indexOf(kind));
    qualified = writeText(to, qualified, qualifiedName);
    const isEnd = name !== "" && qualifiedName.endsWith(name);
    to.varint(isEnd ? name.length : 0);
    if (!isEnd) writeText(to, "", name);
  }
}

/** Throws INDEX_UNAVAILABLE where the bytes are no outline. */
export function readOutline(bytes: Uint8Array): Outline {
  const from = new ByteReader(bytes);
  return { chunks: readChunks(from), symbols: readSymbols(from) };
}

/** The chunks alone. */
export function readOutlineChunks(bytes: Uint8Array): readonly ChunkFacts[] {
  return readChunks(new ByteReader(bytes));
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
    const kind = KINDS[from.byte()] ?? "text";
    symbol = readText(from, symbol);
    const previous = names;
    names = readText(from, names);
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
    const kind = KINDS[from.byte()] ?? "text";
    qualifiedName = readText(from, qualifiedName);
    const length = from.varint();
    const name = length === 0 ? readText(from, "") : qualifiedName.slice(-length);
    symbols.push({ name, qualifiedName, kind, startLine: line, endLine });
  }
  return symbols;
}

/** A number of entries, each of at least four bytes: more cannot be there. */
function readCount(from: ByteReader): number {
  const count = from.varint();
  if (count <= from.left / 4 + 1) return count;
  throw new SvcError("INDEX_UNAVAILABLE", "The outline of a file in the index is damaged.", {
    hint: "Run `svc index --rebuild`.",
  });
}

/** Writes `text` without what it shares with the beginning of `previous`, and returns it. */
function writeText(to: ByteWriter, previous: string, text: string): string {
  const shared = sharedPrefix(previous, text);
  to.varint(shared);
  to.text(text, shared);
  return text;
}

function readText(from: ByteReader, previous: string): string {
  const shared = from.varint();
  const rest = from.text();
  return shared === 0 ? rest : previous.slice(0, shared) + rest;
}

/** UTF-16 units that two texts have in common at their beginnings, no half character among them. */
export function sharedPrefix(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < limit && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1;
  // A surrogate pair must not be cut: half of it cannot be written as UTF-8.
  const last = shared === 0 ? 0 : one.charCodeAt(shared - 1);
  return last >= 0xd800 && last <= 0xdbff ? shared - 1 : shared;
}
