// Scores by the formulas (docs/ranking.md), computed without an index.

import type { EmbeddingSource } from "../../src/embed/embedding-source.ts";
import { cosineFactor } from "../../src/embed/quantize.ts";
import type { CandidateQuery } from "../../src/index/scoring/candidates.ts";
import { codedLength, lengthCode } from "../../src/index/coding/length-code.ts";
import type { FileInput } from "../../src/index/types.ts";
import {
  BLEND,
  BODY_BM25,
  FILE_BM25,
  FILE_TERM_COUNTS,
  NAMES_BM25,
} from "../../src/search/weights.ts";
import { components } from "../embed/helpers.ts";
import { documentsOf, lengthOf, type Counts } from "./segments.ts";
import { vectorsOf } from "./vectors.ts";

type Terms = CandidateQuery["terms"];
type Question = Pick<CandidateQuery, "terms" | "vector">;

/** The files of one segment, with 1 for each deleted one, and the inputs of its vectors. */
export interface Part {
  readonly files: readonly FileInput[];
  readonly dead: readonly number[];
  readonly embeddings?: EmbeddingSource | undefined;
}

export interface NaiveChunk {
  readonly startLine: number;
  readonly body: number;
  readonly names: number;
  readonly similarity: number;
  /** Distinct terms of the question, sorted. */
  readonly bodyTerms: readonly string[];
  readonly namesTerms: readonly string[];
}

export interface NaiveFile {
  readonly path: string;
  readonly score: number;
  readonly own: number;
  readonly pathTerms: readonly string[];
  readonly chunks: readonly NaiveChunk[];
}

export interface NaiveCandidates {
  /** Live files with any score, in order of their numbers. */
  readonly files: readonly NaiveFile[];
  /** Term -> weight. */
  readonly terms: ReadonlyMap<string, number>;
  readonly maxSimilarity: number;
}

function inverseFrequency(total: number, documents: number): number {
  return Math.log(1 + (total - documents + 0.5) / (documents + 0.5));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** How often each term occurs in each document. */
function countsOf(
  terms: Terms,
  documents: readonly Counts[],
): ReadonlyMap<string, readonly number[]> {
  const count = (term: string): readonly number[] =>
    documents.map((one) => Math.min(255, one.get(term) ?? 0));
  return new Map([...terms.keys()].map((term) => [term, count(term)]));
}

/** BM25 of documents whose lengths are `lengths` for terms that occur `counts` times in each. */
function bm25(
  { k1, b }: { k1: number; b: number },
  counts: ReadonlyMap<string, readonly number[]>,
  { lengths, average, terms }: { lengths: readonly number[]; average: number; terms: Terms },
): readonly number[] {
  const scores = lengths.map(() => 0);
  for (const [term, weight] of terms) {
    const frequencies = counts.get(term) ?? [];
    const idf = weight * inverseFrequency(lengths.length, holding(frequencies));
    for (const [at, frequency] of frequencies.entries()) {
      if (frequency === 0) continue;
      const norm = k1 * (1 - b + (b * (lengths[at] ?? 0)) / Math.max(1e-9, average));
      scores[at] = (scores[at] ?? 0) + (idf * (k1 + 1) * frequency) / (frequency + norm);
    }
  }
  return scores;
}

function holding(frequencies: readonly number[] = []): number {
  return frequencies.filter((frequency) => frequency > 0).length;
}

/** The cosine of each chunk with the question, 0 without a vector or with a negative one. */
function cosinesOf(
  parts: readonly Omit<Part, "dead">[],
  vector: CandidateQuery["vector"],
): readonly number[] {
  return parts.flatMap(({ files, embeddings }) =>
    files.flatMap((file) => {
      const none = file.chunks.map(() => 0);
      if (vector === undefined || embeddings?.id !== vector.embedder) return none;
      if (!file.isFinal) return none;
      const query = vector.components;
      return vectorsOf(file, embeddings).map((bytes) => {
        const stored = components(bytes, query.length);
        const dot = sum(stored.map((value, index) => value * (query[index] ?? 0)));
        return Math.max(0, dot * cosineFactor(query));
      });
    }),
  );
}

/**
 * The expected result of a search, from the formulas. `onlyWorded`: vectors are compared only in files that
 * contain a word of the query.
 */
export function naive(
  parts: readonly Part[],
  { terms, vector }: Question,
  { onlyWorded = false } = {},
): NaiveCandidates {
  // Nothing of a deleted file counts.
  const live = parts.map(({ files: all, dead, ...rest }) => {
    const files = all.filter((_, at) => dead[at] !== 1);
    return { ...rest, files };
  });
  const files = live.flatMap((part) => part.files);
  const owners = files.flatMap(({ chunks }, file) => chunks.map(() => file));
  const ofChunks = { body: documentsOf(files, "body"), names: documentsOf(files, "names") };
  const counts = {
    body: countsOf(terms, ofChunks.body),
    names: countsOf(terms, ofChunks.names),
    path: countsOf(terms, documentsOf(files, "path")),
  };
  const scoresOf = (field: "body" | "names"): readonly number[] => {
    const lengths = ofChunks[field].map(lengthOf);
    return bm25({ body: BODY_BM25, names: NAMES_BM25 }[field], counts[field], {
      lengths: lengths.map((length) => codedLength(lengthCode(length))),
      average: sum(lengths) / lengths.length,
      terms,
    });
  };
  const own = fileScores(files, owners, { counts, terms, body: ofChunks.body });
  const cosines = cosinesOf(live, vector).map((cosine, chunk) =>
    onlyWorded && (own[owners[chunk] ?? 0] ?? 0) === 0 ? 0 : cosine,
  );
  const shares = {
    body: shareOf(scoresOf("body")),
    names: shareOf(scoresOf("names")),
    meaning: shareOf(cosines, CLOSE),
    own: shareOf(own),
  };
  const termsIn = (of: ReadonlyMap<string, readonly number[]>, at: number): readonly string[] =>
    [...terms.keys()].filter((term) => (of.get(term)?.[at] ?? 0) > 0).toSorted();
  const found = files.map(({ path, chunks }, file): NaiveFile => {
    const base = owners.indexOf(file);
    const shown = chunks.map(({ startLine }, at): NaiveChunk => ({
      startLine,
      body: shares.body[base + at] ?? 0,
      names: shares.names[base + at] ?? 0,
      similarity: shares.meaning[base + at] ?? 0,
      bodyTerms: termsIn(counts.body, base + at),
      namesTerms: termsIn(counts.names, base + at),
    }));
    const best = Math.max(
      0,
      ...shown.map(
        ({ body, names, similarity }) =>
          body * BLEND.body + names * BLEND.names + similarity * BLEND.similarity,
      ),
    );
    const ownShare = shares.own[file] ?? 0;
    return {
      path,
      score: ownShare * BLEND.file + best,
      own: ownShare,
      pathTerms: termsIn(counts.path, file),
      chunks: shown,
    };
  });
  const occurring = [...terms].filter(([term]) =>
    Object.values(counts).some((of) => holding(of.get(term)) > 0),
  );
  return {
    files: found.filter(({ score }) => score > 0),
    terms: new Map(
      occurring.map(([term, weight]) => [
        term,
        weight * inverseFrequency(owners.length, holding(counts.body.get(term))),
      ]),
    ),
    maxSimilarity: Math.max(0, ...cosines),
  };
}

/** BM25 of whole files: of their text, and of their definitions and names, which have more weight. */
function fileScores(
  files: readonly FileInput[],
  owners: readonly number[],
  {
    counts,
    terms,
    body,
  }: {
    counts: Readonly<Record<"body" | "names" | "path", ReadonlyMap<string, readonly number[]>>>;
    terms: Terms;
    body: readonly Counts[];
  },
): readonly number[] {
  const lengths = files.map((_, file) =>
    sum(body.filter((_one, at) => owners[at] === file).map(lengthOf)),
  );
  const countIn = (term: string, file: number): number => {
    const inChunks = owners.map((owner, at) => {
      if (owner !== file) return 0;
      const isNamed = (counts.names.get(term)?.[at] ?? 0) > 0;
      return (counts.body.get(term)?.[at] ?? 0) + (isNamed ? FILE_TERM_COUNTS.names : 0);
    });
    const inPath = counts.path.get(term)?.[file] ?? 0;
    return Math.min(FILE_TERM_COUNTS.cap * 4, sum(inChunks) + inPath * FILE_TERM_COUNTS.path);
  };
  const ofFiles = new Map(
    [...terms.keys()].map((term) => [term, files.map((_, file) => countIn(term, file))]),
  );
  return bm25(FILE_BM25, ofFiles, { lengths, average: sum(lengths) / files.length, terms });
}

/** A cosine is a share of this value if none is larger. */
const CLOSE = 0.5;

/** Scores as shares of the best one, or of `least` if none is as large. */
function shareOf(values: readonly number[], least = 1e-9): readonly number[] {
  const best = Math.max(least, ...values);
  return values.map((value) => value / best);
}
