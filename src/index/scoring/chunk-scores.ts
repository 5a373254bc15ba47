// Scores that query terms add to chunks and files, in arrays over the whole index.

import { codedLength } from "../coding/length-code.ts";
import { damagedSection } from "../damage.ts";
import type { ScoredView, ScoredSegments } from "./scored-segments.ts";
import {
  BLOCK_POSTINGS,
  eachPosting,
  MIN_PACKED,
  type PostingList,
} from "../coding/posting-list.ts";

/** Parameters of BM25. */
export interface Bm25Params {
  /** Term saturation: how fast the weight of further occurrences falls. */
  readonly k1: number;
  /** Length normalization: how much length lowers a document's score, 0 to 1. */
  readonly b: number;
}

/** The scores of every chunk in one field, and the maximum per file. */
export class ChunkScores {
  readonly #scores: Float32Array;
  readonly #maxByFile: Float32Array;
  /** The terms in each chunk, as a bit set. */
  readonly #terms: Uint32Array;
  #maxScore = 0;

  constructor({ chunks, files }: Pick<ScoredSegments, "chunks" | "files">) {
    this.#scores = new Float32Array(chunks);
    this.#maxByFile = new Float32Array(files);
    this.#terms = new Uint32Array(chunks);
  }

  clear(): void {
    this.#scores.fill(0);
    this.#maxByFile.fill(0);
    this.#terms.fill(0);
    this.#maxScore = 0;
  }

  /** The maximum score; 0 if there is none. */
  get max(): number {
    return this.#maxScore;
  }

  at(chunk: number): number {
    return this.#scores[chunk] ?? 0;
  }

  /** Returns the terms in a chunk, as a bit set. */
  termsOf(chunk: number): number {
    return this.#terms[chunk] ?? 0;
  }

  /** Returns the maximum score of the file's chunks. */
  maxOf(file: number): number {
    return this.#maxByFile[file] ?? 0;
  }

  /**
   * Adds a term's score to the chunks of one posting list and counts it in their files: `step` per chunk, or
   * its frequency if `step` is 0. Deleted files have neither counts nor maxima.
   */
  add(list: PostingList, view: ScoredView, options: TermPostingsOptions): void {
    if (list.count >= MIN_PACKED) {
      this.#addPacked(list, view, options);
      return;
    }
    const { reader, tombstones, chunkBase, fileBase } = view;
    const { codes, weights, counts, step, bit } = options;
    const fileOf = reader.filesOfChunks();
    eachPosting(list, (document, frequency) => {
      const file = fileOf[document] ?? 0;
      if (tombstones[file] === 1) return;
      const chunk = chunkBase + document;
      const score = this.at(chunk) + weights.weight(frequency, codes[document] ?? 0);
      this.#scores[chunk] = score;
      this.#terms[chunk] = this.termsOf(chunk) | bit;
      this.#flush(counts, fileBase + file, step === 0 ? frequency : step, score);
    });
  }

  /** The same for a packed list, in the form that eachPosting reads. */
  // oxlint-disable-next-line complexity -- the innermost loop of a search: calls would cost more than its work
  #addPacked(
    { count, bytes }: PostingList,
    { reader, tombstones, chunkBase, fileBase }: ScoredView,
    { codes, weights, counts, step, bit }: TermPostingsOptions,
  ): void {
    const fileOf = reader.filesOfChunks();
    const first = reader.column("firstChunk");
    const scores = this.#scores;
    const terms = this.#terms;
    const { single } = weights;
    let position = 0;
    let document = -1;
    // Chunks are ordered by file, so a file's sums are written once, at its end.
    let file = -1;
    let fileEnd = 0;
    let occurrences = 0;
    let maxScore = 0;
    for (let from = 0; from < count; from += BLOCK_POSTINGS) {
      const left = count - from;
      const end = left < BLOCK_POSTINGS ? left : BLOCK_POSTINGS;
      const head = bytes[position++] ?? 0;
      const gapBits = head & 15;
      const frequencyBits = head >>> 4;
      const bits = gapBits + frequencyBits;
      const gapMask = (1 << gapBits) - 1;
      const frequencyMask = (1 << frequencyBits) - 1;
      const gapMisfit = gapBits === 0 ? -1 : gapMask;
      const frequencyMisfit = frequencyBits === 0 ? -1 : frequencyMask;
      let place = position << 3;
      position += (end * bits + 7) >>> 3;
      for (let at = 0; at < end; at += 1) {
        const value = (bytes[place >>> 3] ?? 0) >>> (place & 7);
        place += bits;
        let gap = value & gapMask;
        if (gap === gapMisfit) {
          let byte = bytes[position++] ?? 0;
          gap += byte & 0x7f;
          for (let shift = 7; byte >= 0x80; shift += 7) {
            byte = bytes[position++] ?? 0;
            gap += (byte & 0x7f) << shift;
          }
        }
        document += gap + 1;
        if (document >= fileEnd) {
          if (tombstones[file] === 0) this.#flush(counts, fileBase + file, occurrences, maxScore);
          file = fileOf[document] ?? 0;
          fileEnd = first[file + 1] ?? codes.length;
          occurrences = 0;
          maxScore = 0;
        }
        const code = codes[document] ?? 0;
        const chunk = chunkBase + document;
        let score = scores[chunk] ?? 0;
        let frequency = (value >>> gapBits) & frequencyMask;
        if (frequency === 0) {
          score += single[code] ?? 0;
          occurrences += step === 0 ? 1 : step;
        } else {
          if (frequency === frequencyMisfit) frequency += bytes[position++] ?? 0;
          score += weights.weight(frequency + 1, code);
          occurrences += step === 0 ? frequency + 1 : step;
        }
        scores[chunk] = score;
        terms[chunk] = (terms[chunk] ?? 0) | bit;
        if (score > maxScore) maxScore = score;
      }
    }
    if (tombstones[file] === 0) this.#flush(counts, fileBase + file, occurrences, maxScore);
    if (position !== bytes.length) throw damagedSection("postings");
  }

  // oxlint-disable-next-line max-params -- called once per file, for a hundred thousand files per query
  #flush(counts: FileCounts, file: number, occurrences: number, maxScore: number): void {
    counts.add(file, occurrences);
    if (maxScore > (this.#maxByFile[file] ?? 0)) this.#maxByFile[file] = maxScore;
    if (maxScore > this.#maxScore) this.#maxScore = maxScore;
  }
}

interface TermPostingsOptions {
  /** Length codes of the chunks. */
  readonly codes: Uint8Array;
  readonly weights: TermWeights;
  readonly counts: FileCounts;
  readonly step: number;
  /** The term's bit in the bit sets. */
  readonly bit: number;
}

/** The BM25 weight of one term in a document, by its frequency and the document's length code. */
export class TermWeights {
  readonly #norms: Float64Array;
  readonly #scale: number;
  /** Weights of a term that occurs once, which is the most frequent case, by length code. */
  readonly single: Float64Array;

  constructor({ k1, b }: Bm25Params, average: number, idf: number) {
    this.#scale = idf * (k1 + 1);
    this.#norms = NORM_LENGTHS.map(
      (length) => k1 * (1 - b + (b * length) / Math.max(1e-9, average)),
    );
    this.single = this.#norms.map((norm) => this.#scale / (1 + norm));
  }

  weight(frequency: number, code: number): number {
    return (this.#scale * frequency) / (frequency + (this.#norms[code] ?? 0));
  }
}

const NORM_LENGTHS = Float64Array.from({ length: 256 }, (_, code) => codedLength(code));

/** Occurrences of terms by file, one term after the other. */
export class FileCounts {
  /** Counts of the current term. */
  readonly #counts: Float32Array;
  /** The files of all terms. */
  #files: Uint32Array;
  /** How often each of these files has the term, but for the last term. */
  #kept = new Float32Array(0);
  #size = 0;
  /** Where the files of each finished term end. */
  #ends: number[] = [];

  constructor(files: number) {
    this.#counts = new Float32Array(files);
    this.#files = new Uint32Array(files);
  }

  /** Begins the next term. */
  beginTerm(): void {
    // The counts of the term before make room. If that was the only one of its round, they are not copied.
    const from = this.#ends.at(-2) ?? 0;
    if (this.#kept.length < this.#size) this.#kept = grown(this.#kept, this.#files.length);
    for (let at = from; at < this.#size; at += 1) {
      const file = this.#files[at] ?? 0;
      this.#kept[at] = this.#counts[file] ?? 0;
      this.#counts[file] = 0;
    }
  }

  add(file: number, count: number): void {
    const before = this.#counts[file] ?? 0;
    if (before === 0) {
      if (this.#size === this.#files.length) this.#grow();
      this.#files[this.#size++] = file;
    }
    this.#counts[file] = before + count;
  }

  #grow(): void {
    const files = new Uint32Array(Math.max(1024, this.#files.length * 2));
    files.set(this.#files);
    this.#files = files;
  }

  /** Ends the current term. Returns the number of files that have it. */
  finishTerm(): number {
    const from = this.#ends.at(-1) ?? 0;
    this.#ends.push(this.#size);
    return this.#size - from;
  }

  /** Visits each file of a term. `term`: its number among the finished ones. */
  eachOf(term: number, visit: (file: number, count: number) => void): void {
    const isLast = term === this.#ends.length - 1;
    const end = this.#ends[term] ?? 0;
    for (let at = this.#ends[term - 1] ?? 0; at < end; at += 1) {
      const file = this.#files[at] ?? 0;
      visit(file, (isLast ? this.#counts[file] : this.#kept[at]) ?? 0);
    }
  }

  /** Forgets all terms. */
  clear(): void {
    // Only the last one, finished or not, is still counted.
    for (let at = 0; at < this.#size; at += 1) this.#counts[this.#files[at] ?? 0] = 0;
    this.#size = 0;
    this.#ends = [];
  }
}

function grown(before: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const after = new Float32Array(length);
  after.set(before);
  return after;
}
