// Finds the candidate files of an index in all of its shards, of which there may be one.

import {
  byScore,
  type BestFile,
  type BestRound,
  type CandidateShard,
  type ScoreMaxima,
  type ShardStatistics,
  type TermsRound,
} from "./candidate-shard.ts";
import type { CandidateFile, CandidateQuery, Candidates } from "./candidates.ts";
import { addDocuments, NO_DOCUMENTS, type TermDocuments } from "./term-documents.ts";

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
/** The least maximum of each part: it is a divisor. */
const MIN_MAXIMUM = 1e-9;

interface SearchOptions {
  /** With more bytes of vectors, only those of the best files by terms are compared. */
  readonly vectorsInMemory?: number;
}

/**
 * Returns the best files by terms and vectors. `shards`: searches that have begun with the terms of the query, in its
 * order; this ends them.
 */
export async function findCandidates(
  shards: readonly CandidateShard[],
  query: CandidateQuery,
  { vectorsInMemory = MAX_VECTOR_BYTES_IN_MEMORY }: SearchOptions = {},
): Promise<Candidates> {
  try {
    return await new CandidateSearch(shards, query).find(vectorsInMemory);
  } finally {
    for (const shard of shards) shard.end();
  }
}

/** A term that occurs in the index. */
interface FoundTerm {
  readonly term: string;
  /** Its weight in the query. */
  readonly weight: number;
  readonly documents: TermDocuments;
  readonly postings: number;
}

/** A file and its shard. */
interface FoundFile {
  readonly best: BestFile;
  readonly shard: number;
}

class CandidateSearch {
  readonly #shards: readonly CandidateShard[];
  readonly #query: CandidateQuery;

  constructor(shards: readonly CandidateShard[], query: CandidateQuery) {
    this.#shards = shards;
    this.#query = query;
  }

  async find(vectorsInMemory: number): Promise<Candidates> {
    const { vector } = this.#query;
    const statistics = sumOf(await this.#each((shard) => shard.statistics()));
    const found = termsFound(this.#query, statistics.documents);
    const isComplete = await this.#scoreTerms(found, statistics);
    const comparesAll = statistics.vectorBytes <= vectorsInMemory;
    if (vector !== undefined) {
      if (comparesAll) await this.#each((shard) => shard.compareAll(vector));
      else await this.#compareBest();
    }
    const maxima = await this.#maxima();
    const best = await this.#best(this.#query.limit, maxima);
    return {
      files: await this.#results(best, maxima),
      terms: found.map(({ term, weight, documents }) => ({
        term,
        weight: weight * inverseFrequency(statistics.chunks, documents.body),
      })),
      maxSimilarity: maxima.similarity,
      isComplete,
    };
  }

  #each<T>(call: (shard: CandidateShard, at: number) => T | Promise<T>): Promise<readonly T[]> {
    return Promise.all(this.#shards.map(call));
  }

  /** Returns false if time ran out before every term was scored. */
  async #scoreTerms(found: readonly FoundTerm[], statistics: ShardStatistics): Promise<boolean> {
    const terms = withinBudget(found);
    const { chunks } = statistics;
    const scored = terms.map(({ term, weight, documents: { body, names } }, at) => ({
      term,
      bit: at < 32 ? 1 << at : 0,
      body: weight * inverseFrequency(chunks, body),
      names: weight * inverseFrequency(chunks, names),
    }));
    const { weights } = this.#query;
    const averages = averagesOf(statistics);
    // One shard knows the files of each term at once. Several exchange those of all terms together, as a round may cost
    // a message to another machine.
    const step = this.#shards.length === 1 ? 1 : Math.max(1, terms.length);
    for (let from = 0; from < terms.length; from += step) {
      const round: TermsRound = { terms: scored.slice(from, from + step), weights, averages };
      // oxlint-disable-next-line no-await-in-loop -- one shard scores one term after the other
      const counts = await this.#each((shard) => shard.scoreTerms(round));
      const known = Math.max(...counts.map((ofShard) => ofShard.length));
      const files = round.terms
        .slice(0, known)
        .map((_, at) => counts.reduce((sum, ofShard) => sum + (ofShard[at] ?? 0), 0));
      const fileWeights = files.map(
        (count, at) => (terms[from + at]?.weight ?? 0) * inverseFrequency(statistics.files, count),
      );
      // oxlint-disable-next-line no-await-in-loop -- as above
      await this.#each((shard) => shard.scoreFiles(fileWeights));
      if (counts.some((ofShard) => ofShard.length < round.terms.length)) return false;
    }
    return true;
  }

  /** Compares the vectors of the best files by terms. */
  async #compareBest(): Promise<void> {
    const { vector, limit } = this.#query;
    if (vector === undefined) return;
    const byTerms = await this.#best(Math.max(limit, MAX_COMPARED_FILES), await this.#maxima());
    const ofShards = Map.groupBy(byTerms, ({ shard }) => shard);
    await this.#each((shard, at) => {
      const files = ofShards.get(at) ?? [];
      const numbers = files.map(({ best }) => best.file);
      return shard.compareFiles(vector, numbers);
    });
  }

  async #maxima(): Promise<ScoreMaxima> {
    const all = await this.#each((shard) => shard.maxima());
    const max = (part: keyof ScoreMaxima, least: number): number =>
      Math.max(least, ...all.map((ofShard) => ofShard[part]));
    return {
      body: max("body", MIN_MAXIMUM),
      names: max("names", MIN_MAXIMUM),
      file: max("file", MIN_MAXIMUM),
      similarity: max("similarity", 0),
    };
  }

  async #best(limit: number, maxima: ScoreMaxima): Promise<readonly FoundFile[]> {
    const { paths, filter, weights } = this.#query;
    const round: BestRound = { limit, paths, filter, maxima, blend: weights.blend };
    const all = await this.#each((shard) => shard.best(round));
    const found = all.flatMap((files, shard) => files.map((best) => ({ best, shard })));
    if (all.length === 1) return found;
    return found.toSorted((one, other) => byScore(one.best, other.best)).slice(0, limit);
  }

  async #results(
    found: readonly FoundFile[],
    maxima: ScoreMaxima,
  ): Promise<readonly CandidateFile[]> {
    const ofShards = Map.groupBy(found, ({ shard }) => shard);
    const results = await this.#each((shard, at) => {
      const files = ofShards.get(at) ?? [];
      return shard.results(
        files.map(({ best }) => best),
        maxima,
      );
    });
    const next = results.map(() => 0);
    return found.flatMap(({ shard }) => {
      const at = next[shard] ?? 0;
      next[shard] = at + 1;
      return results[shard]?.[at] ?? [];
    });
  }
}

function sumOf(all: readonly ShardStatistics[]): ShardStatistics {
  const sum = (value: (one: ShardStatistics) => number): number =>
    all.reduce((total, one) => total + value(one), 0);
  return {
    chunks: sum(({ chunks }) => chunks),
    files: sum(({ files }) => files),
    lengths: {
      body: sum(({ lengths }) => lengths.body),
      names: sum(({ lengths }) => lengths.names),
    },
    vectorBytes: sum(({ vectorBytes }) => vectorBytes),
    documents: (all[0]?.documents ?? []).map((_, at) =>
      all.map(({ documents }) => documents[at] ?? NO_DOCUMENTS).reduce(addDocuments),
    ),
  };
}

/** The terms that occur, rarest first. */
function termsFound(
  { terms }: CandidateQuery,
  documents: readonly TermDocuments[],
): readonly FoundTerm[] {
  return [...terms]
    .map(([term, weight], at): FoundTerm => {
      const ofTerm = documents[at] ?? NO_DOCUMENTS;
      const postings = ofTerm.body + ofTerm.names + ofTerm.path;
      return { term, weight, documents: ofTerm, postings };
    })
    .filter(({ postings }) => postings > 0)
    .toSorted((one, other) => one.postings - other.postings);
}

/** The terms whose postings are read. */
function withinBudget(found: readonly FoundTerm[]): readonly FoundTerm[] {
  let spent = 0;
  const end = found.findIndex(({ postings }, at) => {
    if (at >= MIN_TERMS && spent + postings > MAX_POSTINGS) return true;
    spent += postings;
    return false;
  });
  return end < 0 ? found : found.slice(0, end);
}

/**
 * The inverse document frequency: Robertson's form with 1 added, so that a term in most documents is never
 * negative.
 */
function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function averagesOf({ chunks, files, lengths }: ShardStatistics): TermsRound["averages"] {
  return {
    body: lengths.body / Math.max(1, chunks),
    names: lengths.names / Math.max(1, chunks),
    file: lengths.body / Math.max(1, files),
  };
}
