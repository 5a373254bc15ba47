// What is written into test/golden: text that shows in a diff which answer moved where.
import type { Answer, Asked } from "./ask.ts";
import { figuresOf, rankOf, type Figures } from "./figures.ts";
import type { RightAnswer } from "./question.ts";

/** Answers that are written down. */
const SHOWN = 5;
const NOTE =
  "Written by `node scripts/golden.ts`; the questions stand in scripts/golden/questions.";
const KEPT = "MRR to keep";

/** The answers to the questions about one tree. `packages`: what it consists of, with versions. */
export function treePage(packages: readonly string[], asked: readonly Asked[]): string {
  const head = [...packages, figuresText(figuresOf(asked)), NOTE, "`*` is a right answer."];
  return `${head.join("\n")}\n\n${asked.map(questionText).join("\n\n")}\n`;
}

/** All trees at a glance, with the MRR that a change is measured by. */
export function summaryPage(trees: ReadonlyMap<string, readonly Asked[]>, kept: number): string {
  const width = Math.max(...[...trees.keys()].map(({ length }) => length));
  const line = (name: string, asked: readonly Asked[]): string =>
    `${name.padEnd(width)}  ${figuresText(figuresOf(asked))}`;
  return [
    ...[...trees].map(([name, asked]) => line(name, asked)),
    line("all", [...trees.values()].flat()),
    "",
    NOTE,
    "The best MRR that all together had; lower it by hand where a loss is wanted or the questions change.",
    `${KEPT} ${kept.toFixed(3)}`,
    "",
  ].join("\n");
}

/** The MRR that a summary keeps; 0 where there is none. */
export function keptMrr(summary: string): number {
  return Number(new RegExp(`^${KEPT} ([\\d.]+)$`, "m").exec(summary)?.[1] ?? 0);
}

function figuresText({ count, hitAt1, hitAt5, mrr }: Figures): string {
  const shares = `hit@1 ${hitAt1.toFixed(3)}  hit@5 ${hitAt5.toFixed(3)}  MRR ${mrr.toFixed(3)}`;
  return `${String(count).padStart(2)} questions with an answer:  ${shares}`;
}

function questionText(asked: Asked): string {
  const { question, answers, isWeak } = asked;
  const [first = "", ...more] = question.ask.split("\n");
  return [
    `? ${first}`,
    ...more.map((line) => `| ${line}`),
    ...answers.slice(0, SHOWN).map((answer, at) => `  ${at + 1}. ${answerText(answer)}`),
    ...(answers.length === 0 ? ["  nothing"] : []),
    ...(isWeak ? ["  weak"] : []),
    rankText(rankOf(asked), question.right),
  ].join("\n");
}

function answerText({ path, startLine, endLine, symbol, isRight }: Answer): string {
  return `${isRight ? "*" : " "} ${path}:${startLine}-${endLine} ${symbol}`.trimEnd();
}

function rankText(rank: number | undefined, right: readonly RightAnswer[]): string {
  if (rank !== undefined) return `  rank ${rank}`;
  if (right.length === 0) return "  has no answer";
  const places = right.map(({ path, line }) => (line === undefined ? path : `${path} (${line})`));
  return `  missed: ${places.join(", ")}`;
}
