// BM25 scores of every chunk and file of a snapshot, computed term at a time in dense arrays.

import { eachPosting } from "../coding/posting-list.ts";
import { VectorScores, type QueryVector } from "./vector-scores.ts";
import { ChunkScores, FileCounts, TermWeights, type Bm25Params } from "./chunk-scores.ts";
import type { ChunkFacts, FileFacts } from "../types.ts";
import type { ScoredView, ScoredSegments } from "./scored-segments.ts";
import { TopCandidates, type ScoredCandidate } from "./top-candidates.ts";

/** Parameters of scoring: BM25 of each field, and the blend. */
export interface CandidateWeights {
  readonly body: Bm25Params;
  readonly names: Bm25Params;
  readonly file: Bm25Params;
  /** Term frequencies that a defined name and a path word add to a file, and the maximum frequency that counts. */
  readonly fileTerms: { readonly names: number; readonly path: number; readonly cap: number };
  /** Weights of the parts of the blended score; each part is first divided by its maximum. */
  readonly blend: BlendWeights;
}

interface BlendWeights {
  readonly body: number;
  readonly names: number;
  readonly file: number;
  readonly similarity: number;
}

/** A query for candidate files. */
export interface CandidateQuery {
  /** Distinct terms and their weights. */
  readonly terms: ReadonlyMap<string, number>;
  /** The query's vector; undefined if only terms count. */
  readonly vector?: QueryVector | undefined;
  readonly weights: CandidateWeights;
  /** Maximum number of files. */
  readonly limit: number;
  /** Keeps only files for which it returns true. */
  readonly filter?: ((file: FileFacts) => boolean) | undefined;
}

/** A query term that occurs in the index. */
export interface CandidateTerm {
  readonly term: string;
  /** Its inverse document frequency times its weight in the query. */
  readonly weight: number;
}

/**
 * A chunk with the parts of its score, each 1 for the best chunk of the index. A bit set shows which terms it
 * contains: bit 0 is the first of `Candidates.terms`; from the 33rd on, terms have no bit.
 */
export interface CandidateChunk {
  readonly facts: ChunkFacts;
  readonly body: number;
  readonly names: number;
  readonly similarity: number;
  readonly bodyTerms: number;
  readonly namesTerms: number;
}

/** A file that may be a result. */
export interface CandidateFile {
  readonly file: FileFacts;
  /** Its blended score, including its best chunk. */
  readonly score: number;
  /** Score of the whole file, 1 for the best. */
  readonly fileScore: number;
  /** Largest cosine of a chunk of it with the query; 0 without vectors. */
  readonly maxSimilarity: number;
  /** Terms in its path, as a bit set. */
  readonly pathTerms: number;
  readonly chunkCount: number;
  /** Reads its chunks. */
  readonly chunks: () => Promise<readonly CandidateChunk[]>;
}

/** Result of a candidate search. */
export interface Candidates {
  /** Best first. */
  readonly files: readonly CandidateFile[];
  /** The terms that occur, rarest first. */
  readonly terms: readonly CandidateTerm[];
  /** The largest cosine of any chunk; 0 without vectors. */
  readonly maxSimilarity: number;
  /** False if time ran out before every term was scored. */
  readonly isComplete: boolean;
}

/**
 * Maximum postings to read per query. Terms are read rarest first. When the limit is reached, the most frequent
 * terms are skipped: they distinguish documents least (BM25 gives a term in every fifth chunk a seventh of the
 * weight of one in a million). Only indexes above some 150,000 chunks reach it.
 */
const MAX_POSTINGS = 200_000;
/** With more bytes of vectors than this, only the vectors of the best files by terms are read and compared. */
const MAX_VECTOR_BYTES_IN_MEMORY = 64 << 20;
/** Number of files to compare in that case. */
const MAX_COMPARED_FILES = 600;
/** This many terms are always read, whatever their postings. */
const MIN_TERMS = 3;

/** Scores queries on one snapshot and reuses its arrays. Takes about 5 ns per posting. */
export class Bm25Scorer {
  readonly #snapshot: ScoredSegments;
  readonly #body: ChunkScores;
  readonly #names: ChunkScores;
  readonly #similarity: VectorScores;
  readonly #file: Float32Array;
  /** Terms in the path of each file, as a bit set. */
  readonly #pathTerms: Uint32Array;
  #maxFileScore = 0;
  /** Occurrences of the current term by file. */
  readonly #counts: FileCounts;
  readonly #averages: { readonly body: number; readonly names: number; readonly file: number };
  readonly #vectorsInMemory: number;

  /** `vectorsInMemory`: with more bytes of vectors, only those of the best files by terms are compared. */
  constructor(snapshot: ScoredSegments, { vectorsInMemory = MAX_VECTOR_BYTES_IN_MEMORY } = {}) {
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
   * Returns the best files by terms and vectors. Once `isLate` returns true, the remaining terms are skipped;
   * the rarest come first.
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

  /** Returns the best files by terms and, if the query has a vector, by similarity. */
  #bestCandidates(query: CandidateQuery): readonly ScoredCandidate[] {
    const { vector, limit } = query;
    if (vector === undefined) return this.#top(query);
    if (this.#vectorsLength() <= this.#vectorsInMemory) {
      this.#similarity.compareAll(vector);
      return this.#top(query);
    }
    const byTerms = this.#top({ ...query, limit: Math.max(limit, MAX_COMPARED_FILES) });
    for (const { view, file } of byTerms) this.#similarity.compareFile(vector, view, file);
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

  /** Adds the current term's score to the counted files and clears the counts. */
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

  /** Returns the best files by the blend of their own score and their best chunk's. */
  #top({ limit, filter, weights: { blend } }: CandidateQuery): readonly ScoredCandidate[] {
    const top = new TopCandidates(limit);
    const scale = this.#scale(blend);
    for (const view of this.#snapshot.segments) {
      const { reader, tombstones, chunkBase, fileBase } = view;
      const first = reader.column("firstChunk");
      for (let ordinal = 0; ordinal < first.length; ordinal += 1) {
        const file = fileBase + ordinal;
        const own = (this.#file[file] ?? 0) * scale.file;
        // The maximum of each part is an upper bound for every chunk: a file below the minimum score is
        // skipped.
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

  /** Factors that scale the maximum of each part to its weight. */
  #scale({ body, names, file, similarity }: BlendWeights): BlendWeights {
    return {
      body: body / this.#body.max,
      names: names / this.#names.max,
      file: file / this.#maxFileScore,
      similarity: similarity / this.#similarity.scale,
    };
  }

  /**
   * Builds the results with copies of their chunks' scores, because the next query, which may come before this
   * one is answered, reuses the arrays.
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

/** Scores of many chunks for one query. */
interface NormalizedScores {
  readonly body: Float32Array;
  readonly names: Float32Array;
  readonly similarity: Float32Array;
  readonly bodyTerms: Uint32Array;
  readonly namesTerms: Uint32Array;
}

/** Returns the chunks of a file with their scores, which begin at `start`. */
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
    readonly view: ScoredView;
    readonly entry: NonNullable<ReturnType<ScoredView["reader"]["dictionary"]["lookup"]>>;
  }[];
  /** Number of documents in the whole index. */
  readonly body: number;
  readonly names: number;
  readonly postings: number;
}

/**
 * The inverse document frequency: Robertson's form with 1 added, so that a term in most documents is never
 * negative.
 */
function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function averagesOf({ segments, chunks, files }: ScoredSegments): {
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
