import { expect, test } from "vitest";

import { explanation } from "../../../src/cli/print/explanation.ts";

type Explained = Parameters<typeof explanation>[0];

function explain(of: Partial<Explained>): string {
  const matches = { words: ["revoke", "token"], inNames: [], inText: [], inPath: [] };
  return explanation({ confidence: 0.5, signals: {}, matches, symbol: "", ...of });
}

const WORDS = ["where", "revoke", "token"];

test.each<[Partial<Explained>, string]>([
  [
    {
      signals: { original: 1, bestText: 2 },
      matches: { words: WORDS, inNames: [], inText: WORDS, inPath: [] },
    },
    "relevance 50: its text has every word; raised, because a copy or translation of it matches better",
  ],
  [
    {
      signals: { "asks how": 3, bestText: 2 },
      matches: { words: WORDS, inNames: [], inText: WORDS, inPath: [] },
    },
    "relevance 50: its text has every word; raised, because the question asks how to do something",
  ],
  [
    {
      signals: { docs: -3.8, "docs × intent": 5, bestText: 2 },
      matches: { words: WORDS, inNames: [], inText: WORDS, inPath: [] },
    },
    "relevance 50: its text has every word; documentation, because the question may ask how to do something",
  ],
  [
    {
      signals: { docs: -3.8, "docs × intent": 2, bestText: 2 },
      matches: { words: WORDS, inNames: [], inText: WORDS, inPath: [] },
    },
    "relevance 50: its text has every word; documentation, so lowered",
  ],
  [
    {
      confidence: 0.87,
      matches: { words: WORDS, inNames: ["revoke", "token"], inText: WORDS, inPath: ["token"] },
      signals: { tests: -4.6, bestText: 2 },
    },
    "relevance 87: its names have 2 of 3 words (revoke, token); its text has every word; its path has 1 of 3 words (token); a test, so lowered",
  ],
  [
    {
      signals: { bestSimilarity: 1, bestText: 0.5 },
      matches: { words: WORDS, inNames: [], inText: ["token"], inPath: [] },
    },
    "relevance 50: its text has 1 of 3 words (token); nothing has where, revoke; the meaning is close",
  ],
  [
    { signals: { docs: -1, readme: -2 }, confidence: 0.01 },
    "relevance 1: no word of the question, only a similar meaning; documentation, so lowered; a README, so lowered",
  ],
  [
    {
      symbol: "Session.open",
      signals: { definition: 1, bestText: 1, "below the best": -1 },
      matches: { words: ["open"], inNames: ["open"], inText: ["open"], inPath: [] },
    },
    "relevance 50: it defines this name; its text has open",
  ],
  [
    {
      symbol: "Session.close",
      signals: { definition: 1, bestText: 1, "below the best": -1 },
      matches: { words: ["open"], inNames: [], inText: ["open"], inPath: [] },
    },
    "relevance 50: its text has open; not the best part of its file",
  ],
])("%#", (of, text) => {
  expect(explain(of)).toBe(text);
});

test("many words are not all named", () => {
  const words = Array.from({ length: 9 }, (_none, at) => `w${at}`);
  const text = explain({ matches: { words, inNames: [], inText: words.slice(0, 7), inPath: [] } });
  expect(text).toContain("its text has 7 of 9 words (w0, w1, w2, w3, w4 and 2 more)");
});
