// The signals of the confidence in an answer, from values that ranking computes anyway. docs/ranking.md says what each
// is worth.

import type { CandidateChunk } from "../index/scoring/candidates.ts";
import { FILE_FEATURES, type QueryFacts } from "./features.ts";
import type { Query } from "./parse-query.ts";
import { meanOf, type QueryWord } from "./query-words.ts";

/** Signals of an answer, in the order of `confidenceSignals`. */
export const CONFIDENCE_SIGNALS = [
  /** Largest cosine of a result with the query. */
  "similarity",
  /** Share of the query's words, rare ones counting more, that the best chunk contains. */
  "chunkCoverage",
  /** Share of the words that the index does not contain, and the rarity of the rarest of them. */
  "unknown",
  "rarestUnknown",
  /** Share of the identifiers that the index does not contain as a whole. */
  "unknownIdentifiers",
  /** Score of the best result, and how far it is above that of the tenth. */
  "score",
  "lead",
  /** Logarithm of 1 plus the weight of the query's terms in the best chunk. */
  "matchedWeight",
  /** Logarithm of the number of words. */
  "words",
  /** Mean rarity of the words: minus the logarithm of their probability in programs. */
  "rarity",
  /** How much more common the words are in this index than in programs, as the mean of logarithms. */
  "typical",
  /** Share of documentation among the files. */
  "docsShare",
  /** Logarithm of the number of files. */
  "files",
  /** 1 if the query is a single name, and if the index defines it. */
  "isName",
  "isDefined",
  /** The chance that someone wants to do something: see `Query`. */
  "intent",
] as const;

/** A file that ranking has scored. */
interface ScoredFile {
  /** Score without page rank, which does not show how well a file answers. */
  readonly matchScore: number;
  /** In the order of `RANKING_FEATURES`. */
  readonly features: readonly number[];
  /** The terms in its path, as a bit set. */
  readonly pathTerms: number;
  /** Best first. */
  readonly chunks: readonly { readonly chunk: CandidateChunk }[];
}

/** What `confidenceSignals` reads. */
interface Found {
  readonly facts: QueryFacts;
  readonly words: readonly QueryWord[];
  /** The first files that were reranked, in any order. */
  readonly reranked: readonly ScoredFile[];
  /** Whether the index defines the name that the query is. */
  readonly isDefined: boolean;
  /** Number of files of the index. */
  readonly files: number;
}

/** The best score is compared with the score of the result at this place, from 0. */
const LEAD_OVER = 9;
/** The lead if there are fewer results: a usual value, because a small folder has no tenth result to compare with. */
const MIN_LEAD_OF_FEW = 4;

/** Products of two signals, which count as further ones: the effect of some is not linear. */
const PRODUCTS = [
  ["similarity", "similarity"],
  ["typical", "typical"],
  ["files", "score"],
  // Documentation that is lifted has other scores.
  ["intent", "score"],
] as const;

/** The inputs of the model: the signals and the products. */
export const CONFIDENCE_FEATURES: readonly string[] = [
  ...CONFIDENCE_SIGNALS,
  ...PRODUCTS.map(([one, other]) => `${one} × ${other}`),
];

/** Returns the values of `CONFIDENCE_FEATURES`. */
export function confidenceFeatures(signals: readonly number[]): readonly number[] {
  const valueOf = (name: (typeof CONFIDENCE_SIGNALS)[number]): number =>
    signals[CONFIDENCE_SIGNALS.indexOf(name)] ?? 0;
  return [...signals, ...PRODUCTS.map(([one, other]) => valueOf(one) * valueOf(other))];
}

type Signals = Readonly<Record<(typeof CONFIDENCE_SIGNALS)[number], number>>;

/** Returns the signals in the order of `CONFIDENCE_SIGNALS`. They do not depend on the page or its size. */
export function confidenceSignals(found: Found): readonly number[] {
  const { words, facts } = found;
  const { query } = facts;
  const ordered = found.reranked.toSorted((one, other) => other.matchScore - one.matchScore);
  const signals: Signals = {
    ...scoreSignals(ordered, words, facts),
    ...wordSignals(words, query),
    docsShare: facts.docsShare,
    files: Math.log(Math.max(1, found.files)),
    isName: Number(query.isSymbol),
    isDefined: Number(found.isDefined),
    intent: query.intent,
  };
  return CONFIDENCE_SIGNALS.map((name) => signals[name]);
}

/** With so few files the other signals mean little, because the weights were learned from larger projects. */
const FEW_FILES = 4;
const ENOUGH_OF_FEW = 0.5;

/**
 * Whether the best chunk contains all words of the query, or half of them if the index has only a handful of files.
 * This is no evidence for a name in code: without a definition, it names something else.
 */
export function isCovered({ isSymbol, words }: Query, signals: readonly number[]): boolean {
  const valueOf = (name: (typeof CONFIDENCE_SIGNALS)[number]): number =>
    signals[CONFIDENCE_SIGNALS.indexOf(name)] ?? 0;
  const enough = valueOf("files") <= Math.log(FEW_FILES) ? ENOUGH_OF_FEW : 1 - 1e-9;
  return (
    valueOf("chunkCoverage") >= enough && !(isSymbol && words.some((word) => /[^a-z]/.test(word)))
  );
}

function wordSignals(words: readonly QueryWord[], query: Query) {
  const total = sumOf(words.map(({ rarity }) => rarity));
  const unknown = words.filter(({ known }) => known < 1);
  const identifiers = words.filter(({ isIdentifier }) => isIdentifier);
  return {
    unknown: ratio(sumOf(unknown.map(({ rarity, known }) => rarity * (1 - known))), total),
    rarestUnknown: Math.max(0, ...unknown.map(({ rarity }) => rarity)),
    unknownIdentifiers: meanOf(identifiers.map(({ isWhole }) => Number(!isWhole))),
    words: Math.log(Math.max(1, query.words.length)),
    rarity: meanOf(words.map(({ rarity }) => rarity)),
    typical: meanOf(words.map(({ typical }) => typical)),
  };
}

function scoreSignals(
  ordered: readonly ScoredFile[],
  words: readonly QueryWord[],
  facts: QueryFacts,
) {
  const [best] = ordered;
  const [chunk] = best?.chunks ?? [];
  const path = best?.pathTerms ?? 0;
  const inChunk = chunk === undefined ? path : path | termsOf(chunk.chunk);
  const score = best?.matchScore ?? 0;
  const tenth = ordered[LEAD_OVER];
  const lowest = tenth ?? ordered.at(-1);
  const similarities = ordered.map((file) => similarityOf(file, facts));
  return {
    similarity: Math.max(0, ...similarities),
    chunkCoverage: coverage(words, inChunk),
    score,
    lead: Math.max(score - (lowest?.matchScore ?? 0), lowest === tenth ? 0 : MIN_LEAD_OF_FEW),
    matchedWeight: Math.log1p(
      sumOf(facts.bits.filter((_weight, bit) => ((inChunk >>> bit) & 1) === 1)),
    ),
  };
}

function termsOf({ bodyTerms, namesTerms }: CandidateChunk): number {
  return bodyTerms | namesTerms;
}

const BEST_SIMILARITY = FILE_FEATURES.indexOf("bestSimilarity");

/** The largest cosine of a chunk of the file with the query. */
function similarityOf({ features }: ScoredFile, { maxSimilarity }: QueryFacts): number {
  return (features[BEST_SIMILARITY] ?? 0) * maxSimilarity;
}

/** Returns the share of the words, by rarity, that these terms make up. */
function coverage(words: readonly QueryWord[], terms: number): number {
  const found = words.map(
    ({ rarity, bits }) => rarity * meanOf(bits.map((bit) => Number((terms & bit) !== 0))),
  );
  return ratio(sumOf(found), sumOf(words.map(({ rarity }) => rarity)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Returns 0 for no words. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
