// The messages between nodes while one of them searches in shards of the other. A message has one or more rounds of
// `CandidateShard`, its reply the results. Typed arrays are Base64, in the byte order of all processors that svc runs
// on.

import * as v from "valibot";

import type { TermsRound, BestFile } from "../../index/scoring/candidate-shard.ts";
import type { CandidateFile } from "../../index/scoring/candidates.ts";
import { chunksWith, sharesOf, sharesFor } from "../../index/scoring/chunk-shares.ts";
import type { NumberedFiles } from "../../index/scoring/numbered-files.ts";
import type { QueryVector } from "../../index/scoring/vector-scores.ts";

const NUMBER = v.number();
const NUMBERS = v.array(NUMBER);
/** Typed arrays, which fail to unpack if they are cut off. */
const BYTES = v.string();

const VECTOR = v.object({ embedder: v.string(), components: BYTES });
const MAXIMA = v.object({ body: NUMBER, names: NUMBER, file: NUMBER, similarity: NUMBER });
const DOCUMENTS = v.object({ body: NUMBER, names: NUMBER, path: NUMBER });
const BM25 = v.object({ k1: NUMBER, b: NUMBER });
const BLEND = v.object({ body: NUMBER, names: NUMBER, file: NUMBER, similarity: NUMBER });

const TERMS_ROUND = v.object({
  terms: v.array(v.object({ term: v.string(), bit: NUMBER, body: NUMBER, names: NUMBER })),
  weights: v.object({
    body: BM25,
    names: BM25,
    file: BM25,
    fileTerms: v.object({ names: NUMBER, path: NUMBER, cap: NUMBER }),
    blend: BLEND,
  }),
  averages: v.object({ body: NUMBER, names: NUMBER, file: NUMBER }),
}) satisfies v.GenericSchema<unknown, TermsRound>;

/** Numbers of files, and their scores. */
const SCORED_FILES = v.object({ files: BYTES, scores: BYTES });

const CALL = v.variant("method", [
  v.object({ method: v.literal("statistics") }),
  v.object({ method: v.literal("scoreTerms"), round: TERMS_ROUND }),
  v.object({ method: v.literal("compareAll"), vector: VECTOR }),
  v.object({ method: v.literal("scoreFiles"), weights: NUMBERS }),
  v.object({ method: v.literal("maxima") }),
  v.object({
    method: v.literal("best"),
    limit: NUMBER,
    paths: v.optional(v.array(v.string())),
    maxima: MAXIMA,
    blend: BLEND,
  }),
  v.object({ method: v.literal("compareFiles"), vector: VECTOR, files: BYTES }),
  v.object({ method: v.literal("results"), found: SCORED_FILES, maxima: MAXIMA }),
  v.object({ method: v.literal("end") }),
]);

/** The shard to search in, and the terms. */
const BEGIN = v.object({
  namespace: v.string(),
  version: v.object({ epoch: v.string(), at: NUMBER }),
  shard: NUMBER,
  shards: NUMBER,
  terms: v.array(v.string()),
  /** Milliseconds; terms that are not scored by then are skipped. */
  withinMs: v.optional(NUMBER),
});

const SEARCH_MESSAGE = v.object({
  /** Random id of the search, chosen by who asks. */
  search: v.string(),
  /** In the first message of a search. */
  begin: v.optional(BEGIN),
  calls: v.array(CALL),
});

const SEARCH_REPLY = v.union([
  v.object({ results: v.array(v.unknown()) }),
  /**
   * `version`: this node has another version of the index. `busy`: it searches for too many others. `unknown`: it knows no
   * search of this id.
   */
  v.object({ refusal: v.picklist(["version", "busy", "unknown"]) }),
]);

/** Messages that leave at the same time, about several shards. */
export const MESSAGES = v.object({ messages: v.array(SEARCH_MESSAGE) });
/** The replies to them, in their order. */
export const REPLIES = v.object({ replies: v.array(SEARCH_REPLY) });

export const STATISTICS = v.object({
  chunks: NUMBER,
  files: NUMBER,
  lengths: v.object({ body: NUMBER, names: NUMBER }),
  vectorBytes: NUMBER,
  documents: v.array(DOCUMENTS),
});

/** The scores of files, one after the other, and those of all their chunks. */
const PACKED_RESULTS = v.object({
  fileScores: BYTES,
  maxSimilarities: BYTES,
  pathTerms: BYTES,
  chunkCounts: BYTES,
  body: BYTES,
  names: BYTES,
  similarity: BYTES,
  bodyTerms: BYTES,
  namesTerms: BYTES,
});

export const ROUND_RESULTS = {
  statistics: STATISTICS,
  scoreTerms: NUMBERS,
  maxima: MAXIMA,
  best: SCORED_FILES,
  results: PACKED_RESULTS,
} as const;

export type ShardCall = v.InferOutput<typeof CALL>;
export type BeginMessage = v.InferOutput<typeof BEGIN>;
export type SearchMessage = v.InferOutput<typeof SEARCH_MESSAGE>;
export type SearchReply = v.InferOutput<typeof SEARCH_REPLY>;
export type PackedVector = v.InferOutput<typeof VECTOR>;
export type ScoredFiles = v.InferOutput<typeof SCORED_FILES>;
export type PackedResults = v.InferOutput<typeof PACKED_RESULTS>;

type NumberArray = Int8Array | Uint32Array | Float32Array | Float64Array;

export function packed({ buffer, byteOffset, byteLength }: NumberArray): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Returns the bytes in memory of their own, which typed arrays of any element can use. */
function bytesOf(base64: string): ArrayBuffer {
  const bytes = Buffer.from(base64, "base64");
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** Throw RangeError if the bytes are not whole numbers of elements. */
export function uint32s(base64: string): Uint32Array {
  return new Uint32Array(bytesOf(base64));
}

function float32s(base64: string): Float32Array {
  return new Float32Array(bytesOf(base64));
}

function float64s(base64: string): Float64Array {
  return new Float64Array(bytesOf(base64));
}

export function packVector({ embedder, components }: QueryVector): PackedVector {
  return { embedder, components: packed(components) };
}

export function unpackVector({ embedder, components }: PackedVector): QueryVector {
  return { embedder, components: new Int8Array(bytesOf(components)) };
}

export function packFiles(found: readonly BestFile[]): ScoredFiles {
  return {
    files: packed(Uint32Array.from(found, ({ file }) => file)),
    scores: packed(Float64Array.from(found, ({ score }) => score)),
  };
}

export function unpackFiles({ files, scores }: ScoredFiles, numbered: NumberedFiles): BestFile[] {
  const all = float64s(scores);
  return Array.from(uint32s(files), (file, at) => ({
    file,
    score: all[at] ?? 0,
    // Read only where scores are equal.
    get path() {
      return numbered.path(file);
    },
  }));
}

export function packResults(results: readonly CandidateFile[]): PackedResults {
  const chunks = sharesFor(results.reduce((sum, { chunkCount }) => sum + chunkCount, 0));
  let end = 0;
  for (const { scores, chunkCount } of results) {
    const { body, names, similarity, bodyTerms, namesTerms } = scores();
    chunks.body.set(body, end);
    chunks.names.set(names, end);
    chunks.similarity.set(similarity, end);
    chunks.bodyTerms.set(bodyTerms, end);
    chunks.namesTerms.set(namesTerms, end);
    end += chunkCount;
  }
  return {
    fileScores: packed(Float64Array.from(results, ({ fileScore }) => fileScore)),
    maxSimilarities: packed(Float64Array.from(results, ({ maxSimilarity }) => maxSimilarity)),
    pathTerms: packed(Uint32Array.from(results, ({ pathTerms }) => pathTerms)),
    chunkCounts: packed(Uint32Array.from(results, ({ chunkCount }) => chunkCount)),
    body: packed(chunks.body),
    names: packed(chunks.names),
    similarity: packed(chunks.similarity),
    bodyTerms: packed(chunks.bodyTerms),
    namesTerms: packed(chunks.namesTerms),
  };
}

/** `found`: the files of the results, in the same order. */
export function unpackResults(
  results: PackedResults,
  found: readonly BestFile[],
  numbered: NumberedFiles,
): readonly CandidateFile[] {
  const ofFiles = {
    scores: float64s(results.fileScores),
    similarities: float64s(results.maxSimilarities),
    terms: uint32s(results.pathTerms),
    counts: uint32s(results.chunkCounts),
  };
  const ofChunks = {
    body: float32s(results.body),
    names: float32s(results.names),
    similarity: float32s(results.similarity),
    bodyTerms: uint32s(results.bodyTerms),
    namesTerms: uint32s(results.namesTerms),
  };
  let end = 0;
  return found.map(({ file, score }, at): CandidateFile => {
    const start = end;
    const chunkCount = ofFiles.counts[at] ?? 0;
    end += chunkCount;
    return {
      file: numbered.facts(file),
      score,
      fileScore: ofFiles.scores[at] ?? 0,
      maxSimilarity: ofFiles.similarities[at] ?? 0,
      pathTerms: ofFiles.terms[at] ?? 0,
      chunkCount,
      scores: () => sharesOf(ofChunks, start, chunkCount),
      chunks: async () => chunksWith(numbered.chunks(file), ofChunks, start),
    };
  });
}
