import type { ByteWriter } from "./bytes.ts";

/** Sizes of the slices of a list, each followed by a link to the next; the last size repeats. */
const SLICE_BYTES = [6, 12, 24, 48, 96, 192, 384, 768, 1536] as const;
const LINK_BYTES = 4;
const LAST_LEVEL = SLICE_BYTES.length - 1;

/** What is known of a term: its first slice, where its next byte goes, where its last slice ends … */
const HEAD = 0;
const TAIL = 1;
const END = 2;
/** … and the level of that; its last document, and how many it has. */
const LEVEL = 3;
const LAST = 4;
const COUNT = 5;
const STRIDE = 8;

/**
 * The posting lists of terms, (document, frequency) each, compressed as they grow: a list is a chain of
 * slices that get longer with it, as in Lucene's ByteBlockPool. Memory is that of the compressed lists and
 * about a third more, plus 32 bytes a term, where a log to be sorted at the end takes 12 bytes a posting.
 *
 * An entry: varint of the document minus the one before (the first: minus 0), doubled, plus 1 when the
 * frequency follows as a byte; without that it is 1.
 */
export class TermPool {
  #bytes = new Uint8Array(1 << 16);
  /** Place 0 is nobody's: it says that there is no slice. */
  #used = 1;
  /** Eight numbers a term, in one line of the cache: see HEAD and those after it. */
  #terms = new Uint32Array(1 << 12);

  get sizeBytes(): number {
    return this.#used + this.#terms.length * 4;
  }

  /** Documents of a term. */
  count(term: number): number {
    return this.#terms[term * STRIDE + COUNT] ?? 0;
  }

  /** Documents come in rising order for each term. `frequency` is cut at 255. */
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

  /** Appends the bytes of the list of a term; returns how many documents it has. */
  copy(term: number, target: ByteWriter): number {
    const count = this.count(term);
    if (count === 0) return 0;
    let from = this.#terms[term * STRIDE + HEAD] ?? 0;
    const tail = this.#terms[term * STRIDE + TAIL] ?? 0;
    for (let level = 0; ; level = Math.min(level + 1, LAST_LEVEL)) {
      const end = from + (SLICE_BYTES[level] ?? 0);
      if (tail >= from && tail <= end) {
        target.append(this.#bytes, from, tail);
        return count;
      }
      target.append(this.#bytes, from, end);
      from = this.#link(end);
    }
  }

  /** Adds a slice behind the one that ends at `end`, or the first (0); returns where it begins. */
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
    // Half as much again, so that little of it stays unused.
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
