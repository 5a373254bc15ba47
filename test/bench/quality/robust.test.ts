import { expect, test } from "vitest";

import type { Question } from "../../../bench/quality/questions.ts";
import { lossesOf, robustTable, variedTasks } from "../../../bench/quality/robust.ts";
import type { Task } from "../../../bench/quality/suites.ts";

function task(id: string, query: string): Task {
  const about = { id, suite: "s", corpus: "c", lang: "go", type: "t" };
  const question: Question = { ...about, query, gold: [{ path: "a.go" }] };
  const git = { id: "c", kind: "git", github: "o/c", commit: "1" } as const;
  return {
    suite: "s",
    question,
    place: { corpus: { ...git, language: "go", root: "" }, root: "" },
  };
}

test("only changed questions are asked again, each as in every other run", () => {
  const [long, short] = [task("1", "printInvoice"), task("2", "a b")];
  const varied = variedTasks([long, short]);
  expect(varied.map(({ variation, task: { question } }) => [variation, question.id])).toEqual([
    ["typo in a word", "1"],
    ["another slip in a word", "1"],
    ["identifiers as words", "1"],
    ["words in another order", "2"],
  ]);
  expect(varied.map(({ query }) => query).slice(2)).toEqual(["print invoice", "b a"]);
  expect(variedTasks([short, long])).toEqual(expect.arrayContaining([...varied]));
});

test("losses are those of all questions, and of each suite", () => {
  const [typo, order] = ["typo in a word", "words in another order"] as const;
  const losses = lossesOf([
    { variation: order, suite: "a", asAsked: 1, varied: 1 },
    { variation: typo, suite: "a", asAsked: 1, varied: 0.5 },
    { variation: typo, suite: "a", asAsked: 0.5, varied: 0.25 },
    { variation: typo, suite: "b", asAsked: 0.75, varied: 0.9 },
  ]);
  expect(robustTable(losses).split("\n")).toEqual([
    "ndcg10 of the changed questions  questions  as asked  varied   loss      a       b",
    "typo in a word                           3     0.750   0.550  0.200  0.375  -0.150",
    "words in another order                   1     1.000   1.000  0.000  0.000       -",
  ]);
});
