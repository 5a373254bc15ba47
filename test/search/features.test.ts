import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { CHUNK_KINDS, FILE_ROLES } from "../../src/index/types.ts";
import {
  CHUNK_FEATURES,
  chunkFeatures,
  CROSS_FEATURES,
  crossFeatures,
  FILE_FEATURES,
  fileFeatures,
  PRODUCT_FEATURES,
} from "../../src/search/features.ts";
import { factsOf, chunk, file } from "./known-candidates.ts";

describe("products", () => {
  const ofFile = FILE_FEATURES.map((_, at) => at + 1);

  test("are those of a feature and a property of the query", () => {
    const long = factsOf(`why does it end with ${"error ".repeat(40)}`, {
      docsShare: 0.5,
      maxSimilarity: 0.25,
    });
    const known = { isSymbol: 0, isLong: 1, docsShare: 0.5, querySimilarity: 0.25, intent: 0 };
    expect(crossFeatures(ofFile, long).slice(0, CROSS_FEATURES.length)).toEqual(
      CROSS_FEATURES.map(([name, of]) => (FILE_FEATURES.indexOf(name) + 1) * known[of]),
    );
  });

  test("a query that asks how to do something has all of the intent", () => {
    const products = crossFeatures(ofFile, factsOf("how do I revoke a token"));
    const at = CROSS_FEATURES.findIndex(([name, of]) => name === "docs" && of === "intent");
    expect(products[at]).toBe(FILE_FEATURES.indexOf("docs") + 1);
  });

  test("a short query is not long, a single name is a symbol", () => {
    const symbol = factsOf("revokeToken");
    const known = { isSymbol: 1, isLong: 0, docsShare: 0, querySimilarity: 0, intent: 0 };
    expect(crossFeatures(ofFile, symbol).slice(0, CROSS_FEATURES.length)).toEqual(
      CROSS_FEATURES.map(([name, of]) => (FILE_FEATURES.indexOf(name) + 1) * known[of]),
    );
  });

  test("a lack of similarity counts as far as the query is unfamiliar", () => {
    const half = FILE_FEATURES.map((name) => (name === "topSimilarities" ? 0.25 : 1));
    const facts = factsOf("boundary layer", { unfamiliar: 0.5 });
    expect(crossFeatures(half, facts).slice(CROSS_FEATURES.length)).toEqual([0, 0.75 * 0.5]);
    const familiar = crossFeatures(half, factsOf("boundary layer"));
    expect(familiar.slice(CROSS_FEATURES.length)).toEqual([0, 0]);
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const bits = fc.integer({ min: 0, max: 0xffffffff });
const words = fc
  .array(
    fc.constantFrom("revoke", "token", "getToken", "a", "README.md", "src/a.ts", "->", "日本語"),
  )
  .map((some) => some.join(" "));

const chunks = fc
  .record({
    startLine: fc.integer({ min: 1, max: 1e6 }),
    length: fc.integer({ min: 0, max: 1e6 }),
    kind: fc.constantFrom(...CHUNK_KINDS),
    symbol: words,
    names: fc.array(words),
    scores: fc.record({
      body: share,
      names: share,
      similarity: share,
      bodyTerms: bits,
      namesTerms: bits,
    }),
  })
  .map(({ startLine, length, kind, symbol, names, scores }) =>
    chunk({ startLine, endLine: startLine + length, kind, symbol, names }, scores),
  );

const files = fc
  .record({
    facts: fc.record({
      path: words.map((text) => `x/${text}`),
      role: fc.constantFrom(...FILE_ROLES),
      flags: fc.integer({ min: 0, max: 7 }),
    }),
    scores: fc.record({
      fileScore: share,
      pathTerms: bits,
      chunkCount: fc.integer({ min: 1, max: 1e6 }),
    }),
  })
  .map(({ facts, scores }) => file(facts, scores));

const questions = fc
  .record({
    text: words,
    docsShare: share,
    unfamiliar: share,
    near: fc.double({ min: -1, max: 1, noNaN: true }),
  })
  .map(({ near, text, ...known }) => factsOf(text, { ...known, nameSimilarity: () => near }));

/** Maxima of the features that are not shares; `nameSimilarity`, a cosine, may be negative. */
const MAX_VALUES: Readonly<Record<string, number>> = {
  identifierDefined: 2,
  wordDefined: 2,
  lines: 20,
  chunks: 20,
  depth: 1000,
};

test("all features except counts are between 0 and 1", () => {
  fc.assert(
    fc.property(files, fc.array(chunks, { minLength: 1 }), questions, (one, all, facts) => {
      const own = fileFeatures(one, all, facts);
      const [first = chunk()] = all;
      const ofChunk = chunkFeatures(first, one, facts);
      const products = crossFeatures(own, facts);
      const known: readonly (readonly [string, number])[] = [
        ...CHUNK_FEATURES.map((name, at) => [name, ofChunk[at] ?? Number.NaN] as const),
        ...FILE_FEATURES.map((name, at) => [name, own[at] ?? Number.NaN] as const),
        ...products.map((value) => ["product", value] as const),
      ];
      const wrong = known.filter(
        ([name, value]) =>
          !(
            value <= (MAX_VALUES[name] ?? 1) + 1e-9 && value >= (name === "nameSimilarity" ? -1 : 0)
          ),
      );
      expect(wrong).toEqual([]);
    }),
  );
});

test("there are as many features as names", () => {
  const facts = factsOf("revoke token");
  expect(chunkFeatures(chunk(), file(), facts)).toHaveLength(CHUNK_FEATURES.length);
  const own = fileFeatures(file(), [], facts);
  expect(own).toHaveLength(FILE_FEATURES.length);
  expect(crossFeatures(own, facts)).toHaveLength(PRODUCT_FEATURES.length);
});

test("terms from the 33rd on have no bit, but count in the total", () => {
  const terms = Array.from({ length: 40 }, (_, at) => ({ term: `term${at}`, weight: 1 }));
  const facts = factsOf("a question of many words", { terms });
  const held = chunkFeatures(chunk({}, { bodyTerms: 0xffffffff }), file(), facts);
  expect(held[CHUNK_FEATURES.indexOf("textCoverage")]).toBeCloseTo(32 / 40, 9);
});
