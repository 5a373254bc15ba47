import { describe, expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { queryWords, unfamiliarity, type WordFacts } from "../../src/search/query-words.ts";

const tokenizer = createTokenizer();
/** Log probabilities of words in programs. */
const PROBABILITIES = new Map([
  ["heat", -9],
  ["transfer", -9],
  ["slender", -14],
  ["hypersonic", -14.5],
  ["wing", -13],
  ["token", -8],
]);
const KNOWN: WordFacts = { files: 1000, logProbability: (word) => PROBABILITIES.get(word) };
const QUESTION = "heat transfer to slender wings in laminar hypersonic flow of rarefied gas";

/** The unfamiliarity of a question in an index in which each of its terms has this weight. */
function unfamiliarityOf(
  question: string,
  { weight = 2, docsShare = 1, facts = KNOWN, hasTerms = true } = {},
): number {
  const query = parseQuery(question, tokenizer);
  const terms = hasTerms
    ? [...query.terms].map(([term, asked]) => ({ term, weight: weight * asked }))
    : [];
  return unfamiliarity(query, queryWords(query, terms, facts), docsShare);
}

test("a word has its rarity in programs, and what is more common in the index", () => {
  const query = parseQuery("hypersonic token zeppelin", tokenizer);
  const terms = [{ term: "hypersonic", weight: 3 }];
  const [hypersonic, token, zeppelin] = queryWords(query, terms, KNOWN);
  expect(hypersonic).toMatchObject({ rarity: 14.5, typical: 9, known: 1, bits: [1] });
  expect(token).toMatchObject({ rarity: 8, known: 0, bits: [0] });
  // No table of programs knows it.
  expect(zeppelin?.rarity).toBe(14);
});

describe("a query is unfamiliar", () => {
  test("if its words are rare in programs and common in the index", () => {
    expect(unfamiliarityOf(QUESTION)).toBe(1);
    const between = unfamiliarityOf(QUESTION, { weight: 8 });
    expect(between).toBeGreaterThan(0);
    expect(between).toBeLessThan(1);
  });

  test("not if the index lacks its words", () => {
    expect(unfamiliarityOf("slender hypersonic wings of rarefied gas", { hasTerms: false })).toBe(
      0,
    );
  });

  test("not among code, and not if it is short or very long", () => {
    expect(unfamiliarityOf(QUESTION, { docsShare: 0.69 })).toBe(0);
    expect(unfamiliarityOf("slender hypersonic wing")).toBe(0);
    expect(unfamiliarityOf(`${QUESTION} ${QUESTION} ${QUESTION}`)).toBe(0);
  });

  test("not if a table knows none of its words, or has no probabilities", () => {
    for (const logProbability of [() => undefined, () => 0]) {
      expect(unfamiliarityOf(QUESTION, { facts: { ...KNOWN, logProbability } })).toBe(0);
    }
  });
});
