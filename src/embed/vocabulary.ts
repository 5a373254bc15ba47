const LINE_FEED = 10;
const PRIME = 0x01000193;

/** The hash of no characters; see `extendHash`. */
export const EMPTY_HASH = 0x811c9dc5 | 0;

/** The hash of a word that is longer by one character (FNV-1a). */
export function extendHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME);
}

/**
 * Which word is which row. The words stay where they lie and no string is made of them, neither here nor
 * to look up a piece of a word. (A hash table with chains, which is filled in a third less time than one
 * with open addressing.)
 */
export class Vocabulary {
  readonly #bytes: Uint8Array;
  /** By row: where its word begins; then where one more would. */
  readonly #starts: Uint32Array;
  /** By row plus one: the hash of its word, and the row plus one that is next in the same chain, or 0. */
  readonly #hashes: Int32Array;
  readonly #next: Uint32Array;
  /** Where the chains begin. */
  readonly #chains: Uint32Array;
  /** How many words there were. */
  readonly size: number;

  /**
   * `bytes` holds one word a line, the last without a line feed; no more than `limit` of them are taken. Of
   * equal words the last is found.
   */
  constructor(bytes: Uint8Array, limit: number) {
    this.#bytes = bytes;
    this.#starts = new Uint32Array(limit + 1);
    this.#hashes = new Int32Array(limit + 1);
    this.#next = new Uint32Array(limit + 1);
    this.#chains = new Uint32Array(2 ** Math.ceil(Math.log2(limit * 1.5 + 1)));
    this.size = this.#fill(limit);
  }

  /** In one loop without calls: it runs once, for the most part before it is compiled. */
  #fill(limit: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    const starts = this.#starts;
    const hashes = this.#hashes;
    const next = this.#next;
    const chains = this.#chains;
    const mask = chains.length - 1;
    let row = 0;
    let hash = EMPTY_HASH;
    for (let at = 0; at <= length; at += 1) {
      const byte = at < length ? (bytes[at] ?? 0) : LINE_FEED;
      if (byte !== LINE_FEED) {
        hash = Math.imul(hash ^ byte, PRIME);
        continue;
      }
      row += 1;
      if (row > limit) return row;
      starts[row] = at + 1;
      hashes[row] = hash;
      const chain = (hash ^ (hash >>> 15)) & mask;
      next[row] = chains[chain] ?? 0;
      chains[chain] = row;
      hash = EMPTY_HASH;
    }
    return row;
  }

  /** The row of a word of at most `MAX_WORD_LENGTH` characters, -1 where it has none. */
  rowOf(word: string): number {
    const codes = Uint8Array.from(word, (character) => character.charCodeAt(0));
    return this.find(codes, 0, codes.length, codes.reduce(extendHash, EMPTY_HASH));
  }

  /** The row of the word in `codes` from `start` to `end`, whose hash is given; -1 where it has none. */
  // oxlint-disable-next-line max-params -- called for every piece of a word; an object for each would cost more than the search
  find(codes: Uint8Array, start: number, end: number, hash: number): number {
    const chains = this.#chains;
    // FNV mixes its low bits least; the fold brings the high ones in.
    let entry = chains[(hash ^ (hash >>> 15)) & (chains.length - 1)] ?? 0;
    while (entry !== 0) {
      if (this.#hashes[entry] === hash && this.#equals(entry - 1, codes, start, end)) break;
      entry = this.#next[entry] ?? 0;
    }
    return entry - 1;
  }

  // oxlint-disable-next-line max-params -- as above
  #equals(row: number, codes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[row] ?? 0;
    if ((this.#starts[row + 1] ?? 0) - from - 1 !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) {
      if (bytes[from + at - start] !== codes[at]) return false;
    }
    return true;
  }
}
