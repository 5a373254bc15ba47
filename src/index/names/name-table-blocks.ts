// The blocks of a table of names: their places and their bytes. Blocks of texts and blocks of lists are separate,
// because a query needs the lists of only a few of the texts that it reads.

import { BlockGroupReader } from "../coding/block-groups.ts";
import { ByteReader } from "../coding/bytes.ts";
import { decompressSection, summed } from "../coding/compressed.ts";
import { damagedSection } from "../damage.ts";

/** The kinds of entries of a table, and how many of each are in a block. */
export const PER_BLOCK = { names: 64, terms: 32, symbols: 256, owners: 64 } as const;
export type NameTableKind = keyof typeof PER_BLOCK;

/** The kinds with texts, and those with lists, in the order in which they are stored. */
const TEXT_KINDS = ["names", "terms", "owners"] as const;
const LIST_KINDS = ["names", "terms", "symbols"] as const;
export type TextKind = (typeof TEXT_KINDS)[number];
type ListKind = (typeof LIST_KINDS)[number];

const NUMBER_BYTES = 4;

/** The bytes of a table, of which parts are read. */
export interface NameTableBytes {
  readonly length: number;
  readonly read: (offset: number, length: number) => Uint8Array;
}

/** A block, and how many of its kind it has. */
export interface NameTableBlock {
  readonly bytes: Uint8Array;
  readonly count: number;
}

export class NameTableBlocks {
  readonly counts: Readonly<Record<NameTableKind, number>>;
  readonly #texts: BlockStreamReader;
  readonly #lists: BlockStreamReader;
  /** The first term of each block of terms. */
  readonly #firstTerms: readonly string[];

  /** Throws INDEX_UNAVAILABLE if the bytes are not a table. */
  constructor({ length, read }: NameTableBytes) {
    if (length < NUMBER_BYTES) throw damagedSection("names");
    const [indexLength = 0] = new IndexNumbers(Buffer.from(read(0, NUMBER_BYTES))).next(1);
    const start = NUMBER_BYTES + indexLength;
    if (start > length) throw damagedSection("names");
    const numbers = new IndexNumbers(decompressSection("names", read(NUMBER_BYTES, indexLength)));
    const [names = 0, terms = 0, symbols = 0, owners = 0] = numbers.next(4);
    this.counts = { names, terms, symbols, owners };
    const stream = (kinds: readonly NameTableKind[], at: number): BlockStreamReader =>
      new BlockStreamReader(
        numbers,
        kinds.reduce((sum, kind) => sum + this.countOf(kind), 0),
        (offset, size) => read(at + offset, size),
      );
    this.#texts = stream(TEXT_KINDS, start);
    this.#lists = stream(LIST_KINDS, start + this.#texts.length);
    this.#firstTerms = numbers.texts(this.countOf("terms"));
  }

  /** Returns the number of blocks of a kind. */
  countOf(kind: NameTableKind): number {
    return Math.ceil(this.counts[kind] / PER_BLOCK[kind]);
  }

  texts(kind: TextKind, number: number): NameTableBlock {
    return this.#block(this.#texts, TEXT_KINDS, { kind, number });
  }

  lists(kind: ListKind, number: number): NameTableBlock {
    return this.#block(this.#lists, LIST_KINDS, { kind, number });
  }

  #block<Kind extends NameTableKind>(
    stream: BlockStreamReader,
    kinds: readonly Kind[],
    { kind, number }: { readonly kind: Kind; readonly number: number },
  ): NameTableBlock {
    const count = Math.min(this.counts[kind] - number * PER_BLOCK[kind], PER_BLOCK[kind]);
    if (!(count > 0)) throw damagedSection("names");
    let at = number;
    for (const other of kinds) {
      if (other === kind) break;
      at += this.countOf(other);
    }
    return { bytes: stream.block(at), count };
  }

  /** Returns the last block whose first term is not after a term; 0 if there is none. */
  blockOfTerm(term: string): number {
    let low = 0;
    let high = this.#firstTerms.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firstTerms[middle] ?? "") <= term) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }
}

class BlockStreamReader {
  /** Length of its groups in bytes. */
  readonly length: number;
  readonly #starts: Uint32Array;
  readonly #groups: BlockGroupReader;

  constructor(
    numbers: IndexNumbers,
    blocks: number,
    read: (offset: number, length: number) => Uint8Array,
  ) {
    const [places = 0] = numbers.next(1);
    this.#starts = summed(numbers.next(blocks + 1));
    const ofGroups = summed(numbers.next(places));
    this.length = ofGroups.at(-1) ?? 0;
    this.#groups = new BlockGroupReader("names", ofGroups, read);
  }

  block(number: number): Uint8Array {
    return this.#groups.block(this.#starts[number] ?? 0, this.#starts[number + 1]);
  }
}

/** Reads the index of a table. */
class IndexNumbers {
  readonly #bytes: Buffer<ArrayBuffer>;
  #at = 0;

  constructor(bytes: Buffer<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  next(count: number): Uint32Array {
    const end = this.#at + count * NUMBER_BYTES;
    if (end > this.#bytes.length) throw damagedSection("names");
    const { buffer, byteOffset } = this.#bytes;
    // A copy: these bytes may begin anywhere.
    const numbers = new Uint32Array(buffer.slice(byteOffset + this.#at, byteOffset + end));
    this.#at = end;
    return numbers;
  }

  /** Returns the texts that follow, which are all that is left. */
  texts(count: number): readonly string[] {
    const from = new ByteReader(this.#bytes, this.#at);
    const texts = Array.from({ length: count }, () => from.text());
    if (from.position !== this.#bytes.length) throw damagedSection("names");
    return texts;
  }
}
