// BM25 over every chunk and every file of a snapshot, term at a time into dense arrays.

import { eachPosting, type PostingList } from "./posting-list.ts";
import { codedLength, isCode } from "./format.ts";
import type { ChunkFacts } from "./outline.ts";
import type { FileFacts } from "./segment-reader.ts";
import type { SegmentView, Snapshot } from "./snapshot.ts";

interface Saturation {
  /** How soon more occurrences of a term stop to count. */
  readonly k1: number;
  /** How much length counts against a document, 0 to 1. */
  readonly b: number;
}

export interface LexicalWeights {
  readonly body: Saturation;
  readonly names: Saturation;
  readonly file: Saturation;
  /** What a defined name, and a word of the path, count for in words of a file's text; and the most that count. */
  readonly fileTerms: { readonly names: number; readonly path: number; readonly cap: number };
  /** Shares of the blended score, each part first divided by its largest value. */
  readonly blend: { readonly body: number; readonly names: number; readonly file: number };
}

export interface LexicalQuery {
  /** Distinct terms with how much each counts. */
  readonly terms: ReadonlyMap<string, number>;
  readonly weights: LexicalWeights;
  /** Most files to give. */
  readonly limit: number;
  readonly filter?: ((file: FileFacts) => boolean) | undefined;
}

/** A chunk with its shares of the blended score. */
export interface LexicalChunk {
  readonly facts: ChunkFacts;
  readonly body: number;
  readonly names: number;
}

/** A file that holds terms of the question. */
export interface LexicalHit {
  readonly file: FileFacts;
  /** Share of the file as a whole in the blended score. */
  readonly score: number;
  /** Share of its best chunk. */
  readonly best: number;
  /** Whether any of its chunks defines a term. */
  readonly hasNames: boolean;
  /**
   * The chunks that hold terms; the first chunk where none does, as when only the path holds one. Costs a
   * read.
   */
  readonly chunks: () => Promise<readonly LexicalChunk[]>;
}

/**
 * Postings that one question may cost. Terms are taken rarest first, and when this many have been read
 * the commonest are left out: they tell documents apart least (BM25 gives a term in every fifth chunk a
 * seventh of the weight of one in a million). Reached above some 300,000 chunks only.
 */
const POSTINGS_PER_QUESTION = 400_000;
/** These many terms count whatever they cost. */
const LEAST_TERMS = 2;

/** Scores questions on one snapshot, in arrays that are used again. Cost: about 5 ns a posting. */
export class LexicalScorer {
  readonly #snapshot: Snapshot;
  readonly #body: ChunkScores;
  readonly #names: ChunkScores;
  readonly #file: Float32Array;
  #bestFile = 0;
  /** Occurrences of the current term in each file, and which files have any. */
  readonly #counts: FileCounts;
  readonly #averages: { readonly body: number; readonly names: number; readonly file: number };

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#body = new ChunkScores(snapshot);
    this.#names = new ChunkScores(snapshot);
    this.#file = new Float32Array(snapshot.files);
    this.#counts = new FileCounts(snapshot.files);
    this.#averages = averagesOf(snapshot);
  }

  /**
   * The files that hold most of the question, best first. When `isLate` says so, terms that have not been
   * looked at are left out; the rarest come first.
   */
  search(
    query: LexicalQuery,
    isLate: () => boolean,
  ): { readonly hits: readonly LexicalHit[]; readonly isComplete: boolean } {
    this.#clear();
    let spent = 0;
    let isComplete = true;
    for (const [at, term] of this.#found(query).entries()) {
      if (at >= LEAST_TERMS && spent + term.postings > POSTINGS_PER_QUESTION) break;
      isComplete = !isLate();
      if (!isComplete) break;
      spent += term.postings;
      this.#scoreTerm(term, query.weights);
    }
    const hits = this.#top(query).map((candidate) => this.#hit(candidate, query.weights));
    return { hits, isComplete };
  }

  #clear(): void {
    this.#body.clear();
    this.#names.clear();
    this.#file.fill(0);
    this.#bestFile = 1e-9;
  }

  /** The terms that occur, rarest first. */
  #found({ terms }: LexicalQuery): readonly FoundTerm[] {
    const found: FoundTerm[] = [];
    for (const [term, weight] of terms) {
      const parts: FoundTerm["parts"][number][] = [];
      for (const view of this.#snapshot.segments) {
        const entry = view.reader.dictionary.lookup(term);
        if (entry !== undefined) parts.push({ view, entry });
      }
      const total = (field: number): number =>
        parts.reduce((sum, { entry }) => sum + (entry.counts[field] ?? 0), 0);
      const [body, names, path] = [total(0), total(1), total(2)];
      const postings = body + names + path;
      if (postings > 0) found.push({ weight, parts, body, names, postings });
    }
    return found.toSorted((one, other) => one.postings - other.postings);
  }

  #scoreTerm({ weight, parts, body, names }: FoundTerm, weights: LexicalWeights): void {
    const { chunks, files } = this.#snapshot;
    const bodyIdf = weight * inverseFrequency(chunks, body);
    const namesIdf = weight * inverseFrequency(chunks, names);
    const bodyGains = new Gains(weights.body, this.#averages.body, bodyIdf);
    const namesGains = new Gains(weights.names, this.#averages.names, namesIdf);
    const { names: perName, path: perPath } = weights.fileTerms;
    for (const { view, entry } of parts) {
      const { reader } = view;
      const lists = reader.dictionary.lexicalLists(entry);
      const bodyCounts = { counts: this.#counts, step: 0 };
      this.#body.add(lists.body, view, {
        codes: reader.bodyCodes(),
        gains: bodyGains,
        ...bodyCounts,
      });
      const namesCounts = { counts: this.#counts, step: perName };
      this.#names.add(lists.names, view, {
        codes: reader.namesCodes(),
        gains: namesGains,
        ...namesCounts,
      });
      eachPosting(lists.path, (file, frequency) => {
        this.#counts.add(view.fileBase + file, perPath * frequency);
      });
    }
    this.#scoreFiles(weight * inverseFrequency(files, this.#counts.size), weights);
  }

  /** Gives the files that were counted their share, and forgets the counts. */
  #scoreFiles(idf: number, { file: { k1, b }, fileTerms }: LexicalWeights): void {
    const most = fileTerms.cap * 4;
    const fixed = k1 * (1 - b);
    const perLength = (k1 * b) / Math.max(1e-9, this.#averages.file);
    const gain = idf * (k1 + 1);
    const lengths = this.#snapshot.fileLengths();
    this.#counts.drain((file, count) => {
      const frequency = Math.min(most, count);
      const norm = fixed + perLength * (lengths[file] ?? 0);
      const score = (this.#file[file] ?? 0) + (gain * frequency) / (frequency + norm);
      this.#file[file] = score;
      if (score > this.#bestFile) this.#bestFile = score;
    });
  }

  /** The best files by the blend of their own score and their best chunk's. */
  #top({ limit, filter, weights: { blend } }: LexicalQuery): readonly Candidate[] {
    const top = new TopCandidates(limit);
    const fileScale = blend.file / this.#bestFile;
    const bodyScale = blend.body / this.#body.best;
    const namesScale = blend.names / this.#names.best;
    for (const view of this.#snapshot.segments) {
      const { reader, dead, chunkBase, fileBase } = view;
      const first = reader.column("firstChunk");
      for (let ordinal = 0; ordinal < first.length; ordinal += 1) {
        const file = fileBase + ordinal;
        const own = (this.#file[file] ?? 0) * fileScale;
        if (own <= 0 || dead[ordinal] === 1) continue;
        // No chunk has more than the most of each part: what that does not lift in stays out.
        const most = this.#body.most(file) * bodyScale + this.#names.most(file) * namesScale;
        if (own + most <= top.least) continue;
        const end = chunkBase + (first[ordinal + 1] ?? reader.chunks);
        let best = 0;
        for (let chunk = chunkBase + (first[ordinal] ?? 0); chunk < end; chunk += 1) {
          const score = this.#body.at(chunk) * bodyScale + this.#names.at(chunk) * namesScale;
          if (score > best) best = score;
        }
        const score = own + best;
        if (score > top.least && (filter === undefined || filter(reader.file(ordinal)))) {
          top.add({ view, file: ordinal, score, best });
        }
      }
    }
    return top.sorted();
  }

  #hit({ view, file, score, best }: Candidate, { blend }: LexicalWeights): LexicalHit {
    const { reader, chunkBase, fileBase } = view;
    const first = reader.column("firstChunk");
    const from = chunkBase + (first[file] ?? 0);
    const to = chunkBase + (first[file + 1] ?? reader.chunks);
    // Copies: the next question, which may come before this one is answered, uses the arrays again.
    const body = this.#body.shares(from, to, blend.body);
    const names = this.#names.shares(from, to, blend.names);
    return {
      file: reader.file(file),
      score: score - best,
      best,
      hasNames: this.#names.most(fileBase + file) > 0,
      chunks: async () => chunksWith(reader.chunksOf(file), body, names),
    };
  }
}

function chunksWith(
  all: readonly ChunkFacts[],
  bodyShares: Float32Array,
  namesShares: Float32Array,
): readonly LexicalChunk[] {
  const chunks: LexicalChunk[] = [];
  for (const [at, facts] of all.entries()) {
    const body = bodyShares[at] ?? 0;
    const names = namesShares[at] ?? 0;
    if (body > 0 || names > 0) chunks.push({ facts, body, names });
  }
  const [first] = all;
  if (chunks.length === 0 && first !== undefined) chunks.push({ facts: first, body: 0, names: 0 });
  return chunks;
}

/** The scores of every chunk in one field, and the most that a chunk of each file has. */
class ChunkScores {
  readonly #scores: Float32Array;
  readonly #most: Float32Array;
  #best = 0;

  constructor({ chunks, files }: Snapshot) {
    this.#scores = new Float32Array(chunks);
    this.#most = new Float32Array(files);
  }

  clear(): void {
    this.#scores.fill(0);
    this.#most.fill(0);
    this.#best = 1e-9;
  }

  /** The score of the best chunk; never 0, so that it can be divided by. */
  get best(): number {
    return this.#best;
  }

  at(chunk: number): number {
    return this.#scores[chunk] ?? 0;
  }

  /** What the chunks from `from` to `to` have of the best one's score, which counts `weight`. */
  shares(from: number, to: number, weight: number): Float32Array {
    const scale = weight / this.#best;
    return this.#scores.slice(from, to).map((score) => score * scale);
  }

  /** The most that a chunk of the file has. */
  most(file: number): number {
    return this.#most[file] ?? 0;
  }

  /**
   * Adds a term's share to the chunks of one list, and counts it in their files: `step` for each chunk, or
   * its frequency where that is 0.
   */
  add(
    { count, bytes }: PostingList,
    { reader, chunkBase, fileBase }: SegmentView,
    { codes, gains, counts, step }: TermShare,
  ): void {
    if (count === 0) return;
    const fileOf = reader.filesOfChunks();
    const first = reader.column("firstChunk");
    const scores = this.#scores;
    const { single } = gains;
    let position = 0;
    let document = 0;
    // Chunks come file after file: what belongs to a file is summed up before it is written.
    let file = -1;
    let fileEnd = 0;
    let seen = 0;
    let most = 0;
    for (let at = 0; at < count; at += 1) {
      let byte = bytes[position++] ?? 0;
      let value = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[position++] ?? 0;
        value |= (byte & 0x7f) << shift;
      }
      document += value >>> 1;
      if (document >= fileEnd) {
        if (file >= 0) this.#flush(counts, fileBase + file, seen, most);
        file = fileOf[document] ?? 0;
        fileEnd = first[file + 1] ?? codes.length;
        seen = 0;
        most = 0;
      }
      const code = codes[document] ?? 0;
      const chunk = chunkBase + document;
      let score = scores[chunk] ?? 0;
      if ((value & 1) === 0) {
        score += single[code] ?? 0;
        seen += step === 0 ? 1 : step;
      } else {
        const frequency = bytes[position++] ?? 0;
        score += gains.of(frequency, code);
        seen += step === 0 ? frequency : step;
      }
      scores[chunk] = score;
      if (score > most) most = score;
    }
    this.#flush(counts, fileBase + file, seen, most);
  }

  // oxlint-disable-next-line max-params -- called once a file, for a hundred thousand of them a question
  #flush(counts: FileCounts, file: number, seen: number, most: number): void {
    counts.add(file, seen);
    if (most > (this.#most[file] ?? 0)) this.#most[file] = most;
    if (most > this.#best) this.#best = most;
  }
}

interface TermShare {
  /** Length codes of the chunks. */
  readonly codes: Uint8Array;
  readonly gains: Gains;
  readonly counts: FileCounts;
  readonly step: number;
}

/** What one term adds to a document, by its frequency in it and the code of its length: BM25. */
class Gains {
  readonly #norms: Float64Array;
  readonly #gain: number;
  /** For a term that occurs once, as most do. */
  readonly single: Float64Array;

  constructor({ k1, b }: Saturation, average: number, idf: number) {
    this.#gain = idf * (k1 + 1);
    this.#norms = NORM_LENGTHS.map(
      (length) => k1 * (1 - b + (b * length) / Math.max(1e-9, average)),
    );
    this.single = this.#norms.map((norm) => this.#gain / (1 + norm));
  }

  of(frequency: number, code: number): number {
    return (this.#gain * frequency) / (frequency + (this.#norms[code] ?? 0));
  }
}

const NORM_LENGTHS = Float64Array.from({ length: 256 }, (_, code) => codedLength(code));

/** Counts by file, and which files have any. */
class FileCounts {
  readonly #counts: Float32Array;
  readonly #files: Uint32Array;
  #size = 0;

  constructor(files: number) {
    this.#counts = new Float32Array(files);
    this.#files = new Uint32Array(files);
  }

  get size(): number {
    return this.#size;
  }

  add(file: number, count: number): void {
    const before = this.#counts[file] ?? 0;
    if (before === 0) this.#files[this.#size++] = file;
    this.#counts[file] = before + count;
  }

  /** Visits each file that was counted, and begins anew. */
  drain(visit: (file: number, count: number) => void): void {
    for (let at = 0; at < this.#size; at += 1) {
      const file = this.#files[at] ?? 0;
      visit(file, this.#counts[file] ?? 0);
      this.#counts[file] = 0;
    }
    this.#size = 0;
  }
}

interface FoundTerm {
  readonly weight: number;
  readonly parts: readonly {
    readonly view: SegmentView;
    readonly entry: NonNullable<ReturnType<SegmentView["reader"]["dictionary"]["lookup"]>>;
  }[];
  /** Documents over the whole index. */
  readonly body: number;
  readonly names: number;
  readonly postings: number;
}

interface Candidate {
  readonly view: SegmentView;
  /** Number within the segment. */
  readonly file: number;
  readonly score: number;
  readonly best: number;
}

/** The best first, then in the order of the index. */
function inOrder(one: Candidate, other: Candidate): number {
  return (
    other.score - one.score || one.view.fileBase + one.file - (other.view.fileBase + other.file)
  );
}

/** The best of many, in a heap whose root is the worst of them. */
class TopCandidates {
  readonly #limit: number;
  readonly #heap: Candidate[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What a candidate must exceed to get in. */
  get least(): number {
    return this.#heap.length < this.#limit ? 0 : (this.#heap[0]?.score ?? 0);
  }

  add(candidate: Candidate): void {
    if (this.#heap.length < this.#limit) {
      this.#rise(this.#heap.push(candidate) - 1);
    } else if (this.#limit > 0) {
      this.#heap[0] = candidate;
      this.#sink();
    }
  }

  sorted(): readonly Candidate[] {
    return this.#heap.toSorted(inOrder);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      const right = left + 1;
      let least = at;
      if (this.#isWorse(left, least)) least = left;
      if (this.#isWorse(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  /** Of equal ones the later is worse, so that a limit never changes what comes before it. */
  #isWorse(at: number, than: number): boolean {
    const one = this.#heap[at];
    const other = this.#heap[than];
    return one !== undefined && other !== undefined && inOrder(one, other) > 0;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}

/** Robertson's form with 1 added, so that a term in most documents never counts against them. */
function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function averagesOf({ segments, chunks, files }: Snapshot): {
  body: number;
  names: number;
  file: number;
} {
  let body = 0;
  let names = 0;
  for (const { reader } of segments) {
    body += reader.directory.totals.body;
    names += reader.directory.totals.names;
  }
  return {
    body: body / Math.max(1, chunks),
    names: names / Math.max(1, chunks),
    file: body / Math.max(1, files),
  };
}

/** Share of code and tests among the files. */
export function codeShare({ segments, files }: Snapshot): number {
  let code = 0;
  for (const { reader } of segments) {
    for (const facts of reader.column("facts")) if (isCode(facts)) code += 1;
  }
  return code / Math.max(1, files);
}
