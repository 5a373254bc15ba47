import { KEY_COUNT } from "./trigram-format.ts";
import { TrigramSectionWriter, type TrigramSections } from "./trigram-sections.ts";

// A list is a chain of slices in one byte array, as in Lucene's ByteBlockPool. The last byte of a slice is not
// zero (SLICE_END and the slice's level) until the slice is full. Then its last four bytes become the offset of
// the next slice.
const SLICE_END = 0x10;
const LINK_BYTES = 4;
const FIRST_SLICE_BYTES = 8;
const LAST_LEVEL = 5;

/** Lists of ascending file numbers, one per key, in memory as varints of the gaps. */
export class TrigramPool {
  /** For each key, the number of its list plus 1; 0: none. */
  readonly #lists = new Uint32Array(KEY_COUNT);
  /** For each list, the highest file number plus 1 (0: none) and the position of its next byte. */
  #ends = new Uint32Array(1 << 13);
  /** For each list, its key x 2^32 + the offset of its first slice. */
  #heads = new Float64Array(1 << 12);
  #listCount = 0;
  #bytes = new Uint8Array(1 << 16);
  /** Offset 0 is unused: it means that there is no slice. */
  #used = 1;

  /** Bytes in use, without the tables of fixed size. */
  get usedBytes(): number {
    return this.#used + 8 * this.#listCount;
  }

  /** Adds `files` from `from` up to, not including, `to` to the list of a key, in ascending order. */
  // oxlint-disable-next-line max-params -- called millions of times a second
  add(key: number, files: Uint32Array, from: number, to: number): void {
    let list = this.#lists[key] ?? 0;
    if (list === 0) list = this.#begin(key);
    const place = 2 * list - 2;
    let bytes = this.#bytes;
    let last = this.#ends[place] ?? 0;
    let tail = this.#ends[place + 1] ?? 0;
    for (let at = from; at < to; at += 1) {
      const stamp = (files[at] ?? 0) + 1;
      let gap = stamp - last - 1;
      last = stamp;
      for (;;) {
        if (bytes[tail] !== 0) {
          tail = this.#extend(tail);
          bytes = this.#bytes;
        }
        if (gap < 0x80) break;
        bytes[tail++] = (gap & 0x7f) | 0x80;
        gap >>>= 7;
      }
      bytes[tail++] = gap;
    }
    this.#ends[place] = last;
    this.#ends[place + 1] = tail;
  }

  /** Begins the list of a key; returns its number plus 1. */
  #begin(key: number): number {
    const number = this.#listCount++;
    if (number === this.#heads.length) {
      const heads = new Float64Array(this.#heads.length * 2);
      heads.set(this.#heads);
      this.#heads = heads;
      const ends = new Uint32Array(this.#ends.length * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    const head = this.#allocate(0);
    this.#heads[number] = key * 2 ** 32 + head;
    this.#ends[2 * number] = 0;
    this.#ends[2 * number + 1] = head;
    this.#lists[key] = number + 1;
    return number + 1;
  }

  /** Adds a slice after the one that ends at `end`; returns the position of the next byte. */
  #extend(end: number): number {
    const level = Math.min(LAST_LEVEL, ((this.#bytes[end] ?? 0) & 0x0f) + 1);
    const next = this.#allocate(level);
    const link = end - LINK_BYTES + 1;
    const bytes = this.#bytes;
    bytes.copyWithin(next, link, end);
    for (let at = 0; at < LINK_BYTES; at += 1) bytes[link + at] = next >>> (8 * at);
    return next + LINK_BYTES - 1;
  }

  #allocate(level: number): number {
    const start = this.#used;
    const end = start + (FIRST_SLICE_BYTES << level);
    if (end > this.#bytes.length) {
      // Grows by half, so that little memory stays unused.
      const bytes = new Uint8Array(Math.ceil(this.#bytes.length * 1.5));
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    this.#bytes[end - 1] = SLICE_END | level;
    this.#used = end;
    return start;
  }

  /** Returns all lists as sections; the pool is unchanged. */
  finish(): TrigramSections {
    const writer = new TrigramSectionWriter();
    const bytes = this.#bytes;
    let files = new Uint32Array(1 << 12);
    for (const entry of this.#heads.slice(0, this.#listCount).toSorted()) {
      const key = Math.floor(entry / 2 ** 32);
      const place = 2 * (this.#lists[key] ?? 0) - 2;
      const tail = this.#ends[place + 1] ?? 0;
      let start = entry % 2 ** 32;
      let count = 0;
      let file = -1;
      let gap = 0;
      let shift = 0;
      for (let level = 0; ; level = Math.min(LAST_LEVEL, level + 1)) {
        const size = FIRST_SLICE_BYTES << level;
        const isLast = tail > start && tail <= start + size;
        const end = isLast ? tail : start + size - LINK_BYTES;
        if (count + size > files.length) files = grown(files);
        for (let at = start; at < end; at += 1) {
          const byte = bytes[at] ?? 0;
          gap |= (byte & 0x7f) << shift;
          shift += 7;
          if (byte >= 0x80) continue;
          file += gap + 1;
          files[count++] = file;
          gap = 0;
          shift = 0;
        }
        if (isLast) break;
        start = this.#linkAt(end);
      }
      writer.add(key, files.subarray(0, count));
    }
    return writer.finish();
  }

  #linkAt(at: number): number {
    const bytes = this.#bytes;
    return (
      ((bytes[at] ?? 0) |
        ((bytes[at + 1] ?? 0) << 8) |
        ((bytes[at + 2] ?? 0) << 16) |
        ((bytes[at + 3] ?? 0) << 24)) >>>
      0
    );
  }

  /** Clears the lists and keeps the memory. */
  reset(): void {
    for (const entry of this.#heads.subarray(0, this.#listCount)) {
      this.#lists[Math.floor(entry / 2 ** 32)] = 0;
    }
    this.#bytes.fill(0, 0, this.#used);
    this.#listCount = 0;
    this.#used = 1;
  }
}

function grown(files: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(files.length * 2);
  more.set(files);
  return more;
}
