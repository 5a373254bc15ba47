// Text for test/golden: a diff of it shows which answer moved where.
import type { GoldenResult, GoldenRun } from "./run-questions.ts";
import { figuresOf, rankOf, type GoldenFigures } from "./figures.ts";
import type { RightAnswer } from "./question.ts";

/** Number of recorded answers. */
const MAX_SHOWN = 5;
const NOTE = "Written by `npm run golden`; the queries are in scripts/golden/questions.";
const BEST_MRR_LABEL = "MRR to keep";

/** The answers to the queries about one tree. `packages`: its packages, with versions. */
export function treePage(packages: readonly string[], runs: readonly GoldenRun[]): string {
  const head = [...packages, figuresText(figuresOf(runs)), NOTE, "`*` is a right answer."];
  return `${head.join("\n")}\n\n${runs.map(questionText).join("\n\n")}\n`;
}

/** A summary of all trees, with the MRR by which changes are measured. */
export function summaryPage(
  trees: ReadonlyMap<string, readonly GoldenRun[]>,
  best: number,
): string {
  const width = Math.max(...[...trees.keys()].map(({ length }) => length));
  const line = (name: string, runs: readonly GoldenRun[]): string =>
    `${name.padEnd(width)}  ${figuresText(figuresOf(runs))}`;
  return [
    ...[...trees].map(([name, runs]) => line(name, runs)),
    line("all", [...trees.values()].flat()),
    "",
    NOTE,
    "The best MRR that all together had; lower it by hand where a loss is wanted or the questions change.",
    `${BEST_MRR_LABEL} ${best.toFixed(3)}`,
    "",
  ].join("\n");
}

/** The MRR that a summary records; 0 if there is none. */
export function bestMrr(summary: string): number {
  return Number(new RegExp(`^${BEST_MRR_LABEL} ([\\d.]+)$`, "m").exec(summary)?.[1] ?? 0);
}

function figuresText({ count, hitAt1, hitAt5, mrr }: GoldenFigures): string {
  const shares = `hit@1 ${hitAt1.toFixed(3)}  hit@5 ${hitAt5.toFixed(3)}  MRR ${mrr.toFixed(3)}`;
  return `${String(count).padStart(2)} questions with an answer:  ${shares}`;
}

function questionText(run: GoldenRun): string {
  const { question, answers, isWeak } = run;
  const [first = "", ...more] = question.ask.split("\n");
  return [
    `? ${first}`,
    ...more.map((line) => `| ${line}`),
    ...answers.slice(0, MAX_SHOWN).map((answer, at) => `  ${at + 1}. ${answerText(answer)}`),
    ...(answers.length === 0 ? ["  nothing"] : []),
    ...(isWeak ? ["  weak"] : []),
    rankText(rankOf(run), question.right),
  ].join("\n");
}

function answerText({ path, startLine, endLine, symbol, isRight }: GoldenResult): string {
  return `${isRight ? "*" : " "} ${path}:${startLine}-${endLine} ${symbol}`.trimEnd();
}

function rankText(rank: number | undefined, right: readonly RightAnswer[]): string {
  if (rank !== undefined) return `  rank ${rank}`;
  if (right.length === 0) return "  has no answer";
  const places = right.map(({ path, line }) => (line === undefined ? path : `${path} (${line})`));
  return `  missed: ${places.join(", ")}`;
}
