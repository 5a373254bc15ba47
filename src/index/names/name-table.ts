// The names of definitions, in blocks; a query reads only the blocks that it needs. Names, terms, symbols and owners
// are numbers. docs/index-format.md has the layout.

import { ByteReader } from "../coding/bytes.ts";
import { readFrontCoded } from "../coding/front-coding.ts";
import { damagedSection } from "../damage.ts";
import {
  NameTableBlocks,
  PER_BLOCK,
  type NameTableBytes,
  type TextKind,
} from "./name-table-blocks.ts";
import { letterMask, lettersOfAscii } from "./sub-words.ts";

/** Bits of a kind in the traits of a symbol; the bits of its access level are above them. */
export const KIND_BITS = 4;

/** Decoded blocks that are kept, of each kind. */
const MAX_KEPT_BLOCKS = 64;
/** Names that are kept: a listing compares the same ones again and again. */
const MAX_KEPT_NAMES = 2048;
const NO_NUMBERS = new Uint32Array(0);

/** A term, and the names that have it. */
export interface NameTerm {
  readonly text: string;
  /** Returns their numbers, ascending. */
  readonly names: () => Uint32Array;
}

/** Which texts a scan decodes. */
interface ScannedTexts {
  /** Least and greatest length in UTF-16 units. */
  readonly least: number;
  readonly most: number;
  /** `letters`: the `letterMask` of the text. */
  readonly mayBe: (letters: number) => boolean;
}

/** Where the definitions of a name are read: mostly, those of one of the next ones are asked for next. */
interface DefinitionCursor {
  readonly block: number;
  /** The name whose definitions follow. */
  next: number;
  readonly from: ByteReader;
}

interface SymbolBlock {
  readonly owners: Uint32Array;
  readonly traits: Uint8Array;
}

/** The distinct names that some files define, and their definitions. */
export class NameTable {
  readonly #blocks: NameTableBlocks;
  readonly #names = new KeptItems(MAX_KEPT_NAMES, (number) => this.#readName(number));
  #definitions: DefinitionCursor | undefined;
  readonly #terms = new KeptItems(MAX_KEPT_BLOCKS, (number) => this.#readTexts("terms", number));
  readonly #symbols = new KeptItems(MAX_KEPT_BLOCKS, (number) => this.#readSymbols(number));
  readonly #owners = new KeptItems(MAX_KEPT_BLOCKS, (number) => this.#readTexts("owners", number));

  /** Throws INDEX_UNAVAILABLE if the bytes are not a table. */
  constructor(bytes: NameTableBytes) {
    this.#blocks = new NameTableBlocks(bytes);
  }

  /** Number of names. */
  get size(): number {
    return this.#blocks.counts.names;
  }

  /** Number of symbols. */
  get symbolCount(): number {
    return this.#blocks.counts.symbols;
  }

  /** Returns a name in its original case. */
  name(at: number): string {
    return this.#names.get(at);
  }

  /** Returns the definitions of a name, in the order of files and of lines in them. */
  symbolsOf(name: number): Uint32Array {
    let cursor = this.#definitions;
    const block = Math.floor(name / PER_BLOCK.names);
    if (cursor === undefined || cursor.block !== block || cursor.next > name) {
      const { bytes } = this.#blocks.lists("names", block);
      cursor = { block, next: block * PER_BLOCK.names, from: new ByteReader(bytes) };
      this.#definitions = cursor;
    }
    const { from } = cursor;
    for (; cursor.next < name; cursor.next += 1) {
      for (let left = from.varint(); left > 0 && from.left > 0; left -= 1) from.varint();
    }
    cursor.next += 1;
    return readAscending(from, from.varint());
  }

  /** Returns the number of the first name that is not before `text` in code unit order. */
  firstName(text: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.name(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Yields the terms that begin with `prefix`, in order. */
  *termsFrom(prefix: string): Generator<NameTerm> {
    const count = this.#blocks.countOf("terms");
    for (let number = this.#blocks.blockOfTerm(prefix); number < count; number += 1) {
      for (const [at, text] of this.#terms.get(number).entries()) {
        if (text < prefix) continue;
        if (!text.startsWith(prefix)) return;
        yield { text, names: () => this.#namesOfTerm(number, at) };
      }
    }
  }

  /** Returns the names with a term, ascending. */
  namesWith(term: string): Uint32Array {
    if (this.#blocks.counts.terms === 0) return NO_NUMBERS;
    const number = this.#blocks.blockOfTerm(term);
    const at = this.#terms.get(number).indexOf(term);
    return at < 0 ? NO_NUMBERS : this.#namesOfTerm(number, at);
  }

  /**
   * Yields the names or terms that a scan may be about, with their numbers. Most are passed over undecoded; those of a block
   * with other characters than ASCII are all decoded.
   */
  *scan(
    kind: "names" | "terms",
    wanted: ScannedTexts,
  ): Generator<{ readonly number: number; readonly text: string }> {
    const { least, most, mayBe } = wanted;
    for (let block = 0; block < this.#blocks.countOf(kind); block += 1) {
      const { bytes, count } = this.#blocks.texts(kind, block);
      const first = block * PER_BLOCK[kind];
      const found = scanAscii(bytes, count, wanted);
      if (found === undefined) {
        for (const [at, text] of readTexts(bytes, count).entries()) {
          const isOfLength = text.length >= least && text.length <= most;
          if (isOfLength && mayBe(letterMask(text))) yield { number: first + at, text };
        }
        continue;
      }
      for (const { at, text } of found) yield { number: first + at, text };
    }
  }

  /** Returns the kind and the access level of a symbol: see `KIND_BITS`. */
  traitsOf(symbol: number): number {
    return this.#symbolBlock(symbol).traits[symbol % PER_BLOCK.symbols] ?? 0;
  }

  /** Returns the number of a symbol's owner. */
  ownerOf(symbol: number): number {
    return this.#symbolBlock(symbol).owners[symbol % PER_BLOCK.symbols] ?? 0;
  }

  /** Returns the qualifier before a symbol's name, including its last separator: "net.Session."; "" at the top level. */
  ownerText(owner: number): string {
    return this.#owners.get(Math.floor(owner / PER_BLOCK.owners))[owner % PER_BLOCK.owners] ?? "";
  }

  #symbolBlock(symbol: number): SymbolBlock {
    return this.#symbols.get(Math.floor(symbol / PER_BLOCK.symbols));
  }

  #readTexts(kind: TextKind, number: number): readonly string[] {
    const { bytes, count } = this.#blocks.texts(kind, number);
    return readTexts(bytes, count);
  }

  #readName(name: number): string {
    const { bytes, count } = this.#blocks.texts("names", Math.floor(name / PER_BLOCK.names));
    const at = name % PER_BLOCK.names;
    return asciiTextAt(bytes, at) ?? readTexts(bytes, count)[at] ?? "";
  }

  #namesOfTerm(number: number, at: number): Uint32Array {
    const { bytes } = this.#blocks.lists("terms", number);
    const from = new ByteReader(bytes);
    for (let left = at; left > 0; left -= 1) {
      from.varint();
      from.skipText();
    }
    const size = from.varint();
    from.varint();
    return readAscending(from, size);
  }

  #readSymbols(number: number): SymbolBlock {
    const { bytes, count } = this.#blocks.lists("symbols", number);
    const from = new ByteReader(bytes);
    const owners = new Uint32Array(count);
    const traits = new Uint8Array(count);
    let owner = 0;
    for (let at = 0; at < count; at += 1) {
      const step = from.varint();
      owner += (step & 1) === 1 ? -(step + 1) / 2 : step / 2;
      owners[at] = owner;
      traits[at] = from.byte();
    }
    return { owners, traits };
  }
}

function readTexts(bytes: Uint8Array, count: number): readonly string[] {
  const from = new ByteReader(bytes);
  let text = "";
  return Array.from({ length: count }, () => {
    text = readFrontCoded(from, text);
    return text;
  });
}

/** The text of which bytes are read. A longer one is decoded with its whole block. */
const scratch = Buffer.alloc(128);

/** Decodes the wanted texts of a block, with their places; undefined if it has long ones, or others than of ASCII. */
function scanAscii(
  bytes: Uint8Array,
  count: number,
  { least, most, mayBe }: ScannedTexts,
): readonly { readonly at: number; readonly text: string }[] | undefined {
  const found: { at: number; text: string }[] = [];
  let position = 0;
  for (let at = 0; at < count; at += 1) {
    const length = readAscii(bytes, position);
    if (length < 0) return undefined;
    position += 2 + (bytes[position + 1] ?? 0);
    if (length >= least && length <= most && mayBe(lettersOfAscii(scratch, length)))
      found.push({ at, text: scratch.toString("latin1", 0, length) });
  }
  return found;
}

/** Decodes one text of a block; undefined under the same conditions. */
function asciiTextAt(bytes: Uint8Array, at: number): string | undefined {
  let position = 0;
  let length = 0;
  for (let number = 0; number <= at; number += 1) {
    length = readAscii(bytes, position);
    if (length < 0) return undefined;
    position += 2 + (bytes[position + 1] ?? 0);
  }
  return scratch.toString("latin1", 0, length);
}

/** Adds to `scratch` what the next front coded text does not share with it. Returns its length, or -1. */
function readAscii(bytes: Uint8Array, position: number): number {
  const shared = bytes[position] ?? 0;
  const rest = bytes[position + 1] ?? 0;
  const length = shared + rest;
  // A number of more than a byte has another form.
  if (shared >= 0x80 || rest >= 0x80 || length > scratch.length) return -1;
  for (let at = 0; at < rest; at += 1) {
    const byte = bytes[position + 2 + at] ?? 0;
    if (byte >= 0x80) return -1;
    scratch[shared + at] = byte;
  }
  return length;
}

/** Reads numbers that were written as distances. Each takes a byte or more. */
function readAscending(from: ByteReader, count: number): Uint32Array {
  if (count > from.left) throw damagedSection("names");
  const numbers = new Uint32Array(count);
  let last = 0;
  for (let at = 0; at < count; at += 1) {
    last += from.varint();
    numbers[at] = last;
  }
  return numbers;
}

/** The blocks that were decoded last, by number. */
class KeptItems<T> {
  readonly #most: number;
  readonly #read: (number: number) => T;
  readonly #kept = new Map<number, T>();

  constructor(most: number, read: (number: number) => T) {
    this.#most = most;
    this.#read = read;
  }

  get(number: number): T {
    const known = this.#kept.get(number);
    if (known !== undefined) return known;
    if (this.#kept.size === this.#most) this.#kept.clear();
    const item = this.#read(number);
    this.#kept.set(number, item);
    return item;
  }
}
