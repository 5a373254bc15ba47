import { isWordCode, isWordLength } from "./words.ts";

/**
 * Numbers the distinct words of a text: 0, 1, 2 … in the order of their first occurrence. It finds the
 * same words as `scanWords`, but makes no string for a word it has seen, which most are: indexing
 * spends its time here. (Open addressing with linear probing; FNV-1a over UTF-16 code units.)
 * Cost: about 20 bytes and twice its length for each distinct word.
 */
export class WordTable {
  /** Number of the word plus one; 0 is free. */
  #slots = new Int32Array(1 << 14);
  #hashes = new Int32Array(1 << 13);
  /** Where the characters of each word begin, and where those of the last one end. */
  #starts = new Uint32Array((1 << 13) + 1);
  #characters = new Uint16Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  word(number: number): string {
    const start = this.#starts[number] ?? 0;
    const end = this.#starts[number + 1] ?? start;
    return String.fromCharCode(...this.#characters.subarray(start, end));
  }

  /** Calls `visit` with the number of each word of `text` from offset `from` to `to`, in order. */
  scan(text: string, visit: (word: number) => void, from = 0, to = text.length): void {
    let at = from;
    while (at < to) {
      if (!isWordCode(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const start = at;
      let hash = 0x811c9dc5;
      let hasLetters = false;
      while (at < to) {
        const code = text.charCodeAt(at);
        if (!isWordCode(code)) break;
        if (code > 57) hasLetters = true;
        hash = Math.imul(hash ^ code, 0x01000193);
        at += 1;
      }
      if (isWordLength(at - start, hasLetters)) visit(this.#number(text, start, at, hash));
    }
  }

  // oxlint-disable-next-line max-params -- called once a word; an object for each would cost more than the search
  #number(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    // FNV mixes its low bits least; the fold brings the high ones in.
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return this.#add(text, start, end, { hash, slot });
      if (this.#hashes[entry - 1] === hash && this.#equals(entry - 1, text, start, end)) {
        return entry - 1;
      }
      slot = (slot + 1) & mask;
    }
  }

  // oxlint-disable-next-line max-params -- as above
  #equals(word: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[word] ?? 0;
    if ((this.#starts[word + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) {
      if (this.#characters[from + at - start] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  // oxlint-disable-next-line max-params -- as above
  #add(
    text: string,
    start: number,
    end: number,
    { hash, slot }: { hash: number; slot: number },
  ): number {
    const number = this.#size;
    const from = this.#starts[number] ?? 0;
    this.#reserve(from + end - start);
    for (let at = start; at < end; at += 1) {
      this.#characters[from + at - start] = text.charCodeAt(at);
    }
    this.#starts[number + 1] = from + end - start;
    this.#hashes[number] = hash;
    this.#slots[slot] = number + 1;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#spread();
    return number;
  }

  #reserve(characters: number): void {
    if (characters > this.#characters.length) {
      const grown = new Uint16Array(Math.max(this.#characters.length * 2, characters));
      grown.set(this.#characters);
      this.#characters = grown;
    }
    if (this.#size + 2 > this.#hashes.length) {
      const hashes = new Int32Array(this.#hashes.length * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
      const starts = new Uint32Array(hashes.length + 1);
      starts.set(this.#starts);
      this.#starts = starts;
    }
  }

  #spread(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#size; number += 1) {
      const hash = this.#hashes[number] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}
