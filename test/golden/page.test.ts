import { describe, expect, onTestFinished, test } from "vitest";

import {
  runQuestions,
  DEPTH,
  requireWhole,
  type GoldenResult,
  type GoldenRun,
} from "../../scripts/golden/run-questions.ts";
import { figuresOf, rankOf } from "../../scripts/golden/figures.ts";
import { bestMrr, summaryPage, treePage } from "../../scripts/golden/page.ts";
import type { GoldenTree, GoldenQuestion } from "../../scripts/golden/question.ts";
import { indexedTree } from "../helpers/indexed-tree.ts";

const QUESTION: GoldenQuestion = { ask: "where", right: [{ path: "a.ts", line: "const a" }] };

/** A question whose right answer is at these ranks. */
function run(ranks: readonly number[], more: Partial<GoldenRun> = {}): GoldenRun {
  const answers = Array.from({ length: 12 }, (_, at): GoldenResult => ({
    path: `${at + 1}.ts`,
    startLine: 1,
    endLine: 2,
    symbol: at === 0 ? "first" : "",
    isRight: ranks.includes(at + 1),
  }));
  return { question: QUESTION, answers, isWeak: false, ...more };
}

test.each<[readonly number[], number | undefined]>([
  [[1], 1],
  [[3, 2], 2],
  [[DEPTH], DEPTH],
  [[DEPTH + 1], undefined],
  [[], undefined],
])("the right answers at %j have the rank %s", (ranks, expected) => {
  expect(rankOf(run(ranks))).toBe(expected);
});

describe("figures", () => {
  test("are means over the questions that have an answer", () => {
    const nothing = run([], { question: { ask: "what", right: [] } });
    expect(figuresOf([run([1]), run([4]), run([8]), run([]), nothing])).toEqual({
      count: 4,
      hitAt1: 0.25,
      hitAt5: 0.5,
      mrr: (1 + 1 / 4 + 1 / 8) / 4,
    });
  });
});

describe("the page of a tree", () => {
  test("shows the first five answers of each question, the right answer, and its rank", () => {
    const question = { ask: "Error: no\n  at all", right: [] };
    const page = treePage(
      ["one 1.0.0", "two 2.0.0"],
      [run([2, 3]), run([7]), run([]), run([], { question, answers: [], isWeak: true })],
    );
    expect(page).toMatchInlineSnapshot(`
      "one 1.0.0
      two 2.0.0
       3 questions with an answer:  hit@1 0.000  hit@5 0.333  MRR 0.214
      Written by \`npm run golden\`; the queries are in scripts/golden/questions.
      \`*\` is a right answer.

      ? where
        1.   1.ts:1-2 first
        2. * 2.ts:1-2
        3. * 3.ts:1-2
        4.   4.ts:1-2
        5.   5.ts:1-2
        rank 2

      ? where
        1.   1.ts:1-2 first
        2.   2.ts:1-2
        3.   3.ts:1-2
        4.   4.ts:1-2
        5.   5.ts:1-2
        rank 7

      ? where
        1.   1.ts:1-2 first
        2.   2.ts:1-2
        3.   3.ts:1-2
        4.   4.ts:1-2
        5.   5.ts:1-2
        missed: a.ts (const a)

      ? Error: no
      |   at all
        nothing
        weak
        has no answer
      "
    `);
  });
});

describe("the summary", () => {
  const trees = new Map([
    ["one", [run([1])]],
    ["another", [run([2]), run([])]],
  ]);

  test("has a line for each tree and one for all, and the MRR to keep", () => {
    const page = summaryPage(trees, 0.75);
    expect(page.split("\n").slice(0, 3)).toEqual([
      "one       1 questions with an answer:  hit@1 1.000  hit@5 1.000  MRR 1.000",
      "another   2 questions with an answer:  hit@1 0.000  hit@5 0.500  MRR 0.250",
      "all       3 questions with an answer:  hit@1 0.333  hit@5 0.667  MRR 0.500",
    ]);
    expect(bestMrr(page)).toBe(0.75);
  });

  test("that is not there keeps nothing", () => {
    expect(bestMrr("")).toBe(0);
  });
});

function tree(...right: GoldenQuestion["right"]): GoldenTree {
  return {
    name: "tiny",
    parts: ["estree-walker"],
    without: /^\/types$/,
    questions: [{ ask: "walk an abstract syntax tree", right }],
  };
}

describe("a tree is asked", () => {
  test("and an answer is right that holds the line", async () => {
    const [found] = await runQuestions(
      tree({ path: "src/walker.js", line: "export class WalkerBase {" }),
    );
    const right = found?.answers.filter(({ isRight }) => isRight).map(({ path }) => path);
    expect(right).toEqual(["src/walker.js"]);
  });

  test("and any part of a file is right that has no line", async () => {
    const [found] = await runQuestions(tree({ path: "src/index.js" }));
    const paths = found?.answers.filter(({ isRight }) => isRight).map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(["src/index.js"]));
  });

  test("a line that is no longer there, or is there more than once, is reported", async () => {
    const lost = runQuestions(tree({ path: "src/index.js", line: "nowhere to be found" }));
    await expect(lost).rejects.toThrow("src/index.js has 0 lines");
    const common = runQuestions(tree({ path: "src/index.js", line: "import" }));
    await expect(common).rejects.toThrow(/src\/index\.js has \d+ lines/);
  });

  test("no figures are made of an index that lacks the grammar of a file", async () => {
    const indexed = indexedTree({
      "deep.go": `package a\n${"{-".repeat(5000)}\n`,
      "plain.go": "package a\n",
    });
    onTestFinished(indexed.dispose);
    await indexed.run();
    const { reader } = await indexed.queryContext();
    await expect(requireWhole("tiny", reader)).rejects.toThrow(
      "tiny: deep.go was indexed without its grammar (nesting)",
    );
  });
});
