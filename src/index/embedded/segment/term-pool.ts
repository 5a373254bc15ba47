import { ByteWriter } from "../../coding/bytes.ts";
import { packPostings } from "../../coding/posting-list.ts";

/** Sizes of a list's slices in bytes; a link to the next slice follows each. The last size repeats. */
const SLICE_BYTES = [6, 12, 24, 48, 96, 192, 384, 768, 1536] as const;
const LINK_BYTES = 4;
const LAST_LEVEL = SLICE_BYTES.length - 1;

/** Columns of a term: the start of its first slice, the position of its next byte, the end of its last slice … */
const HEAD = 0;
const TAIL = 1;
const END = 2;
/** … and that slice's level, its last document, and its number of documents. */
const LEVEL = 3;
const LAST = 4;
const COUNT = 5;
const STRIDE = 8;

/**
 * The posting lists of terms, (document, frequency) each, compressed as they grow. A list is a chain of slices
 * whose sizes increase, as in Lucene's ByteBlockPool. Memory is that of the compressed lists plus about a
 * third, plus 32 bytes per term; a log to sort at the end takes 12 bytes per posting.
 *
 * An entry is a varint: the document minus the one before (the first: minus 0), doubled, plus 1 if the
 * frequency follows as a byte. Otherwise the frequency is 1.
 */
export class TermPool {
  #bytes = new Uint8Array(1 << 12);
  /** One list. */
  readonly #list = new ByteWriter();
  /** Offset 0 is unused: it means that there is no slice. */
  #used = 1;
  /** Eight numbers per term, in one cache line: see HEAD and the constants after it. */
  #terms = new Uint32Array(1 << 9);

  get sizeBytes(): number {
    return this.#used + this.#terms.length * 4;
  }

  /** Returns the number of documents of a term. */
  count(term: number): number {
    return this.#terms[term * STRIDE + COUNT] ?? 0;
  }

  /** Adds a posting. The documents of a term must come in ascending order. `frequency` is capped at 255. */
  add(term: number, document: number, frequency: number): void {
    const at = term * STRIDE;
    if (at >= this.#terms.length) this.#growTerms(at);
    const terms = this.#terms;
    let value = (document - (terms[at + LAST] ?? 0)) * 2 + (frequency > 1 ? 1 : 0);
    terms[at + LAST] = document;
    terms[at + COUNT] = (terms[at + COUNT] ?? 0) + 1;
    let tail = terms[at + TAIL] ?? 0;
    while (value >= 0x80) {
      if (tail === (terms[at + END] ?? 0)) tail = this.#nextSlice(at, tail);
      this.#bytes[tail++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    if (tail === (terms[at + END] ?? 0)) tail = this.#nextSlice(at, tail);
    this.#bytes[tail++] = value;
    if (frequency > 1) {
      if (tail === (terms[at + END] ?? 0)) tail = this.#nextSlice(at, tail);
      this.#bytes[tail++] = frequency > 255 ? 255 : frequency;
    }
    terms[at + TAIL] = tail;
  }

  /** Appends a term's list as a segment has it; returns its number of documents. */
  copy(term: number, target: ByteWriter): number {
    const count = this.count(term);
    if (count === 0) return 0;
    const list = this.#list;
    list.clear();
    let from = this.#terms[term * STRIDE + HEAD] ?? 0;
    const tail = this.#terms[term * STRIDE + TAIL] ?? 0;
    for (let level = 0; ; level = Math.min(level + 1, LAST_LEVEL)) {
      const end = from + (SLICE_BYTES[level] ?? 0);
      if (tail >= from && tail <= end) {
        list.append(this.#bytes, from, tail);
        packPostings({ count, bytes: list.finish() }, target);
        return count;
      }
      list.append(this.#bytes, from, end);
      from = this.#link(end);
    }
  }

  /** Adds a slice after the one that ends at `end`, or the first (0); returns its start. */
  #nextSlice(at: number, end: number): number {
    const terms = this.#terms;
    const level = end === 0 ? 0 : Math.min((terms[at + LEVEL] ?? 0) + 1, LAST_LEVEL);
    const size = SLICE_BYTES[level] ?? 0;
    const start = this.#used;
    this.#used += size + LINK_BYTES;
    if (this.#used > this.#bytes.length) this.#growBytes();
    if (end === 0) terms[at + HEAD] = start;
    else this.#setLink(end, start);
    terms[at + LEVEL] = level;
    terms[at + END] = start + size;
    return start;
  }

  #link(at: number): number {
    const bytes = this.#bytes;
    return (
      ((bytes[at] ?? 0) |
        ((bytes[at + 1] ?? 0) << 8) |
        ((bytes[at + 2] ?? 0) << 16) |
        ((bytes[at + 3] ?? 0) << 24)) >>>
      0
    );
  }

  #setLink(at: number, to: number): void {
    for (let byte = 0; byte < LINK_BYTES; byte += 1) this.#bytes[at + byte] = to >>> (8 * byte);
  }

  #growBytes(): void {
    // Grows by half, so that little memory stays unused.
    const bytes = new Uint8Array(Math.max(Math.ceil(this.#bytes.length * 1.5), this.#used));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #growTerms(at: number): void {
    const terms = new Uint32Array(Math.max(this.#terms.length * 2, at + STRIDE));
    terms.set(this.#terms);
    this.#terms = terms;
  }
}
