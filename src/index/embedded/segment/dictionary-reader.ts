import { ByteReader, ByteWriter } from "../../coding/bytes.ts";
import type { TermEntry } from "../../scoring/scored-segment.ts";
import { damagedSection } from "../../damage.ts";
import { MORE_FOLLOWS, TERM_FIELDS, TERMS_PER_BLOCK, type Field } from "./format.ts";
import { readFrontCoded, SortedTextSearch } from "../../coding/front-coding.ts";
import { leastBytes, packPostings, type PostingList } from "../../coding/posting-list.ts";

interface Sections {
  /** Two numbers per block: the offset of its terms and of its posting lists. */
  readonly blocks: Uint32Array;
  readonly termsLength: number;
  readonly postingsLength: number;
  /** Whether no list is packed, and both sizes of each are varints, as until format 12. */
  readonly isPlain?: boolean;
  readonly readTerms: (offset: number, length: number) => Uint8Array;
  readonly readPostings: (offset: number, length: number) => Uint8Array;
}

/** Maximum cached first terms of blocks: the first steps of every binary search are the same. */
const MAX_CACHED_HEADS = 4096;
/** Maximum cached terms: about 100 kB per segment. */
const MAX_CACHED_ENTRIES = 256;
/** Bytes of a block that contain its first term, which has up to 64 characters. */
const HEAD_BYTES = 256;
const LEXICAL_FIELDS = ["body", "names", "path"] as const;

/** A term and the locations of its posting lists. `counts` are in the order of TERM_FIELDS. */
export interface DictionaryEntry extends TermEntry {
  /** Offset in `postings` of each field's list, plus the end of the last. */
  readonly offsets: readonly number[];
}

/** Finds terms by binary search over the first terms of blocks: a few small reads per term, for any size. */
export class DictionaryReader {
  readonly #sections: Sections;
  #heads = new Map<number, string>();
  /** Terms that were looked up: one name is asked for by several methods of a reader, one after the other. */
  readonly #entries = new Map<string, { readonly entry: DictionaryEntry | undefined }>();

  constructor(sections: Sections) {
    this.#sections = sections;
  }

  get #blockCount(): number {
    return this.#sections.blocks.length / 2;
  }

  lookup(term: string): DictionaryEntry | undefined {
    if (this.#blockCount === 0) return undefined;
    const known = this.#entries.get(term);
    if (known !== undefined) return known.entry;
    const entry = this.#lookup(term);
    if (this.#entries.size >= MAX_CACHED_ENTRIES) this.#entries.clear();
    this.#entries.set(term, { entry });
    return entry;
  }

  #lookup(term: string): DictionaryEntry | undefined {
    const block = this.#blockOf(term);
    const search = SortedTextSearch.for(term);
    if (search !== undefined) return this.#search(block, term, search);
    for (const entry of this.#block(block)) {
      if (entry.term === term) return entry;
      if (entry.term > term) return undefined;
    }
    return undefined;
  }

  #search(block: number, term: string, search: SortedTextSearch): DictionaryEntry | undefined {
    const from = this.#blockReader(block);
    let offset = this.#sections.blocks[block * 2 + 1] ?? 0;
    for (let at = 0; at < TERMS_PER_BLOCK && from.left > 0; at += 1) {
      const order = search.next(from);
      if (order > 0) return undefined;
      if (order === 0) return this.#entry(from, term, offset);
      offset += this.#skipSizes(from);
    }
    return undefined;
  }

  /** Looks up sorted terms; terms of the same block share one read. */
  lookupAll(terms: readonly string[]): readonly (DictionaryEntry | undefined)[] {
    if (this.#blockCount === 0) return terms.map(() => undefined);
    let block = -1;
    let entries = new Map<string, DictionaryEntry>();
    return terms.map((term) => {
      const own = this.#blockOf(term);
      if (own !== block) {
        block = own;
        entries = new Map(Array.from(this.#block(block), (entry) => [entry.term, entry]));
      }
      return entries.get(term);
    });
  }

  /** Yields all terms from `from` on, in order. */
  *entries(from = ""): Generator<DictionaryEntry> {
    for (let block = this.#blockOf(from); block < this.#blockCount; block += 1) {
      for (const entry of this.#block(block)) if (entry.term >= from) yield entry;
    }
  }

  /** Returns the number of documents of a field. */
  count({ counts }: DictionaryEntry, field: Field): number {
    return counts[TERM_FIELDS.indexOf(field)] ?? 0;
  }

  list({ counts, offsets }: DictionaryEntry, field: Field): PostingList {
    const at = TERM_FIELDS.indexOf(field);
    const [from = 0, to = 0] = offsets.slice(at, at + 2);
    return this.#listOf(counts[at], this.#sections.readPostings(from, to - from));
  }

  /** Returns the posting lists that scoring needs, with one read. */
  listsOf({
    counts,
    offsets,
  }: DictionaryEntry): Readonly<Record<(typeof LEXICAL_FIELDS)[number], PostingList>> {
    const [body = 0, names = 0, path = 0, end = 0] = offsets;
    const bytes = this.#sections.readPostings(body, end - body);
    return {
      body: this.#listOf(counts[0], bytes.subarray(0, names - body)),
      names: this.#listOf(counts[1], bytes.subarray(names - body, path - body)),
      path: this.#listOf(counts[2], bytes.subarray(path - body)),
    };
  }

  #listOf(count = 0, bytes: Uint8Array): PostingList {
    if (!this.#sections.isPlain) return { count, bytes };
    const packed = new ByteWriter();
    packPostings({ count, bytes }, packed);
    return { count, bytes: packed.finish() };
  }

  /** Returns the last block whose first term is not after `term`. */
  #blockOf(term: string): number {
    let low = 0;
    let high = this.#blockCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#head(middle) <= term) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #head(block: number): string {
    const known = this.#heads.get(block);
    if (known !== undefined) return known;
    const reader = new ByteReader(this.#blockBytes(block, HEAD_BYTES));
    reader.varint();
    const head = reader.text();
    if (this.#heads.size >= MAX_CACHED_HEADS) this.#heads = new Map();
    this.#heads.set(block, head);
    return head;
  }

  #blockBytes(block: number, maxBytes: number): Uint8Array {
    const { blocks, termsLength, readTerms } = this.#sections;
    const from = blocks[block * 2] ?? 0;
    const to = blocks[(block + 1) * 2] ?? termsLength;
    if (from > to || to > termsLength) throw damagedSection("blocks");
    return readTerms(from, Math.min(to - from, maxBytes));
  }

  #blockReader(block: number): ByteReader {
    return new ByteReader(this.#blockBytes(block, Number.MAX_SAFE_INTEGER));
  }

  *#block(block: number): Generator<DictionaryEntry> {
    const reader = this.#blockReader(block);
    let offset = this.#sections.blocks[block * 2 + 1] ?? 0;
    let term = "";
    for (let at = 0; at < TERMS_PER_BLOCK && reader.left > 0; at += 1) {
      term = readFrontCoded(reader, term);
      const entry = this.#entry(reader, term, offset);
      offset = entry.offsets.at(-1) ?? offset;
      yield entry;
    }
  }

  /** Reads what follows a term. `start`: the offset of its first posting list. */
  #entry(reader: ByteReader, term: string, start: number): DictionaryEntry {
    const bits = reader.byte();
    const counts: number[] = [];
    const offsets = [start];
    let offset = start;
    for (let field = 0; field < TERM_FIELDS.length; field += 1) {
      const isIn = (bits & (1 << field)) !== 0;
      const [count, length] = isIn ? this.#sizes(reader) : NO_SIZES;
      offset += length;
      counts.push(count);
      offsets.push(offset);
      // The dictionary is not verified as a whole, because that would read all of it for one term. The
      // condition also rejects NaN, which damaged numbers may add up to.
      if (!(leastBytes(count) <= length && offset <= this.#sections.postingsLength))
        throw damagedSection("terms");
    }
    return { term, counts, offsets };
  }

  /** Passes over what follows a term and returns the length of its posting lists. */
  #skipSizes(from: ByteReader): number {
    let length = 0;
    for (let bits = from.byte(); bits !== 0; bits &= bits - 1) length += this.#sizes(from)[1];
    return length;
  }

  /** Reads the number of documents of a list, and its length in bytes. */
  #sizes(from: ByteReader): readonly [number, number] {
    const first = from.varint();
    if (this.#sections.isPlain) return [first, from.varint()];
    const count = Math.floor(first / 4) + 1;
    const more = first % 4;
    return [count, leastBytes(count) + (more < MORE_FOLLOWS ? more : from.varint())];
  }
}

const NO_SIZES = [0, 0] as const;
