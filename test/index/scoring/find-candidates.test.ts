import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { CandidateQuery, Candidates } from "../../../src/index/scoring/candidates.ts";
import { differences } from "../../helpers/differences.ts";
import { WEIGHTS } from "../../helpers/expect-candidates.ts";
import type { Part } from "../../helpers/naive-candidates.ts";
import { findIn, snapshotOf } from "../../helpers/searched-snapshots.ts";
import { someFiles, textFile } from "../../helpers/segments.ts";
import { questionOf, SMALL } from "../../helpers/vectors.ts";

const WORDS = ["parse", "token", "config", "user", "http", "server", "alpha", "absent"] as const;

async function allOf({ files, ...rest }: Candidates): Promise<unknown> {
  const shown = files.map(async ({ chunks, scores: _scores, ...file }) => ({
    ...file,
    chunks: await chunks(),
  }));
  return { ...rest, files: await Promise.all(shown) };
}

/** Files that are found by their words, names and paths, some of them twice, so that scores are equal. */
const someParts = fc
  .array(
    fc.record({
      words: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
      names: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
      path: fc.constantFrom(...WORDS),
      isDead: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ words, names, path, isDead }, at): Part => {
      const chunk = { startLine: 1, endLine: 1, kind: "function" as const, symbol: "", names };
      const file = textFile(`${path}/${at}.ts`, [words.join(" ")], { chunks: [chunk] });
      return { files: [file], dead: [isDead ? 1 : 0], embeddings: SMALL };
    }),
  );

const someQuery = fc
  .record({
    words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }),
    hasVector: fc.boolean(),
    limit: fc.constantFrom(1, 3, 100),
    isFiltered: fc.boolean(),
  })
  .map(({ words, hasVector, limit, isFiltered }): CandidateQuery => ({
    terms: new Map(words.map((word, at) => [word, 1 / (at + 1)])),
    vector: hasVector ? questionOf(words.join(" "), SMALL) : undefined,
    weights: WEIGHTS,
    limit,
    filter: isFiltered ? ({ path }) => !path.endsWith("3.ts") : undefined,
  }));

test("shards give the candidates of the whole index, to the last bit, however its files are divided", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      someParts,
      someQuery,
      fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }),
      fc.constantFrom(0, 1 << 20),
      async (parts, query, shardOf, vectorsInMemory) => {
        const shards = [0, 1, 2].map((shard) =>
          snapshotOf(parts.filter((_, at) => shardOf[at] === shard)),
        );
        const whole = await findIn([snapshotOf(parts)], query, { vectorsInMemory });
        const divided = await findIn(shards, query, { vectorsInMemory });
        expect(differences(await allOf(whole), await allOf(divided))).toEqual([]);
        compared += whole.files.length;
      },
    ),
    // They compare 256 files, give or take 19.
    { numRuns: 120 },
  );
  expect(compared).toBeGreaterThan(150);
});

test("any files in any order have the same candidates, as one segment or many", async () => {
  await fc.assert(
    fc.asyncProperty(someFiles(6), someQuery, async (files, query) => {
      const partOf = (some: typeof files): Part => ({
        files: some,
        dead: some.map(() => 0),
        embeddings: SMALL,
      });
      const whole = await findIn([snapshotOf([partOf(files)])], query);
      const turned = files.toReversed().map((file) => partOf([file]));
      const divided = await findIn(
        turned.map((part) => snapshotOf([part])),
        query,
      );
      expect(differences(await allOf(whole), await allOf(divided))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test("the limit of postings counts those of all shards", async () => {
  // 51,000 postings of each word in each of two shards: three words fit together only within one.
  const lines = Array.from(
    { length: 1000 },
    (_, at) => `alpha token user ${at === 5 ? "http" : ""}`,
  );
  const bytes = Buffer.from(lines.join("\n"));
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  const partOf = (from: number): Part => {
    const files = Array.from({ length: 51 }, (_, at) =>
      textFile(`f${from + at}.txt`, [], { bytes, chunks }),
    );
    return { files, dead: files.map(() => 0) };
  };
  const [one, other] = [partOf(0), partOf(51)];
  const query = {
    terms: new Map(["http", "alpha", "token", "user"].map((term) => [term, 1])),
    weights: WEIGHTS,
    limit: 5,
  };
  const whole = await findIn([snapshotOf([one, other])], query);
  const divided = await findIn([snapshotOf([one]), snapshotOf([other])], query);
  expect(divided.files).toHaveLength(5);
  expect(differences(await allOf(whole), await allOf(divided))).toEqual([]);
  const half = await findIn([snapshotOf([one])], query);
  expect(half.files[0]?.score).not.toBe(whole.files[0]?.score);
}, 60_000);

test("when time runs out in one shard, the result is not complete", async () => {
  const parts = ["alpha token", "alpha"].map((text, at): Part => ({
    files: [textFile(`${at}.txt`, [text])],
    dead: [0],
  }));
  const query = {
    terms: new Map([
      ["alpha", 1],
      ["token", 1],
    ]),
    weights: WEIGHTS,
    limit: 10,
  };
  let calls = 0;
  const late = await findIn(
    parts.map((part) => snapshotOf([part])),
    query,
    {
      isLate: () => ++calls > 3,
    },
  );
  expect(late.isComplete).toBe(false);
  expect(late.files.map(({ file }) => file.path)).toEqual(["0.txt"]);
});
