// The names of all definitions, in memory. They are few enough to scan for each query, and no order on disk
// could find names by any of their parts.

import { NumberList } from "../coding/bytes.ts";
import { grouped, groupOf, type Groups } from "../coding/number-groups.ts";
import type { AccessLevel } from "../../parse/languages/definition-rules.ts";
import {
  ACCESS_LEVELS,
  CHUNK_KINDS,
  type ChunkKind,
  type SymbolFacts,
  type FileFacts,
} from "../types.ts";
import { eachPair, initialsMask, letterMask, subWords } from "./sub-words.ts";

/** Bits of a kind; the bits of the access level are above them. */
const KIND_BITS = 4;

/** The symbol names of one segment. */
export interface SegmentSymbols {
  readonly names: SymbolNames;
  /** 1 for each deleted file; undefined if there is none. */
  readonly tombstones?: Uint8Array | undefined;
}

/** The distinct names that some files define, and their definitions. Names, files and symbols are numbers. */
export class SymbolNames {
  readonly files: readonly FileFacts[];
  /** Number of names. */
  readonly size: number;
  /** `letterMask` of each name. */
  readonly masks: Uint32Array;
  /** `initialsMask` of each name. */
  readonly initials: Uint32Array;
  /** The distinct sub-words of all names. */
  readonly words: readonly string[];
  /** `letterMask` of each of them. */
  readonly wordMasks: Uint32Array;
  /** For each name, a bit set of its `eachPair` numbers 0 to 31 … */
  readonly lowPairs: Uint32Array;
  /** … and 32 to 63. */
  readonly highPairs: Uint32Array;
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #symbolsOfNames: Groups;
  readonly #namesOfWords: Groups;
  /** The first symbol of each file. */
  readonly #firstOfFiles: Uint32Array;
  readonly #owners: Uint32Array;
  readonly #ownerTexts: readonly string[];
  readonly #traits: Uint8Array;

  constructor({ files, names, symbols, firstOfFiles, owners, ownerTexts, traits }: Collected) {
    this.files = files;
    this.size = names.size;
    this.masks = new Uint32Array(names.size);
    this.initials = new Uint32Array(names.size);
    this.lowPairs = new Uint32Array(names.size);
    this.highPairs = new Uint32Array(names.size);
    this.#starts = new Uint32Array(names.size + 1);
    let end = 0;
    let at = 0;
    const addPair = (pair: number): void => {
      const pairs = pair < 32 ? this.lowPairs : this.highPairs;
      pairs[at] = (pairs[at] ?? 0) | (1 << pair);
    };
    for (const name of names.keys()) {
      this.masks[at] = letterMask(name);
      this.initials[at] = initialsMask(name);
      eachPair(name, addPair);
      end += name.length;
      at += 1;
      this.#starts[at] = end;
    }
    this.#text = [...names.keys()].join("");
    this.#symbolsOfNames = grouped(symbols, undefined, names.size);
    const words = new Words();
    let number = 0;
    for (const name of names.keys()) {
      for (const word of subWords(name)) words.add(word, number);
      number += 1;
    }
    this.words = [...words.numbers.keys()];
    this.wordMasks = Uint32Array.from(this.words, letterMask);
    this.#namesOfWords = grouped(words.words.finish(), words.names.finish(), this.words.length);
    this.#firstOfFiles = Uint32Array.from(firstOfFiles);
    this.#owners = owners;
    this.#ownerTexts = [...ownerTexts.keys()];
    this.#traits = traits;
  }

  /** Returns a name in its original case. */
  name(at: number): string {
    return this.#text.slice(this.#starts[at], this.#starts[at + 1]);
  }

  /** Length of a name in UTF-16 units. */
  lengthOf(name: number): number {
    return (this.#starts[name + 1] ?? 0) - (this.#starts[name] ?? 0);
  }

  /** Returns the definitions of a name, in the order of files and of symbols in them. */
  symbolsOf(name: number): Uint32Array {
    return groupOf(this.#symbolsOfNames, name);
  }

  /** Returns the names with a sub-word. A name that contains it twice may occur twice. */
  namesOf(word: number): Uint32Array {
    return groupOf(this.#namesOfWords, word);
  }

  /** Returns the index of a symbol's file in `files`. */
  fileOf(symbol: number): number {
    const first = this.#firstOfFiles;
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
    return symbol - (this.#firstOfFiles[this.fileOf(symbol)] ?? 0);
  }

  kindOf(symbol: number): ChunkKind {
    return CHUNK_KINDS[(this.#traits[symbol] ?? 0) & ((1 << KIND_BITS) - 1)] ?? "text";
  }

  accessOf(symbol: number): AccessLevel {
    return ACCESS_LEVELS[(this.#traits[symbol] ?? 0) >>> KIND_BITS] ?? "internal";
  }

  /** Returns the qualifier of a symbol's name, including its last separator: "net.Session."; "" at the top level. */
  ownerOf(symbol: number): string {
    return this.#ownerTexts[this.#owners[symbol] ?? 0] ?? "";
  }

  /** Approximate memory use in bytes: a string takes one byte per character plus 24. */
  get bytes(): number {
    const columns = [
      this.masks,
      this.initials,
      this.lowPairs,
      this.highPairs,
      this.wordMasks,
      this.#starts,
      this.#firstOfFiles,
      this.#owners,
      this.#traits,
      ...[this.#symbolsOfNames, this.#namesOfWords].flatMap(({ firsts, members }) => [
        firsts,
        members,
      ]),
    ];
    const paths = this.files.map(({ path }) => path);
    const strings = [...this.#ownerTexts, ...this.words, ...paths];
    return (
      columns.reduce((sum, { byteLength }) => sum + byteLength, this.#text.length) +
      strings.reduce((sum, { length }) => sum + length + 24, this.files.length * 40)
    );
  }
}

/** The collected definitions of files. */
interface Collected {
  readonly files: readonly FileFacts[];
  readonly firstOfFiles: readonly number[];
  /** Number by name. */
  readonly names: ReadonlyMap<string, number>;
  /** The name of each symbol. */
  readonly symbols: Uint32Array;
  readonly ownerTexts: ReadonlyMap<string, number>;
  readonly owners: Uint32Array;
  readonly traits: Uint8Array;
}

/** Collects files with their symbols and builds the table of their names. */
export class SymbolNamesBuilder {
  readonly #files: FileFacts[] = [];
  readonly #firstOfFiles: number[] = [];
  readonly #names = new Map<string, number>();
  readonly #ownerTexts = new Map<string, number>([["", 0]]);
  readonly #symbols = new NumberList();
  readonly #owners = new NumberList();
  readonly #traits = new NumberList();

  /** Numbers files and symbols in the order of the calls. */
  add(file: FileFacts, symbols: readonly SymbolFacts[]): void {
    this.#files.push(file);
    this.#firstOfFiles.push(this.#symbols.length);
    let owner = "";
    let ownerNumber = 0;
    for (const { name, qualifiedName, kind, access } of symbols) {
      // Most symbols have the same owner as the one before.
      const length = qualifiedName.endsWith(name) ? qualifiedName.length - name.length : 0;
      if (length !== owner.length || !qualifiedName.startsWith(owner)) {
        owner = qualifiedName.slice(0, length);
        ownerNumber = numberOf(this.#ownerTexts, owner);
      }
      this.#symbols.push(numberOf(this.#names, name));
      this.#owners.push(ownerNumber);
      this.#traits.push(CHUNK_KINDS.indexOf(kind) | (ACCESS_LEVELS.indexOf(access) << KIND_BITS));
    }
  }

  build(): SymbolNames {
    return new SymbolNames({
      files: this.#files,
      firstOfFiles: this.#firstOfFiles,
      names: this.#names,
      symbols: this.#symbols.finish(),
      ownerTexts: this.#ownerTexts,
      owners: this.#owners.finish().slice(),
      traits: Uint8Array.from(this.#traits.finish()),
    });
  }
}

/** Maps sub-words to names. */
class Words {
  readonly numbers = new Map<string, number>();
  readonly words = new NumberList();
  readonly names = new NumberList();

  add(word: string, name: number): void {
    this.words.push(numberOf(this.numbers, word));
    this.names.push(name);
  }
}

function numberOf(numbers: Map<string, number>, text: string): number {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(text, number);
  }
  return number;
}
