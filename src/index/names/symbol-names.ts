// The names of all definitions of some files, with these files.

import type { AccessLevel } from "../../parse/languages/definition-rules.ts";
import {
  ACCESS_LEVELS,
  CHUNK_KINDS,
  type ChunkKind,
  type FileFacts,
  type SymbolFacts,
} from "../types.ts";
import { KIND_BITS, NameTable } from "./name-table.ts";
import { NameTableBuilder } from "./name-table-writer.ts";

/** The symbol names of one segment. */
export interface SegmentSymbols {
  readonly names: SymbolNames;
  /** 1 for each deleted file; undefined if there is none. */
  readonly tombstones?: Uint8Array | undefined;
  /** Comes before the paths of its files in a listing of several indexes; "" by default. */
  readonly prefix?: string | undefined;
}

/** The files of a table. */
export interface NamedFiles {
  /** The number of each file's first symbol. */
  readonly firstSymbols: Uint32Array;
  readonly file: (number: number) => FileFacts | undefined;
}

/** The distinct names that some files define, and their definitions. Names, files and symbols are numbers. */
export class SymbolNames {
  readonly table: NameTable;
  /** Number of names. */
  readonly size: number;
  readonly #files: NamedFiles;
  readonly #knownFiles = new Map<number, FileFacts>();

  constructor(table: NameTable, files: NamedFiles) {
    this.table = table;
    this.size = table.size;
    this.#files = files;
  }

  get fileCount(): number {
    return this.#files.firstSymbols.length;
  }

  file(number: number): FileFacts {
    const known = this.#knownFiles.get(number);
    if (known !== undefined) return known;
    const file = this.#files.file(number);
    if (file === undefined) throw new RangeError(`no file ${number}`);
    this.#knownFiles.set(number, file);
    return file;
  }

  /** Returns a name in its original case. */
  name(at: number): string {
    return this.table.name(at);
  }

  /** Returns the definitions of a name, in the order of files and of lines in them. */
  symbolsOf(name: number): Uint32Array {
    return this.table.symbolsOf(name);
  }

  /** Returns the number of a symbol's file. */
  fileOf(symbol: number): number {
    const first = this.#files.firstSymbols;
    let low = 0;
    let high = first.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((first[middle] ?? 0) <= symbol) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the index of a symbol in its file. */
  numberInFile(symbol: number): number {
    return symbol - (this.#files.firstSymbols[this.fileOf(symbol)] ?? 0);
  }

  kindOf(symbol: number): ChunkKind {
    return CHUNK_KINDS[this.table.traitsOf(symbol) & ((1 << KIND_BITS) - 1)] ?? "text";
  }

  accessOf(symbol: number): AccessLevel {
    return ACCESS_LEVELS[this.table.traitsOf(symbol) >>> KIND_BITS] ?? "internal";
  }

  /** Returns the qualifier of a symbol's name, including its last separator: "net.Session."; "" at the top level. */
  ownerOf(symbol: number): string {
    return this.table.ownerText(this.table.ownerOf(symbol));
  }
}

/** Returns the symbol names of files. */
export function symbolNamesOf(
  files: readonly { readonly facts: FileFacts; readonly symbols: readonly SymbolFacts[] }[],
): SymbolNames {
  const builder = new NameTableBuilder();
  const firstSymbols = new Uint32Array(files.length);
  let count = 0;
  for (const [number, { symbols }] of files.entries()) {
    firstSymbols[number] = count;
    count += symbols.length;
    builder.add(symbols);
  }
  return new SymbolNames(tableOf(builder.build()), {
    firstSymbols,
    file: (at) => files[at]?.facts,
  });
}

/** Returns the table that these bytes are. */
export function tableOf(bytes: Uint8Array): NameTable {
  const read = (offset: number, length: number): Uint8Array =>
    bytes.subarray(offset, offset + length);
  return new NameTable({ length: bytes.length, read });
}
