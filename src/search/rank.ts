// Ranks what an index has for a question: candidates by words and meaning, then a close look at the best of
// them with a learned model. docs/ranking.md tells the whole way.

import type { IndexReader } from "../index/backend.ts";
import type { CandidateChunk, CandidateFile, Candidates } from "../index/scoring/candidates.ts";
import type { QuestionVector } from "../index/scoring/chunk-meanings.ts";
import type { ChunkFacts } from "../index/segment/outline.ts";
import type { FileFacts } from "../index/segment/segment-reader.ts";
import {
  chunkFeatures,
  crossFeatures,
  FILE_FEATURES,
  fileFeatures,
  questionFacts,
  type QuestionFacts,
} from "./features.ts";
import type { Query } from "./parse-query.ts";
import { firstFactor } from "./first-factor.ts";
import { CHUNK_WEIGHTS, contributions, RANKING_WEIGHTS, weigh } from "./ranking-model.ts";
import {
  BLEND,
  BODY,
  CANDIDATES,
  CHUNKS_OF_A_FILE,
  CLOSE_LOOK,
  FAINT,
  FILE,
  FILE_TERMS,
  LOOKED_AT_CHUNKS,
  MOST,
  NAMES,
  NEAR,
  OTHER_CHUNK,
  OTHER_WITHIN,
} from "./weights.ts";

/** Which files a question is limited to; undefined is all. */
export type FileFilter = (file: FileFacts) => boolean;

/** A file of the answer. */
export interface Ranked {
  readonly file: FileFacts;
  /** Sum of the signals; larger is better, and only of use beside others of the same question. */
  readonly score: number;
  /** What made the score: for `--explain` and the item's metadata. */
  readonly signals: Readonly<Record<string, number>>;
  /** Its chunks that answer best, at least one, best first. */
  readonly chunks: readonly RankedChunk[];
}

export interface RankedChunk {
  readonly chunk: ChunkFacts;
  /** That of the file for its best chunk, less for others: comparable with those of other files. */
  readonly score: number;
}

const WEIGHTS = { body: BODY, names: NAMES, file: FILE, fileTerms: FILE_TERMS, blend: BLEND };

interface Meaning {
  readonly vector: QuestionVector;
  /** Cosine of a name with the question. */
  readonly nearness: (name: string) => number;
}

interface RankOptions {
  readonly limit: number;
  readonly filter?: FileFilter | undefined;
  /** Undefined where only words count. */
  readonly meaning?: Meaning | undefined;
}

export interface Ranking {
  /** Best first. */
  readonly files: readonly Ranked[];
  /** True when even the best hardly answers: the question is likely of something that is not here. */
  readonly isWeak: boolean;
}

/** Ranks the files of an index for a question, at most `limit`. */
export async function rank(
  index: IndexReader,
  query: Query,
  options: RankOptions,
): Promise<Ranking> {
  const { looks, candidates } = await closeLooks(index, query, options);
  // Block after block: the next page of an answer looks at more files, and must not order these anew.
  const files = blocksOf(looks, CLOSE_LOOK)
    .flatMap((block) =>
      block.toSorted((one, other) => other.score - one.score || comparePaths(one.file, other.file)),
    )
    .slice(0, options.limit)
    .map(ranked);
  const best = Math.max(0, ...looks.map(({ held }) => held));
  return { files, isWeak: isWeak(query, candidates, best) };
}

/**
 * Nothing is near in meaning, a word of the question stands nowhere, and no file holds most of the others.
 * `held`: how much of what occurs a file holds at most.
 */
function isWeak({ words, split }: Query, { nearest, terms }: Candidates, held: number): boolean {
  if (nearest === 0 || nearest >= NEAR) return false;
  const found = new Set(terms.map(({ term }) => term));
  const known = words.filter((word) => split(word).some((term) => found.has(term)));
  return known.length < words.length && (held * known.length) / words.length < MOST;
}

/** The features of the files with the best first scores, in the order of these. */
export async function closeLooks(
  index: IndexReader,
  query: Query,
  { limit, filter, meaning }: RankOptions,
): Promise<{ readonly looks: readonly Look[]; readonly candidates: Candidates }> {
  const candidates = await index.candidates({
    terms: query.terms,
    vector: meaning?.vector,
    weights: WEIGHTS,
    limit: Math.ceil(limit / CANDIDATES) * CANDIDATES,
    filter,
  });
  const docsShare = 1 - (await index.makeup()).code;
  const nearness = meaning?.nearness ?? ((): number => 0);
  const facts = questionFacts(query, candidates, { docsShare, nearness });
  // Something is nearest to every question: without a word of it, it must be near.
  const likely = candidates.files.filter(({ own, nearest }) => own > 0 || nearest >= FAINT);
  const close = blocksOf(likely, CANDIDATES)
    .flatMap((block) =>
      block
        .map((file) => ({ file, first: file.score * firstFactor(file.file, facts) }))
        .toSorted((one, other) => other.first - one.first),
    )
    .slice(0, Math.ceil(limit / CLOSE_LOOK) * CLOSE_LOOK);
  const looks = await Promise.all(close.map(({ file }) => closeLook(file, facts)));
  return { looks: looks.filter((look) => look !== undefined), candidates };
}

/** A file that was looked at closely. */
export interface Look {
  readonly file: FileFacts;
  readonly score: number;
  /** In the order of `RANKING_FEATURES`. */
  readonly features: readonly number[];
  /** How much of the question it holds, of what occurs in the index. */
  readonly held: number;
  /** Its promising chunks, best first. */
  readonly chunks: readonly ScoredChunk[];
}

interface ScoredChunk {
  readonly chunk: CandidateChunk;
  /** In the order of `CHUNK_FEATURES`. */
  readonly features: readonly number[];
  readonly score: number;
}

/** Undefined for a file without chunks: there is nothing to show of it. */
async function closeLook(file: CandidateFile, facts: QuestionFacts): Promise<Look | undefined> {
  const all = await file.chunks();
  const chunks = bestChunks(all, file, facts);
  const [best] = chunks;
  if (best === undefined) return undefined;
  const own = fileFeatures(file, all, facts);
  const features = [...own, ...best.features, ...crossFeatures(own, facts)];
  const held = own[FILE_FEATURES.indexOf("held")] ?? 0;
  return { file: file.file, score: weigh(features, RANKING_WEIGHTS), features, held, chunks };
}

/** The chunks of a file that may answer, best first. Looks at those only that have most in common with the question. */
function bestChunks(
  all: readonly CandidateChunk[],
  file: CandidateFile,
  facts: QuestionFacts,
): readonly ScoredChunk[] {
  const promising =
    all.length <= LOOKED_AT_CHUNKS
      ? all
      : all.toSorted((one, other) => promise(other) - promise(one)).slice(0, LOOKED_AT_CHUNKS);
  return promising
    .map((chunk) => {
      const features = chunkFeatures(chunk, file, facts);
      return { chunk, features, score: weigh(features, CHUNK_WEIGHTS) };
    })
    .toSorted((one, other) => other.score - one.score);
}

function promise({ body, names, meaning }: CandidateChunk): number {
  return body * BLEND.body + names * BLEND.names + meaning * BLEND.meaning;
}

function ranked({ file, score, features, chunks }: Look): Ranked {
  const best = chunks[0]?.score ?? 0;
  return {
    file,
    score,
    signals: contributions(features),
    chunks: chunks
      .slice(0, CHUNKS_OF_A_FILE)
      .filter((scored) => scored.score >= best - OTHER_WITHIN)
      .map((scored) => ({
        chunk: scored.chunk.facts,
        score: score + OTHER_CHUNK * (scored.score - best),
      })),
  };
}

function blocksOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

function comparePaths(one: FileFacts, other: FileFacts): number {
  if (one.path === other.path) return 0;
  return one.path < other.path ? -1 : 1;
}
