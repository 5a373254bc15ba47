import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { CHUNK_FEATURES, FILE_FEATURES, PRODUCT_FEATURES } from "../../src/search/features.ts";
import { FileFlag } from "../../src/index/types.ts";
import { RANKED_FEATURES } from "../../src/search/rank-features.ts";
import {
  CHUNK_WEIGHTS,
  contributions,
  modelOf,
  RANKING_FEATURES,
  RANKING_WEIGHTS,
  scoreFeatures,
} from "../../src/search/ranking-model.ts";
import documentWeights from "../../src/search/document-weights.json" with { type: "json" };
import weights from "../../src/search/ranking-weights.json" with { type: "json" };

/** Smaller contributions are not reported. */
const TOO_SMALL = 0.0005;

describe("the weights", () => {
  const models = [
    ["chunk", CHUNK_FEATURES, weights.chunk, CHUNK_WEIGHTS],
    ["ranking", RANKING_FEATURES, weights.ranking, RANKING_WEIGHTS],
  ] as const;

  test.each(models)("of the %s model belong to existing features", (_, names, byName) => {
    const known = new Set<string>(names);
    expect(Object.keys(byName).filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(models)(
    "of the %s model are read by name, and none is 0",
    (_, names, byName, inOrder) => {
      const found = new Map<string, number>(Object.entries(byName));
      expect(inOrder).toEqual(names.map((name) => found.get(name) ?? 0));
    },
  );

  test.each(models)("of the %s model are numbers", (_, names, byName) => {
    expect(Object.values(byName).filter((weight) => !Number.isFinite(weight))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

test("the features of files come first, then those of the best chunk, then products and ranks", () => {
  expect(RANKING_FEATURES).toHaveLength(
    FILE_FEATURES.length + CHUNK_FEATURES.length + PRODUCT_FEATURES.length + RANKED_FEATURES.length,
  );
  expect(RANKING_FEATURES.slice(0, FILE_FEATURES.length)).toEqual(FILE_FEATURES);
  expect(RANKING_FEATURES[FILE_FEATURES.length]).toBe(`best ${CHUNK_FEATURES[0]}`);
});

const features = fc.array(fc.double({ min: -2, max: 20, noNaN: true }), {
  minLength: RANKING_FEATURES.length,
  maxLength: RANKING_FEATURES.length,
});

test("the contributions add up to the score, apart from negligible ones", () => {
  fc.assert(
    fc.property(features, (known) => {
      const parts = contributions(known);
      const sum = Object.values(parts).reduce((total, part) => total + part, 0);
      const missing = RANKING_FEATURES.length - Object.keys(parts).length;
      expect(Math.abs(scoreFeatures(known, RANKING_WEIGHTS) - sum)).toBeLessThanOrEqual(
        missing * TOO_SMALL + 1e-9,
      );
      expect(Object.values(parts).every((part) => Math.abs(part) >= TOO_SMALL)).toBe(true);
    }),
  );
});

test("each contribution has the name of its feature", () => {
  for (const [at, name] of RANKING_FEATURES.entries()) {
    const weight = RANKING_WEIGHTS[at] ?? 0;
    const alone = RANKING_FEATURES.map((_, other) => Number(other === at));
    // A feature without a weight has the weight 0.
    expect(contributions(alone)).toEqual(Math.abs(weight) < TOO_SMALL ? {} : { [name]: weight });
  }
});

test("a score is the sum of the features times their weights; a feature without a weight adds nothing", () => {
  expect(scoreFeatures([1, 2, 3], [0.5, 0.25, -1])).toBe(-2);
  expect(scoreFeatures([1, 2, 3], [0, 0, 0])).toBe(0);
  expect(scoreFeatures([1, 2, 3], [2])).toBe(2);
  expect(scoreFeatures([], [1, 2])).toBe(0);
});

describe("the model of a file", () => {
  test("is that of all files for code, for Markdown, and for pages about an API", () => {
    for (const file of [
      { language: "typescript", role: "code", flags: 0 },
      { language: "markdown", role: "docs", flags: 0 },
      { language: "html", role: "code", flags: 0 },
      { language: "html", role: "docs", flags: FileFlag.generated },
    ] as const) {
      const plain = { chunk: CHUNK_WEIGHTS, ranking: RANKING_WEIGHTS, bias: 0, rarity: 0 };
      expect(modelOf(file)).toEqual(plain);
    }
  });

  test("adds weights for documents", () => {
    const at = RANKING_FEATURES.indexOf("coverage");
    const added = documentWeights.ranking.coverage;
    const own = RANKING_WEIGHTS[at] ?? 0;
    const pdf = modelOf({ language: "pdf", role: "docs", flags: 0 });
    expect(pdf.ranking[at]).toBeCloseTo(own + added);
    expect(pdf.bias).toBe(documentWeights.bias);
    expect(modelOf({ language: "html", role: "docs", flags: 0 })).toEqual(pdf);
    expect(modelOf({ language: "notebook", role: "docs", flags: 0 })).toEqual(pdf);
  });

  test("scores each passage of a document as if it were the best one", () => {
    const { chunk, ranking } = modelOf({ language: "pdf", role: "docs", flags: 0 });
    expect(ranking.slice(FILE_FEATURES.length).slice(0, CHUNK_FEATURES.length)).toEqual(chunk);
    const at = CHUNK_FEATURES.indexOf("chunkText");
    const best = RANKING_WEIGHTS[FILE_FEATURES.length + at] ?? 0;
    const { chunkShare, chunk: added } = documentWeights;
    expect(chunk[at]).toBeCloseTo(best + (CHUNK_WEIGHTS[at] ?? 0) * chunkShare + added.chunkText);
  });

  test("of documents has weights of existing features only", () => {
    const names = [...Object.keys(documentWeights.chunk), ...Object.keys(documentWeights.ranking)];
    const known = new Set<string>([...CHUNK_FEATURES, ...RANKING_FEATURES]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test("explains a score with its constant", () => {
    const none = RANKING_FEATURES.map(() => 0);
    const pdf = modelOf({ language: "pdf", role: "docs", flags: 0 });
    expect(contributions(none, pdf)).toEqual({ document: documentWeights.bias });
    expect(contributions(none, pdf, 0.5)).toEqual({
      document: documentWeights.bias,
      "best rarityInDocument": documentWeights.rarityInDocument / 2,
    });
  });
});
