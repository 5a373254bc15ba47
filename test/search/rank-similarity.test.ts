import { describe, expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { rerankCandidates, rank } from "../../src/search/rank.ts";
import { RANKING_FEATURES } from "../../src/search/ranking-model.ts";
import { indexOf, sharedIndexes, TOKENS, type Searchable } from "./searchable.ts";

const indexOfShared = sharedIndexes();

describe("similarity", () => {
  const FILES = {
    "src/cleanup.ts": "export function removeFolder(path: string): void {\n  rmSync(path);\n}\n",
    "src/paint.ts":
      "export function drawCircle(radius: number): void {\n  canvas.arc(radius);\n}\n",
  };
  const QUESTION = "erase directories";

  test("finds files without any word of the query", async () => {
    const [first] = await (await indexOfShared(FILES)).search(QUESTION);
    expect(first).toMatchObject({ path: "src/cleanup.ts" });
  });

  test("an index without vectors ranks only by words", async () => {
    const indexed = await indexOf({ ...FILES, ...TOKENS }, { embeddings: undefined });
    expect((await indexed.search("revokeToken"))[0]).toMatchObject({ path: "src/tokens.ts" });
    const [first] = (await indexed.ranking("revokeToken", 1)).files;
    const signals = Object.keys(first?.signals ?? {});
    expect(signals).not.toEqual([]);
    expect(
      signals.filter((name) =>
        ["bestSimilarity", "topSimilarities", "best chunkSimilarity"].includes(name),
      ),
    ).toEqual([]);
  });

  test("a query without known words is ranked only by words", async () => {
    const indexed = await indexOf({ ...FILES, "src/odd.ts": "export const 日本語 = 1;\n" });
    expect((await indexed.search("日本語"))[0]).toMatchObject({ path: "src/odd.ts" });
  });

  test("without a query vector no similarity feature counts", async () => {
    const reader = await (await indexOfShared(TOKENS)).reader();
    const query = parseQuery("revoke token", createTokenizer());
    const { reranked } = await rerankCandidates(reader, query, { limit: 10 });
    const places = RANKING_FEATURES.flatMap((name, at) => (/similarit/i.test(name) ? [at] : []));
    expect(places.length).toBeGreaterThan(2);
    expect(reranked.length).toBeGreaterThan(2);
    for (const { features } of reranked)
      expect(places.map((at) => features[at])).toEqual(places.map(() => 0));
  });
});

async function weak(
  question: string,
  index: Promise<Searchable> = indexOfShared(TOKENS),
): Promise<boolean> {
  return (await (await index).ranking(question, 10)).confidence.isWeak;
}

describe("a weak answer", () => {
  test("is one to a query about something that is not in the index", async () => {
    expect(await weak("how are xylophone melodies transposed")).toBe(true);
  });

  test("is not one to a query whose words are all indexed, nor to one with a similar chunk", async () => {
    expect(await weak("forecast rain")).toBe(false);
    expect(await weak("revoke an xylotoken by its id")).toBe(false);
  });

  test("does not depend on the limit", async () => {
    const { ranking } = await indexOfShared(TOKENS);
    const answers = await Promise.all(
      [1, 10].map((limit) => ranking("how are xylophones tuned", limit)),
    );
    expect(answers.map(({ confidence }) => confidence.isWeak)).toEqual([true, true]);
  });

  test("is known as one, too, where only words count", async () => {
    const reader = await (await indexOfShared(TOKENS)).reader();
    const confidenceIn = async (question: string): Promise<number> => {
      const query = parseQuery(question, createTokenizer());
      return (await rank(reader, query, { limit: 10 })).confidence.value;
    };
    const good = await confidenceIn("revoke an access token");
    expect(good).toBeGreaterThan(0.5);
    expect(await confidenceIn("how are xylophone melodies transposed")).toBeLessThan(good / 4);
  });
});
