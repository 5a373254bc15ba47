import { isWordLength } from "./tokenizer.ts";

/** Longer words with non-ASCII characters are not stored: they are sentences without blanks. */
const MAX_CACHED_BYTES = 96;
const LINE_FEED = 10;

/** By byte: 0 not in a word, 1 a digit or `$`, 2 a letter or `_`, 3 part of a non-ASCII character. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return 3;
  if (!/[A-Za-z0-9_$]/.test(String.fromCharCode(byte))) return 0;
  return byte > 57 ? 2 : 1;
});

/**
 * The callbacks of a scan. One object is used for all scans, because a closure for each would cost more than
 * the counting.
 */
export interface WordVisitor {
  /** Called with the number of a word. */
  readonly word: (word: number) => void;
  /** Called with a run of characters that is not stored. The caller must split it. */
  readonly run: (text: string) => void;
}

/**
 * Numbers the distinct words of a text: 0, 1, 2 … in the order of their first occurrence. A word is a run of
 * bytes that `scanWords` would find in ASCII; a run with other characters may contain several of its words.
 * No string is created for a word that was seen before, as most are: indexing spends much of its time here.
 * (Open addressing with linear probing; FNV-1a.) Memory: about 20 bytes plus the length of each word.
 */
export class WordTable {
  /** Pairs of the word's number + 1 (0 is free) and its hash. A pair is in one cache line. */
  #slots = new Int32Array(1 << 11);
  /** For each word, where its bytes begin and its value; then where the last word ends. */
  #records = new Int32Array(1 << 10);
  #bytes = Buffer.alloc(1 << 12);
  #size = 0;

  /** The number of distinct words. */
  get size(): number {
    return this.#size;
  }

  /** Returns the word with that number. */
  word(number: number): string {
    const records = this.#records;
    return this.#bytes.toString("utf8", records[number * 2], records[number * 2 + 2]);
  }

  /**
   * Returns the value that was set for a word, 0 at first. It is next to the record that finding the word has
   * just read.
   */
  value(number: number): number {
    return this.#records[number * 2 + 1] ?? 0;
  }

  setValue(number: number, value: number): void {
    this.#records[number * 2 + 1] = value;
  }

  /**
   * Visits the words of the UTF-8 `bytes` from offset `from`, for up to `lines` lines and up to offset `to`.
   * Returns the offset where it stopped: after the last line's line feed, or `to`.
   */
  // oxlint-disable-next-line max-params -- called once per chunk, for tens of thousands of chunks per second
  scan(bytes: Buffer, visitor: WordVisitor, from: number, to: number, lines: number): number {
    let at = from;
    let linesLeft = lines;
    while (at < to) {
      const first = bytes[at] ?? 0;
      if (CLASSES[first] === 0) {
        at += 1;
        if (first === LINE_FEED && --linesLeft === 0) return at;
        continue;
      }
      const start = at;
      let hash = 0x811c9dc5;
      let classes = 0;
      while (at < to) {
        const byte = bytes[at] ?? 0;
        const kind = CLASSES[byte] ?? 0;
        if (kind === 0) break;
        classes |= 1 << kind;
        hash = Math.imul(hash ^ byte, 0x01000193);
        at += 1;
      }
      if (classes < 8 ? isWordLength(at - start, classes >= 4) : at - start <= MAX_CACHED_BYTES) {
        visitor.word(this.#number(bytes, start, at, hash));
      } else if (classes >= 8) {
        visitor.run(bytes.toString("utf8", start, at));
      }
    }
    return at;
  }

  // oxlint-disable-next-line max-params -- called once per word; an object for each would cost more than the search
  #number(text: Buffer, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = slotOf(hash) & mask;
    for (;;) {
      const entry = slots[slot] ?? 0;
      if (entry === 0) return this.#add(text, start, end, { hash, slot });
      if (slots[slot + 1] === hash && this.#equals(entry - 1, text, start, end)) return entry - 1;
      slot = (slot + 2) & mask;
    }
  }

  // oxlint-disable-next-line max-params -- as above
  #equals(word: number, text: Buffer, start: number, end: number): boolean {
    const from = this.#records[word * 2] ?? 0;
    if ((this.#records[word * 2 + 2] ?? 0) - from !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) {
      if (bytes[from + at - start] !== text[at]) return false;
    }
    return true;
  }

  // oxlint-disable-next-line max-params -- as above
  #add(
    text: Buffer,
    start: number,
    end: number,
    { hash, slot }: { hash: number; slot: number },
  ): number {
    const number = this.#size;
    const from = this.#records[number * 2] ?? 0;
    this.#reserve(from + end - start);
    for (let at = start; at < end; at += 1) this.#bytes[from + at - start] = text[at] ?? 0;
    this.#records[number * 2 + 2] = from + end - start;
    this.#slots[slot] = number + 1;
    this.#slots[slot + 1] = hash;
    this.#size += 1;
    if (this.#size * 4 > this.#slots.length) this.#rehash();
    return number;
  }

  #reserve(bytes: number): void {
    if (bytes > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(this.#bytes.length * 2, bytes));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    if (this.#size * 2 + 4 > this.#records.length) {
      const records = new Int32Array(this.#records.length * 2);
      records.set(this.#records);
      this.#records = records;
    }
  }

  #rehash(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 1;
    for (let at = 0; at < old.length; at += 2) {
      const entry = old[at] ?? 0;
      if (entry === 0) continue;
      const hash = old[at + 1] ?? 0;
      let slot = slotOf(hash) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = entry;
      slots[slot + 1] = hash;
    }
    this.#slots = slots;
  }
}

/** Returns an even number. FNV mixes its low bits least, so the shift mixes the high bits in. */
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}
