// Ranks the files of an index for a query: it finds candidates by terms and vectors, then reranks the best of them
// with a learned model. docs/ranking.md describes the whole pipeline.

import type { IndexReader } from "../index/port.ts";
import type { CandidateChunk, CandidateFile, Candidates } from "../index/scoring/candidates.ts";
import type { QueryVector } from "../index/scoring/vector-scores.ts";
import type { ChunkFacts, FileFacts } from "../index/types.ts";
import {
  chunkFeatures,
  crossFeatures,
  FILE_FEATURES,
  fileFeatures,
  queryFacts,
  type QueryFacts,
} from "./features.ts";
import type { Query } from "./parse-query.ts";
import { confidenceOf, FIRST_RESULTS, type Confidence } from "./confidence.ts";
import { confidenceSignals, isCovered } from "./confidence-signals.ts";
import { turnsOf } from "./answer-turns.ts";
import { withSupport, type NeighbourSource } from "./neighbours.ts";
import { rarityInDocument } from "./rarity-in-document.ts";
import { rankFeatures } from "./rank-features.ts";
import { queryWords, unfamiliarity, type QueryWord } from "./query-words.ts";
import { settingGrade } from "./setting-answers.ts";
import { rolePrior } from "./role-prior.ts";
import type { TitledPage, TitleGrade } from "./titled-answers.ts";
import { withVerbatimFirst } from "./verbatim.ts";
import { wordMatcher, type WordMatches } from "./word-matches.ts";
import { contributions, isRankedByPassages, modelOf, scoreFeatures } from "./ranking-model.ts";
import {
  BLEND,
  BODY_BM25,
  CANDIDATE_DEPTH,
  MAX_CHUNKS_PER_FILE,
  RERANK_DEPTH,
  MIN_SIMILARITY_WITHOUT_TERMS,
  FILE_BM25,
  FILE_TERM_COUNTS,
  RERANKED_CHUNKS,
  RERANKED_DOCUMENT_CHUNKS,
  NAMES_BM25,
  SCORE_GAP_WEIGHT,
  MAX_SCORE_GAP,
} from "./weights.ts";

/** Returns true for the files that a query covers; undefined covers all. */
export type FileFilter = (file: FileFacts) => boolean;

/** A file in the result. */
export interface RankedFile {
  readonly file: FileFacts;
  /** Sum of the signals. Larger is better; comparable only within one query. */
  readonly score: number;
  /** Contribution of each signal to the score, for `--explain` and the item's metadata. */
  readonly signals: Readonly<Record<string, number>>;
  /** Its best chunks, at least one, best first. */
  readonly chunks: readonly RankedChunk[];
}

/** A chunk in the result. */
export interface RankedChunk {
  readonly chunk: ChunkFacts;
  /** The file's score for its best chunk, less for the others; comparable across files. */
  readonly score: number;
  /** BM25 of its text, 1 for the best chunk of the index: nearly equal for copies. */
  readonly textScore: number;
  readonly matches: WordMatches;
}

const WEIGHTS = {
  body: BODY_BM25,
  names: NAMES_BM25,
  file: FILE_BM25,
  fileTerms: FILE_TERM_COUNTS,
  blend: BLEND,
};

interface QueryEmbedding {
  readonly vector: QueryVector;
  /** Returns the cosine of a name with the query. */
  readonly nameSimilarity: (name: string) => number;
}

/** Where a definition is named. The line is 1-based. */
export interface DefinitionPlace {
  readonly path: string;
  readonly line: number;
}

/** The request to `rank`. */
export interface RankOptions {
  readonly limit: number;
  /** The definitions that the query names, if it is only a name; they come before everything else, in this order. */
  readonly definitions?: readonly DefinitionPlace[] | undefined;
  readonly filter?: FileFilter | undefined;
  /** Undefined when only terms count. */
  readonly embedding?: QueryEmbedding | undefined;
  /** As `EmbeddingTable.logProbability`; without it, no word is more common than others. */
  readonly logProbability?: ((word: string) => number | undefined) | undefined;
  /** Grades the titles of a page; undefined unless the query has a topic. */
  readonly titleGrade?: ((page: TitledPage) => TitleGrade) | undefined;
  /** Undefined if similar files do not raise each other's scores. */
  readonly neighbours?: NeighbourSource | undefined;
}

/** Result of `rank`. */
export interface Ranking {
  /** Best first. */
  readonly files: readonly RankedFile[];
  readonly confidence: Confidence;
  /** What the confidence in the answer was computed from, in the order of `CONFIDENCE_SIGNALS`. */
  readonly signals: readonly number[];
}

/** The parts of an index that ranking reads. */
type RankedIndex = Pick<IndexReader, "candidates" | "corpusStats" | "pageRanks">;

/** Ranks the files of an index for a query; returns up to `limit` of them. */
export async function rank(
  index: RankedIndex,
  query: Query,
  options: RankOptions,
): Promise<Ranking> {
  const { reranked, candidates, facts, fileCount, words } = await rerankCandidates(
    index,
    query,
    options,
  );
  const defining = await definingFiles(index, facts, options);
  const match = wordMatcher(query, candidates);
  // Sort block by block: the next page of an answer reranks more files and must not change the order of these.
  const [first = [], ...rest] = blocksOf(reranked, RERANK_DEPTH).map((block) =>
    block.toSorted((one, other) => other.score - one.score || comparePaths(one.file, other.file)),
  );
  const turns = turnsOf(query, first, {
    grade: settingGrade(query, candidates),
    titleOf: options.titleGrade,
    matchesOf: (file) => file.chunks[0] && matchesOf(file.chunks[0].chunk, file, match),
  });
  const supported = await withSupport(first, facts, options);
  const quoting = await withVerbatimFirst(supported, {
    phrases: query.phrases,
    textsOf: options.neighbours?.textsOf,
    matchesOf: (file, chunk) => matchesOf(chunk, file, match),
  });
  const others = [quoting, ...rest]
    .flatMap(turns)
    .filter(({ file }) => defining.every((one) => one.file.path !== file.path));
  const top = Math.max(0, ...[...defining, ...others].map(({ score }) => score));
  // The confidence compares the first results, even if fewer are asked for.
  const files = [
    ...defining.map((file) => toDefiningFile(file, top, match)),
    ...others
      .slice(0, Math.max(options.limit, FIRST_RESULTS))
      .map((file) => toRankedFile(file, match)),
  ];
  const signals = confidenceSignals({
    facts,
    words,
    reranked: reranked.slice(0, RERANK_DEPTH),
    isDefined: defining.length > 0,
    files: fileCount,
  });
  const scores = files.map(({ score }) => score);
  const confidence = confidenceOf(signals, scores, {
    hasVectors: candidates.maxSimilarity > 0,
    isDefined: defining.length > 0 || others[0]?.isTitled === true,
    isQuoted: quoting !== supported,
    isCovered: isCovered(query, signals),
  });
  return { files: files.slice(0, options.limit), confidence, signals };
}

/** A file with chunks that define the name in the query. */
interface DefiningFile extends RerankedFile {
  readonly definitions: readonly {
    readonly chunk: CandidateChunk;
    /** Number of definitions that come after it. */
    readonly after: number;
  }[];
}

/**
 * The files that define the name in the query, in the order of the definitions, without those that the filter excludes.
 */
async function definingFiles(
  index: RankedIndex,
  facts: QueryFacts,
  { definitions = [], filter, embedding }: RankOptions,
): Promise<readonly DefiningFile[]> {
  const byPath = Map.groupBy(definitions, ({ path }) => path);
  if (byPath.size === 0) return [];
  const { files } = await index.candidates({
    terms: facts.query.terms,
    vector: embedding?.vector,
    weights: WEIGHTS,
    limit: byPath.size,
    paths: new Set(byPath.keys()),
    filter,
  });
  const found = [...byPath].map(async ([path, places]): Promise<DefiningFile | undefined> => {
    const candidate = files.find(({ file }) => file.path === path);
    const [reranked] = candidate === undefined ? [] : await scoreFiles([candidate], facts);
    if (reranked === undefined) return undefined;
    const named = new Map<CandidateChunk, number>();
    for (const place of places) {
      const chunk = reranked.all.find(
        ({ facts: { startLine, endLine } }) => startLine <= place.line && place.line <= endLine,
      );
      const after = definitions.length - 1 - definitions.indexOf(place);
      if (chunk !== undefined && !named.has(chunk)) named.set(chunk, after);
    }
    if (named.size === 0) return undefined;
    return { ...reranked, definitions: Array.from(named, ([chunk, after]) => ({ chunk, after })) };
  });
  return (await Promise.all(found)).filter((file) => file !== undefined);
}

/** Without a table of word vectors no word has a probability. */
function unknownWord(): undefined {
  return undefined;
}

/** Returns the features of the files with the best first scores, in the order of those scores. */
export async function rerankCandidates(
  index: RankedIndex,
  query: Query,
  { limit, filter, embedding, logProbability = unknownWord }: RankOptions,
): Promise<{
  readonly reranked: readonly RerankedFile[];
  readonly candidates: Candidates;
  readonly facts: QueryFacts;
  /** Number of files of the index. */
  readonly fileCount: number;
  readonly words: readonly QueryWord[];
}> {
  const candidates = await index.candidates({
    terms: query.terms,
    vector: embedding?.vector,
    weights: WEIGHTS,
    limit: Math.ceil(limit / CANDIDATE_DEPTH) * CANDIDATE_DEPTH,
    filter,
  });
  const { code, files: fileCount } = await index.corpusStats();
  const nameSimilarity = embedding?.nameSimilarity ?? ((): number => 0);
  const fileRank = query.isSymbol ? (await index.pageRanks()).fileRank : (): number => 0;
  const docsShare = 1 - code;
  const words = queryWords(query, candidates.terms, { files: fileCount, logProbability });
  // Without vectors, no file has a similarity.
  const unfamiliar = candidates.maxSimilarity > 0 ? unfamiliarity(query, words, docsShare) : 0;
  const known = { docsShare, nameSimilarity, unfamiliar, fileRank };
  const facts = queryFacts(query, candidates, known);
  // Some chunk is always the most similar one, so a file without a query term must exceed a minimum similarity.
  const likely = candidates.files.filter(
    ({ fileScore, maxSimilarity: similarity }) =>
      fileScore > 0 || similarity >= MIN_SIMILARITY_WITHOUT_TERMS,
  );
  const toRerank = blocksOf(likely, CANDIDATE_DEPTH)
    .flatMap((block) =>
      block
        .map((file) => ({ file, first: file.score * rolePrior(file.file, facts) }))
        .toSorted((one, other) => other.first - one.first),
    )
    .slice(0, Math.ceil(limit / RERANK_DEPTH) * RERANK_DEPTH);
  const blocks = await Promise.all(
    blocksOf(toRerank, RERANK_DEPTH).map((block) =>
      scoreFiles(
        block.map(({ file }) => file),
        facts,
      ),
    ),
  );
  return { reranked: blocks.flat(), candidates, facts, fileCount, words };
}

/** A file scored by the ranking model. */
export interface RerankedFile {
  readonly file: FileFacts;
  /** Score of the ranking model, and without page rank. */
  readonly score: number;
  readonly matchScore: number;
  /** In the order of `RANKING_FEATURES`. */
  readonly features: readonly number[];
  /** The terms in its path, as a bit set. */
  readonly pathTerms: number;
  /** Its most promising chunks, best first. */
  readonly chunks: readonly ScoredChunk[];
  /** All of its chunks, in order of lines. */
  readonly all: readonly CandidateChunk[];
  /** Amount that a question with intent adds to its score. */
  readonly lift?: number;
  /** Whether a title of it is that of the question's topic. */
  readonly isTitled?: boolean;
  /** Amount that its neighbours add to its score; may be negative. */
  readonly support?: number;
  /** Amount that it gains for containing the query word for word. */
  readonly verbatim?: number;
}

interface ScoredChunk {
  readonly chunk: CandidateChunk;
  /** In the order of `CHUNK_FEATURES`. */
  readonly features: readonly number[];
  /** Of a passage of a document: see `rarityInDocument`. 0 for others. */
  readonly rarity: number;
  readonly score: number;
}

/** Index of the feature in `RANKING_FEATURES`, which begin with those of files. */
const PAGE_RANK = FILE_FEATURES.indexOf("pageRankOfName");

/** Scores files among each other; leaves out those without chunks, which have nothing to show. */
async function scoreFiles(
  candidates: readonly CandidateFile[],
  facts: QueryFacts,
): Promise<readonly RerankedFile[]> {
  const read = candidates.map(async (file) => {
    const all = await file.chunks();
    const chunks = bestChunks(all, file, facts);
    const [best] = chunks;
    return best && { file, all, chunks, best, own: fileFeatures(file, all, facts) };
  });
  const files = (await Promise.all(read)).filter((file) => file !== undefined);
  const ranks = rankFeatures(files.map(({ own }) => own));
  return files.map(({ file: { file, pathTerms }, all, chunks, best, own }, at) => {
    const products = crossFeatures(own, facts);
    const features = [...own, ...best.features, ...products, ...(ranks[at] ?? [])];
    const { ranking, bias, rarity } = modelOf(file);
    const more = bias + rarity * best.rarity;
    const score = scoreFeatures(features, ranking) + more;
    const matchScore = facts.query.isSymbol
      ? scoreFeatures(features.with(PAGE_RANK, 0), ranking) + more
      : score;
    return { file, pathTerms, score, matchScore, features, chunks, all };
  });
}

/** Returns the best chunks of a file, best first. Scores only those with the highest first scores. */
function bestChunks(
  all: readonly CandidateChunk[],
  file: CandidateFile,
  facts: QueryFacts,
): readonly ScoredChunk[] {
  const { chunk: weights, rarity: rarityWeight } = modelOf(file.file);
  const isDocument = isRankedByPassages(file.file);
  const depth = isDocument ? RERANKED_DOCUMENT_CHUNKS : RERANKED_CHUNKS;
  const promising =
    all.length <= depth
      ? all
      : all.toSorted((one, other) => firstChunkScore(other) - firstChunkScore(one)).slice(0, depth);
  const rarity = isDocument ? rarityInDocument(all, facts) : (): number => 0;
  return promising
    .map((chunk) => {
      const features = chunkFeatures(chunk, file, facts);
      const own = rarity(chunk);
      return {
        chunk,
        features,
        rarity: own,
        score: scoreFeatures(features, weights) + rarityWeight * own,
      };
    })
    .toSorted((one, other) => other.score - one.score)
    .filter(
      ({ chunk }, at, sorted) =>
        !isDocument || sorted.findIndex((better) => isSamePassage(better.chunk, chunk)) === at,
    );
}

/** Whether a document has a passage twice, such as a page of a book for two kinds of readers. */
function isSamePassage(one: CandidateChunk, other: CandidateChunk): boolean {
  if (one.body !== other.body || one.similarity !== other.similarity) return false;
  return one.facts.symbol === other.facts.symbol;
}

function firstChunkScore({ body, names, similarity }: CandidateChunk): number {
  return body * BLEND.body + names * BLEND.names + similarity * BLEND.similarity;
}

type Match = ReturnType<typeof wordMatcher>;

function matchesOf(
  { namesTerms, bodyTerms }: CandidateChunk,
  { pathTerms }: Pick<RerankedFile, "pathTerms">,
  match: Match,
): WordMatches {
  return match({ names: namesTerms, text: bodyTerms, path: pathTerms });
}

function toRankedFile(reranked: RerankedFile, match: Match): RankedFile {
  const { file, score, features, chunks, lift = 0, support = 0, verbatim } = reranked;
  const best = chunks[0]?.score ?? 0;
  return {
    file,
    score,
    signals: {
      ...contributions(features, modelOf(file), chunks[0]?.rarity),
      ...(lift > 0 ? { "asks how": lift } : {}),
      ...(support === 0 ? {} : { neighbours: support }),
      ...(verbatim === undefined ? {} : { "word for word": verbatim }),
    },
    chunks: chunks
      .slice(0, MAX_CHUNKS_PER_FILE)
      .filter((scored) => scored.score >= best - MAX_SCORE_GAP)
      .map((scored) => ({
        chunk: scored.chunk.facts,
        score: score + SCORE_GAP_WEIGHT * (scored.score - best),
        textScore: scored.chunk.body,
        matches: matchesOf(scored.chunk, reranked, match),
      })),
  };
}

/** Definitions get scores above `top`, the highest score of all; the other chunks of their files keep their scores. */
function toDefiningFile(file: DefiningFile, top: number, match: Match): RankedFile {
  const { definitions, ...plain } = file;
  const { chunks, signals } = toRankedFile(plain, match);
  const defining = definitions.map(({ chunk, after }) => ({
    chunk: chunk.facts,
    score: top + 1 + after,
    textScore: chunk.body,
    matches: matchesOf(chunk, file, match),
  }));
  const rest = chunks.filter(({ chunk }) => defining.every((one) => one.chunk !== chunk));
  const score = defining[0]?.score ?? file.score;
  return {
    file: file.file,
    score,
    signals: { definition: score - file.score, ...signals },
    chunks: [...defining, ...rest].slice(0, MAX_CHUNKS_PER_FILE),
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
