// BM25 over every chunk and every file of a snapshot, term at a time into dense arrays.

import { eachPosting } from "../segment/posting-list.ts";
import { VectorScores, type QueryVector } from "./vector-scores.ts";
import { ChunkScores, FileCounts, TermWeights, type Bm25Params } from "./chunk-scores.ts";
import type { ChunkFacts } from "../segment/outline.ts";
import type { FileFacts } from "../segment/segment-reader.ts";
import type { SegmentView, IndexSnapshot } from "../embedded/snapshot.ts";
import { TopCandidates, type ScoredCandidate } from "./top-candidates.ts";

export interface CandidateWeights {
  readonly body: Bm25Params;
  readonly names: Bm25Params;
  readonly file: Bm25Params;
  /** What a defined name, and a word of the path, count for in words of a file's text; and the most that count. */
  readonly fileTerms: { readonly names: number; readonly path: number; readonly cap: number };
  /** Shares of the blended score, each part first divided by its largest value. */
  readonly blend: BlendWeights;
}

interface BlendWeights {
  readonly body: number;
  readonly names: number;
  readonly file: number;
  readonly similarity: number;
}

export interface CandidateQuery {
  /** Distinct terms with how much each counts. */
  readonly terms: ReadonlyMap<string, number>;
  /** What the question means; undefined where only words count. */
  readonly vector?: QueryVector | undefined;
  readonly weights: CandidateWeights;
  /** Most files to give. */
  readonly limit: number;
  readonly filter?: ((file: FileFacts) => boolean) | undefined;
}

/** A term of the question that occurs in the index. */
export interface CandidateTerm {
  readonly term: string;
  /** How telling it is: its inverse document frequency times what it counts in the question. */
  readonly weight: number;
}

/**
 * A chunk with its parts of the score, each 1 for the best chunk of the index. Which terms it holds stands
 * in bits: bit 0 is the first of `Candidates.terms`; those from the 33rd on have none.
 */
export interface CandidateChunk {
  readonly facts: ChunkFacts;
  readonly body: number;
  readonly names: number;
  readonly similarity: number;
  readonly bodyTerms: number;
  readonly namesTerms: number;
}

/** A file that may hold an answer. */
export interface CandidateFile {
  readonly file: FileFacts;
  /** Its blended score, best chunk included. */
  readonly score: number;
  /** Score of the file as a whole, 1 for the best. */
  readonly fileScore: number;
  /** Cosine of its nearest chunk with the question; 0 without vectors. */
  readonly maxSimilarity: number;
  /** Terms in its path, as bits. */
  readonly pathTerms: number;
  readonly chunkCount: number;
  /** Its chunks. Costs a read. */
  readonly chunks: () => Promise<readonly CandidateChunk[]>;
}

export interface Candidates {
  /** Best first. */
  readonly files: readonly CandidateFile[];
  /** Those that occur, the rarest first. */
  readonly terms: readonly CandidateTerm[];
  /** The cosine of the chunk that is nearest in meaning; 0 without vectors. */
  readonly maxSimilarity: number;
  readonly isComplete: boolean;
}

/**
 * Postings that one question may cost. Terms are taken rarest first, and when this many have been read
 * the commonest are left out: they tell documents apart least (BM25 gives a term in every fifth chunk a
 * seventh of the weight of one in a million). Reached above some 150,000 chunks only.
 */
const MAX_POSTINGS = 200_000;
/** Above so many bytes of vectors only those of the best files by words are read and compared. */
const MAX_VECTOR_BYTES_IN_MEMORY = 64 << 20;
/** So many files are compared then. */
const MAX_COMPARED_FILES = 600;
/** These many terms count whatever they cost. */
const MIN_TERMS = 3;

/** Scores questions on one snapshot, in arrays that are used again. Cost: about 5 ns a posting. */
export class Bm25Scorer {
  readonly #snapshot: IndexSnapshot;
  readonly #body: ChunkScores;
  readonly #names: ChunkScores;
  readonly #similarity: VectorScores;
  readonly #file: Float32Array;
  /** Terms in the path of each file, as bits. */
  readonly #pathTerms: Uint32Array;
  #maxFileScore = 0;
  /** Occurrences of the current term in each file, and which files have any. */
  readonly #counts: FileCounts;
  readonly #averages: { readonly body: number; readonly names: number; readonly file: number };
  readonly #vectorsInMemory: number;

  /** `vectorsInMemory`: with more bytes of vectors only those of the best files by words are compared. */
  constructor(snapshot: IndexSnapshot, { vectorsInMemory = MAX_VECTOR_BYTES_IN_MEMORY } = {}) {
    this.#snapshot = snapshot;
    this.#vectorsInMemory = vectorsInMemory;
    this.#body = new ChunkScores(snapshot);
    this.#names = new ChunkScores(snapshot);
    this.#similarity = new VectorScores(snapshot);
    this.#file = new Float32Array(snapshot.files);
    this.#pathTerms = new Uint32Array(snapshot.files);
    this.#counts = new FileCounts(snapshot.files);
    this.#averages = averagesOf(snapshot);
  }

  /**
   * The files that answer best by words and meaning. When `isLate` says so, terms that have not been looked
   * at are left out; the rarest come first.
   */
  search(query: CandidateQuery, isLate: () => boolean): Candidates {
    this.#clear();
    const found = this.#termsFound(query);
    let spent = 0;
    let isComplete = true;
    for (const [at, term] of found.entries()) {
      if (at >= MIN_TERMS && spent + term.postings > MAX_POSTINGS) break;
      isComplete = !isLate();
      if (!isComplete) break;
      spent += term.postings;
      this.#scoreTerm(term, query.weights, at < 32 ? 1 << at : 0);
    }
    const { chunks } = this.#snapshot;
    const terms = found.map(({ term, weight, body }) => ({
      term,
      weight: weight * inverseFrequency(chunks, body),
    }));
    const files = this.#files(this.#bestCandidates(query));
    return { files, terms, maxSimilarity: this.#similarity.max, isComplete };
  }

  /** The best files by words and, when the question has a vector, by meaning. */
  #bestCandidates(query: CandidateQuery): readonly ScoredCandidate[] {
    const { vector, limit } = query;
    if (vector === undefined) return this.#top(query);
    if (this.#vectorsLength() <= this.#vectorsInMemory) {
      this.#similarity.compareAll(vector);
      return this.#top(query);
    }
    const byWords = this.#top({ ...query, limit: Math.max(limit, MAX_COMPARED_FILES) });
    for (const { view, file } of byWords) this.#similarity.compareFile(vector, view, file);
    return this.#top(query);
  }

  #vectorsLength(): number {
    return this.#snapshot.segments.reduce((sum, { reader }) => sum + reader.vectorsLength, 0);
  }

  #clear(): void {
    this.#body.clear();
    this.#names.clear();
    this.#similarity.clear();
    this.#file.fill(0);
    this.#pathTerms.fill(0);
    this.#maxFileScore = 1e-9;
  }

  /** The terms that occur, rarest first. */
  #termsFound({ terms }: CandidateQuery): readonly FoundTerm[] {
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
      if (postings > 0) found.push({ term, weight, parts, body, names, postings });
    }
    return found.toSorted((one, other) => one.postings - other.postings);
  }

  #scoreTerm(
    { weight, parts, body, names }: FoundTerm,
    weights: CandidateWeights,
    bit: number,
  ): void {
    const { chunks, files } = this.#snapshot;
    const bodyIdf = weight * inverseFrequency(chunks, body);
    const namesIdf = weight * inverseFrequency(chunks, names);
    const bodyWeights = new TermWeights(weights.body, this.#averages.body, bodyIdf);
    const namesWeights = new TermWeights(weights.names, this.#averages.names, namesIdf);
    const { names: perName, path: perPath } = weights.fileTerms;
    for (const { view, entry } of parts) {
      const { reader } = view;
      const lists = reader.dictionary.listsOf(entry);
      const bodyCounts = { counts: this.#counts, step: 0, bit };
      this.#body.add(lists.body, view, {
        codes: reader.bodyCodes(),
        weights: bodyWeights,
        ...bodyCounts,
      });
      const namesCounts = { counts: this.#counts, step: perName, bit };
      this.#names.add(lists.names, view, {
        codes: reader.namesCodes(),
        weights: namesWeights,
        ...namesCounts,
      });
      eachPosting(lists.path, (file, frequency) => {
        this.#counts.add(view.fileBase + file, perPath * frequency);
        this.#pathTerms[view.fileBase + file] = (this.#pathTerms[view.fileBase + file] ?? 0) | bit;
      });
    }
    this.#scoreFiles(weight * inverseFrequency(files, this.#counts.size), weights);
  }

  /** Gives the files that were counted their share, and forgets the counts. */
  #scoreFiles(idf: number, { file: { k1, b }, fileTerms }: CandidateWeights): void {
    const maxCount = fileTerms.cap * 4;
    const fixed = k1 * (1 - b);
    const perLength = (k1 * b) / Math.max(1e-9, this.#averages.file);
    const scale = idf * (k1 + 1);
    const lengths = this.#snapshot.fileLengths();
    this.#counts.drain((file, count) => {
      const frequency = Math.min(maxCount, count);
      const norm = fixed + perLength * (lengths[file] ?? 0);
      const score = (this.#file[file] ?? 0) + (scale * frequency) / (frequency + norm);
      this.#file[file] = score;
      if (score > this.#maxFileScore) this.#maxFileScore = score;
    });
  }

  /** The best files by the blend of their own score and their best chunk's. */
  #top({ limit, filter, weights: { blend } }: CandidateQuery): readonly ScoredCandidate[] {
    const top = new TopCandidates(limit);
    const scale = this.#scale(blend);
    for (const view of this.#snapshot.segments) {
      const { reader, tombstones, chunkBase, fileBase } = view;
      const first = reader.column("firstChunk");
      for (let ordinal = 0; ordinal < first.length; ordinal += 1) {
        const file = fileBase + ordinal;
        const own = (this.#file[file] ?? 0) * scale.file;
        // No chunk has more than the most of each part: what that does not lift in stays out.
        const maxChunkScore =
          this.#body.maxOf(file) * scale.body +
          this.#names.maxOf(file) * scale.names +
          this.#similarity.maxOf(file) * scale.similarity;
        if (own + maxChunkScore <= top.minScore || tombstones[ordinal] === 1) continue;
        const end = chunkBase + (first[ordinal + 1] ?? reader.chunks);
        let best = 0;
        for (let chunk = chunkBase + (first[ordinal] ?? 0); chunk < end; chunk += 1) {
          const score =
            this.#body.at(chunk) * scale.body +
            this.#names.at(chunk) * scale.names +
            this.#similarity.at(chunk) * scale.similarity;
          if (score > best) best = score;
        }
        const score = own + best;
        if (score > top.minScore && (filter === undefined || filter(reader.file(ordinal)))) {
          top.add({ view, file: ordinal, score });
        }
      }
    }
    return top.sorted();
  }

  /** What makes the best of each part count its share. */
  #scale({ body, names, file, similarity }: BlendWeights): BlendWeights {
    return {
      body: body / this.#body.max,
      names: names / this.#names.max,
      file: file / this.#maxFileScore,
      similarity: similarity / this.#similarity.scale,
    };
  }

  /**
   * With copies of their chunks' scores: the next question, which may come before this one is answered,
   * uses the arrays again.
   */
  #files(candidates: readonly ScoredCandidate[]): readonly CandidateFile[] {
    const count = candidates.reduce((sum, { view, file }) => {
      const [from, to] = view.reader.chunkRange(file);
      return sum + to - from;
    }, 0);
    const shares: NormalizedScores = {
      body: new Float32Array(count),
      names: new Float32Array(count),
      similarity: new Float32Array(count),
      bodyTerms: new Uint32Array(count),
      namesTerms: new Uint32Array(count),
    };
    let end = 0;
    return candidates.map(({ view, file, score }) => {
      const [from, to] = view.reader.chunkRange(file);
      const start = end;
      for (let chunk = view.chunkBase + from; chunk < view.chunkBase + to; chunk += 1) {
        shares.body[end] = this.#body.at(chunk) / this.#body.max;
        shares.names[end] = this.#names.at(chunk) / this.#names.max;
        shares.similarity[end] = this.#similarity.at(chunk) / this.#similarity.scale;
        shares.bodyTerms[end] = this.#body.termsOf(chunk);
        shares.namesTerms[end] = this.#names.termsOf(chunk);
        end += 1;
      }
      return {
        file: view.reader.file(file),
        score,
        fileScore: (this.#file[view.fileBase + file] ?? 0) / this.#maxFileScore,
        maxSimilarity: this.#similarity.maxOf(view.fileBase + file),
        pathTerms: this.#pathTerms[view.fileBase + file] ?? 0,
        chunkCount: to - from,
        chunks: async () => chunksWith(view.reader.chunksOf(file), shares, start),
      };
    });
  }
}

/** What a question gives each of many chunks. */
interface NormalizedScores {
  readonly body: Float32Array;
  readonly names: Float32Array;
  readonly similarity: Float32Array;
  readonly bodyTerms: Uint32Array;
  readonly namesTerms: Uint32Array;
}

/** The chunks of a file with their shares, which begin at `start`. */
function chunksWith(
  all: readonly ChunkFacts[],
  shares: NormalizedScores,
  start: number,
): readonly CandidateChunk[] {
  return all.map((facts, at) => ({
    facts,
    body: shares.body[start + at] ?? 0,
    names: shares.names[start + at] ?? 0,
    similarity: shares.similarity[start + at] ?? 0,
    bodyTerms: shares.bodyTerms[start + at] ?? 0,
    namesTerms: shares.namesTerms[start + at] ?? 0,
  }));
}

interface FoundTerm {
  readonly term: string;
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

/** Robertson's form with 1 added, so that a term in most documents never counts against them. */
function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function averagesOf({ segments, chunks, files }: IndexSnapshot): {
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
