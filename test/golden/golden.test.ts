// What is found where, as it was written down: a change of ranking shows here as a change of text.
import { readdirSync } from "node:fs";

import { beforeAll, expect, test } from "vitest";

import { GOLDEN, golden, goldenText, type Golden } from "../../scripts/golden.ts";
import { TREES } from "../../scripts/golden/trees.ts";

/** What the MRR may fall by without anybody's saying so: less than two of sixty questions from the first place to the third. */
const ALLOWED_LOSS = 0.02;

let made: Golden;
beforeAll(async () => {
  made = await golden();
}, 120_000);

const names = [...TREES.map(({ name }) => `${name}.txt`), "summary.txt"];

// `node scripts/golden.ts` writes what is found now: look at what it changes.
test.each(names)("%s says what is found now (else run: node scripts/golden.ts)", (name) => {
  expect(goldenText(name)).toBe(made.files.get(name));
});

test("every file is written by somebody", () => {
  expect(
    readdirSync(GOLDEN)
      .filter((name) => name.endsWith(".txt"))
      .toSorted(),
  ).toEqual([...made.files.keys()].toSorted());
});

test("the answers are about as good as they have been", () => {
  expect(made.bestMrr).toBeGreaterThan(0);
  expect(made.mrr).toBeGreaterThanOrEqual(made.bestMrr - ALLOWED_LOSS);
});

test("there are sixty questions, and some that nothing answers", () => {
  const questions = TREES.flatMap((tree) => tree.questions);
  expect(questions.filter(({ right }) => right.length > 0)).toHaveLength(60);
  expect(questions.some(({ right }) => right.length === 0)).toBe(true);
  expect(new Set(questions.map(({ ask }) => ask)).size).toBe(questions.length);
});
