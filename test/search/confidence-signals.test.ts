import { describe, expect, test } from "vitest";

import type { CandidateTerm } from "../../src/index/scoring/candidates.ts";
import {
  CONFIDENCE_FEATURES,
  CONFIDENCE_SIGNALS,
  confidenceFeatures,
  confidenceSignals,
  isCovered,
} from "../../src/search/confidence-signals.ts";
import { FILE_FEATURES } from "../../src/search/features.ts";
import { queryWords } from "../../src/search/query-words.ts";
import type { RerankedFile } from "../../src/search/rank.ts";
import { chunk, factsOf } from "./known-candidates.ts";

type Name = (typeof CONFIDENCE_SIGNALS)[number];

/** Log probabilities of words, as a table of vectors has them. */
const PROBABILITIES = new Map([
  ["revoke", -10],
  ["revok", -12],
  ["token", -8],
  ["xylophone", -13],
]);

function result(score: number, terms = 0, similarity = 0): RerankedFile {
  const known = chunk({}, { bodyTerms: terms });
  return {
    file: { path: `${score}.ts`, language: "typescript", role: "code", flags: 0 },
    // Page rank counts in the order of results, and in no signal.
    score: score + 100,
    matchScore: score,
    features: FILE_FEATURES.map((name) => (name === "bestSimilarity" ? similarity : 0)),
    pathTerms: 0,
    chunks: [{ chunk: known, features: [], rarity: 0, score: 0 }],
    all: [known],
  };
}

interface Case {
  readonly terms?: readonly CandidateTerm[];
  readonly reranked?: readonly RerankedFile[];
  readonly isDefined?: boolean;
}

function signalsOf(
  question: string,
  { terms = [], reranked = [], isDefined = false }: Case = {},
): Readonly<Record<Name, number>> {
  const facts = factsOf(question, { terms, docsShare: 0.25, maxSimilarity: 0.5 });
  const files = 100;
  const words = queryWords(facts.query, terms, {
    files,
    logProbability: (word) => PROBABILITIES.get(word),
  });
  const values = confidenceSignals({ facts, words, reranked, isDefined, files });
  expect(values).toHaveLength(CONFIDENCE_SIGNALS.length);
  const named = CONFIDENCE_SIGNALS.map((name, at) => [name, values[at] ?? Number.NaN]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the type
  return Object.fromEntries(named) as Record<Name, number>;
}

const REVOKE = { term: "revok", weight: 6 };
const TOKEN = { term: "token", weight: 3 };

describe("of the words", () => {
  test("those that the index lacks count by their rarity", () => {
    const { unknown, rarestUnknown, rarity, words } = signalsOf("revoke xylophone", {
      terms: [REVOKE],
    });
    expect(unknown).toBeCloseTo(13 / 23);
    expect(rarestUnknown).toBe(13);
    expect(rarity).toBeCloseTo(11.5);
    expect(words).toBeCloseTo(Math.log(2));
    expect(signalsOf("revoke", { terms: [REVOKE] })).toMatchObject({
      unknown: 0,
      rarestUnknown: 0,
    });
  });

  test("a word that is more common here than in programs is typical", () => {
    expect(signalsOf("revoke", { terms: [REVOKE] }).typical).toBe(10 - 6);
    expect(signalsOf("revoke", { terms: [{ term: "revok", weight: 2 }] }).typical).toBe(10 - 2);
  });

  test("an identifier whose parts are known, but which occurs nowhere, is unknown", () => {
    const whole = { term: "revoketoken", weight: 7 };
    const parts = [REVOKE, TOKEN];
    const signals = signalsOf("revokeToken", { terms: parts });
    expect(signals).toMatchObject({ unknownIdentifiers: 1, unknown: 0, isName: 1, isDefined: 0 });
    const known = signalsOf("revokeToken", { terms: [whole, ...parts], isDefined: true });
    expect(known).toMatchObject({ unknownIdentifiers: 0, isDefined: 1 });
  });
});

describe("of the results", () => {
  test("the best one, whatever their order, and its lead over the tenth", () => {
    const scores = [3, 9, 1, 2, 8, 4, 5, 6, 7, 2.5, 0];
    const reranked = scores.map((score) => result(score));
    expect(signalsOf("revoke", { reranked })).toMatchObject({ score: 9, lead: 9 - 1 });
  });

  test("few results have a usual lead at least", () => {
    expect(signalsOf("revoke", { reranked: [result(9)] }).lead).toBe(4);
    expect(signalsOf("revoke", { reranked: [result(9), result(2)] }).lead).toBe(7);
  });

  test("coverage and weight are those of the best chunk, similarity is that of any", () => {
    const terms = [REVOKE, TOKEN];
    const reranked = [result(9, 0b10, 0.4), result(5, 0b11, 0.8)];
    const signals = signalsOf("revoke token", { terms, reranked });
    expect(signals.chunkCoverage).toBeCloseTo(8 / 18);
    expect(signals.matchedWeight).toBeCloseTo(Math.log1p(3));
    expect(signals.similarity).toBeCloseTo(0.8 * 0.5);
  });
});

function isEvidence(question: string, chunkCoverage = 1, files = 100): boolean {
  const known: Partial<Record<string, number>> = { chunkCoverage, files: Math.log(files) };
  return isCovered(
    factsOf(question).query,
    CONFIDENCE_SIGNALS.map((name) => known[name] ?? 0),
  );
}

test("all words in one chunk are evidence, except a name of code, and half of them in a handful of files", () => {
  expect(
    ["revoke a token", "tide", "Visitor", "revoke_token"].map((one) => isEvidence(one)),
  ).toEqual([true, true, false, false]);
  expect(isEvidence("revoke a token", 0.9)).toBe(false);
  expect(isEvidence("revoke a token", 0.5, 4)).toBe(true);
  expect(isEvidence("revoke a token", 0.4, 4)).toBe(false);
  expect(isEvidence("revoke_token", 0.5, 4)).toBe(false);
});

test("the index counts with its files and its share of documentation", () => {
  const signals = signalsOf("how do I revoke it");
  expect(signals).toMatchObject({ docsShare: 0.25, files: Math.log(100), intent: 1 });
});

test("a query without words and without results has finite signals", () => {
  for (const value of Object.values(signalsOf("???"))) expect(Number.isFinite(value)).toBe(true);
});

test("the model also reads products of signals", () => {
  const signals = CONFIDENCE_SIGNALS.map((_, at) => at + 2);
  const features = confidenceFeatures(signals);
  expect(features).toHaveLength(CONFIDENCE_FEATURES.length);
  const similarity = CONFIDENCE_SIGNALS.indexOf("similarity") + 2;
  expect(features[CONFIDENCE_FEATURES.indexOf("similarity × similarity")]).toBe(similarity ** 2);
});
