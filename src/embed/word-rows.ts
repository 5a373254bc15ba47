import { MAX_WORD_LENGTH } from "./embedding-table.ts";
import { EMPTY_HASH, extendHash, type Vocabulary } from "./vocabulary.ts";
import { scanParts } from "./word-parts.ts";

/** The cost of a character that no piece covers, in units of log probability. */
const SKIPPED_CHARACTER_COST = 18;
/** The cost of a piece, in addition to its own log probability. */
const PIECE_COST = 3;
const MIN_PIECE_LENGTH = 3;
const MAX_PIECE_LENGTH = 20;
/** Shorter words are abbreviations, whose pieces carry no meaning. */
const MIN_SPLIT_LENGTH = 4;
const FIRST_LETTER = 97;

/**
 * Returns a function that finds the rows of a word: those of its parts in lower case or, for an unknown part,
 * those of its most likely pieces. `logProbabilities` are those of the words, by row.
 */
export function createRowFinder(
  vocabulary: Vocabulary,
  logProbabilities: Float32Array,
): (word: string) => readonly number[] {
  const codes = new Uint8Array(MAX_WORD_LENGTH);
  const pieces = new PieceFinder(vocabulary, logProbabilities);
  return (word) => {
    const text = word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word;
    const rows: number[] = [];
    scanParts(text, (start, end) => {
      let hash = EMPTY_HASH;
      for (let at = start; at < end; at += 1) {
        // A part consists of letters or of digits, so setting this bit converts it to lower case.
        const code = text.charCodeAt(at) | 0x20;
        codes[at - start] = code;
        hash = extendHash(hash, code);
      }
      const row = vocabulary.find(codes, 0, end - start, hash);
      if (row >= 0) rows.push(row);
      else if (end - start >= MIN_SPLIT_LENGTH && (codes[0] ?? 0) >= FIRST_LETTER) {
        pieces.find(codes, end - start, rows);
      }
    });
    return rows;
  };
}

/** Splits words into the most likely sequence of known pieces (Viterbi 1967, over a unigram model). */
class PieceFinder {
  readonly #vocabulary: Vocabulary;
  readonly #logProbabilities: Float32Array;
  /** By end position: the score of the best split up to there. */
  readonly #best = new Float64Array(MAX_WORD_LENGTH + 1);
  /** By end position: where the last piece of the best split begins, and its row or -1. */
  readonly #starts = new Int32Array(MAX_WORD_LENGTH + 1);
  readonly #rows = new Int32Array(MAX_WORD_LENGTH + 1);

  constructor(vocabulary: Vocabulary, logProbabilities: Float32Array) {
    this.#vocabulary = vocabulary;
    this.#logProbabilities = logProbabilities;
  }

  /** Appends the rows of the pieces to `to`, in the order of the word. */
  find(codes: Uint8Array, length: number, to: number[]): void {
    this.#score(codes, length);
    const first = to.length;
    for (let end = length; end > 0; end = this.#starts[end] ?? 0) {
      const row = this.#rows[end] ?? -1;
      if (row >= 0) to.splice(first, 0, row);
    }
  }

  #score(codes: Uint8Array, length: number): void {
    this.#best.fill(-Infinity, 0, length + 1);
    this.#best[0] = 0;
    for (let start = 0; start < length; start += 1) {
      const score = this.#best[start] ?? 0;
      this.#update(start + 1, score - SKIPPED_CHARACTER_COST, start, -1);
      const last = Math.min(length, start + MAX_PIECE_LENGTH);
      let hash = EMPTY_HASH;
      for (let end = start + 1; end <= last; end += 1) {
        hash = extendHash(hash, codes[end - 1] ?? 0);
        if (end - start < MIN_PIECE_LENGTH) continue;
        const row = this.#vocabulary.find(codes, start, end, hash);
        if (row < 0) continue;
        this.#update(end, score + (this.#logProbabilities[row] ?? 0) - PIECE_COST, start, row);
      }
    }
  }

  // oxlint-disable-next-line max-params -- called for every piece
  #update(end: number, score: number, start: number, row: number): void {
    if (score <= (this.#best[end] ?? 0)) return;
    this.#best[end] = score;
    this.#starts[end] = start;
    this.#rows[end] = row;
  }
}
