// What the confidence in an answer depends on. Ranking has it all anyway. docs/ranking.md gives the worth of the signals.

import type { CandidateChunk, Candidates } from "../index/scoring/candidates.ts";
import { FILE_FEATURES, type QueryFacts } from "./features.ts";
import { isPrefixTerm, partTerms } from "../parse/tokenizer.ts";
import type { Query } from "./parse-query.ts";

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
  /** Score without page rank: how much a project uses a file says nothing of how well it answers. */
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
  readonly candidates: Pick<Candidates, "terms">;
  /** The first files that were reranked, in any order. */
  readonly reranked: readonly ScoredFile[];
  /** Whether the index defines the name that the query is. */
  readonly isDefined: boolean;
  /** Number of files of the index. */
  readonly files: number;
  /** As `EmbeddingTable.logProbability`. */
  readonly logProbability: (word: string) => number | undefined;
}

/** Rarities of words: of common words, of rare ones, and of words that the table of vectors does not contain. */
const MIN_RARITY = 5;
const MAX_RARITY = 15;
const UNKNOWN_RARITY = 14;
/** Added to the mean rarity of the parts of a name: it is rarer than they are. */
const NAME_RARITY = 1;
/** A word can be more common in a small index than in any large one. */
const MAX_TYPICAL = 9;
/** Estimates the chunks of an index from its files. */
const CHUNKS_PER_FILE = 8;
/** The best score is compared with the score of the result at this place, from 0. */
const LEAD_OVER = 9;
/** The least lead if there are fewer results: a usual one, because a small folder says nothing of the rest. */
const MIN_LEAD_OF_FEW = 4;

/** Products of two signals, which count as further ones: the effect of some is not linear. */
const PRODUCTS = [
  ["similarity", "similarity"],
  ["typical", "typical"],
  ["files", "score"],
  // Documentation that is lifted has other scores.
  ["intent", "score"],
] as const;

/** What the model reads: the signals and the products. */
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
  const { query } = found.facts;
  const ordered = found.reranked.toSorted((one, other) => other.matchScore - one.matchScore);
  const words = wordsOf(found);
  const signals: Signals = {
    ...scoreSignals(ordered, words, found.facts),
    ...wordSignals(words, query),
    docsShare: found.facts.docsShare,
    files: Math.log(Math.max(1, found.files)),
    isName: Number(query.isSymbol),
    isDefined: Number(found.isDefined),
    intent: query.intent,
  };
  return CONFIDENCE_SIGNALS.map((name) => signals[name]);
}

/** Of so few files the other signals say little: the weights were learned from larger projects. */
const FEW_FILES = 4;
const ENOUGH_OF_FEW = 0.5;

/**
 * Whether the best chunk contains all words of the query, or half of them if the index has only a handful of files. Of a name
 * in code that is no evidence: without a definition, it is that of something else.
 */
export function isCovered({ isSymbol, words }: Query, signals: readonly number[]): boolean {
  const valueOf = (name: (typeof CONFIDENCE_SIGNALS)[number]): number =>
    signals[CONFIDENCE_SIGNALS.indexOf(name)] ?? 0;
  const enough = valueOf("files") <= Math.log(FEW_FILES) ? ENOUGH_OF_FEW : 1 - 1e-9;
  return (
    valueOf("chunkCoverage") >= enough && !(isSymbol && words.some((word) => /[^a-z]/.test(word)))
  );
}

/** A word of the query. */
interface QueryWord {
  readonly isIdentifier: boolean;
  /** The bits of its parts in sets of terms; 0 for a part that no chunk contains. */
  readonly bits: readonly number[];
  /** Share of its parts that the index contains. */
  readonly known: number;
  /** Whether the index contains it as a whole. */
  readonly isWhole: boolean;
  readonly rarity: number;
  /** Its rarity in programs minus its rarity in the index. */
  readonly typical: number;
}

function wordsOf({ facts, candidates, files, logProbability }: Found): readonly QueryWord[] {
  const { query, weights: termWeights } = facts;
  const bits = new Map(candidates.terms.slice(0, 32).map(({ term }, at) => [term, 1 << at]));
  const rarest = Math.log(2 * CHUNKS_PER_FILE * Math.max(1, files));
  const rarityHere = (term: string): number => {
    const weight = termWeights.get(term) ?? 0;
    const asked = query.terms.get(term) ?? 0;
    return weight > 0 && asked > 0 ? weight / asked : rarest;
  };
  return query.words.flatMap((word): readonly QueryWord[] => {
    const terms = query.split(word);
    const parts = partTerms(terms);
    if (parts.length === 0) return [];
    const own = terms.filter((term) => !isPrefixTerm(term));
    const rarity = rarityOf(word, own, logProbability);
    return [
      {
        isIdentifier: query.identifiers.has(word),
        bits: parts.map((term) => bits.get(term) ?? 0),
        known: meanOf(parts.map((term) => Number(termWeights.has(term)))),
        isWhole: termWeights.has(terms.at(-1) ?? ""),
        rarity,
        typical: Math.min(MAX_TYPICAL, rarity - meanOf(parts.map(rarityHere))),
      },
    ];
  });
}

function rarityOf(
  word: string,
  terms: readonly string[],
  logProbability: Found["logProbability"],
): number {
  const rarity = (text: string): number | undefined => {
    const known = logProbability(text);
    // A table without probabilities returns 0.
    return known === undefined || known === 0
      ? undefined
      : Math.min(MAX_RARITY, Math.max(MIN_RARITY, -known));
  };
  const own = rarity(word.toLowerCase());
  const [first = ""] = terms;
  if (terms.length < 2) return Math.min(own ?? UNKNOWN_RARITY, rarity(first) ?? UNKNOWN_RARITY);
  const parts = terms.slice(0, -1).map((term) => rarity(term) ?? UNKNOWN_RARITY);
  return own ?? meanOf(parts) + NAME_RARITY;
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

/** 0 for none. */
function meanOf(numbers: readonly number[]): number {
  return ratio(sumOf(numbers), numbers.length);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
