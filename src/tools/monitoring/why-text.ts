// The history of a place or a question as people and models read it.

import { characterBudget } from "../budget.ts";
import { truncateAt } from "../../base/truncate-at.ts";
import type { WhyCommit, WhyResult } from "../../engine/api/why.ts";

/** Digits of an id that is shown. */
const ID_DIGITS = 10;
const MAX_BODY_LINES = 12;
const MAX_BODY_CHARACTERS = 900;
/** Hunks of the first commits are shown in full, those of later ones only their first lines. */
const FULL_HUNKS = 3;
const MAX_HUNK_LINES = 8;
const MAX_NAMED_LINES = 5;
const MAX_OTHERS = 5;

/**
 * Leaves out the last commits whose texts do not fit into so many tokens, and counts them among those that are not shown.
 * The first commit always stays.
 */
export function fittingCommits(result: WhyResult, tokens: number): WhyResult {
  const budget = characterBudget(tokens);
  budget.tryTake(headOf(result));
  const end = result.commits.findIndex((one, at) => !budget.tryTake(commitText(one, at)));
  if (end < 0 || result.commits.length < 2) return result;
  const commits = result.commits.slice(0, Math.max(1, end));
  const left = result.commits.length - commits.length;
  return { ...result, commits, moreCommits: result.moreCommits + left };
}

/** An item for the target, and one for each commit. */
export function whyTexts(result: WhyResult): readonly string[] {
  return [headOf(result), ...result.commits.map(commitText)].filter((text) => text !== "");
}

function headOf({ target, commits, moreCommits, partial }: WhyResult): string {
  const lines: string[] = [];
  if (target !== undefined) {
    const { path, startLine, endLine, symbol, uncommitted, others } = target;
    const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
    lines.push(`${path}:${range}${symbol === "" ? "" : `  ${symbol}`}`);
    if (uncommitted.length > 0) lines.push(uncommittedText(uncommitted, endLine - startLine + 1));
    if (others.length > 0) {
      const places = others.slice(0, MAX_OTHERS).map((one) => `${one.path}:${one.startLine}`);
      lines.push(`Other definitions of the name: ${places.join(", ")}`);
    }
  }
  if (commits.length === 0) lines.push("No commit explains it.");
  if (moreCommits > 0) lines.push(`${moreCommits} more commits changed it.`);
  return [...lines, ...partial].join("\n");
}

function uncommittedText(lines: readonly number[], all: number): string {
  if (lines.length === all) return "Not committed yet.";
  const named = lines.slice(0, MAX_NAMED_LINES).join(", ");
  const more = lines.length > MAX_NAMED_LINES ? `, … (${lines.length} lines)` : "";
  return `Not committed yet: ${lines.length === 1 ? "line" : "lines"} ${named}${more}`;
}

/** The id, date, author and subject, what it did, its message, its hunk. */
function commitText(commit: WhyCommit, at: number): string {
  const { path, hunk, touched } = commit;
  const lines = [headLine(commit)];
  const facts = factsOf(commit);
  if (facts.length > 0) lines.push(`  ${facts.join("; ")}`);
  lines.push(...bodyLines(commit.body).map((line) => `  ${line}`));
  if (touched.length > 0) {
    lines.push(`  touched ${touchedText(touched)}`);
  }
  if (hunk !== "") {
    const all = hunk.split("\n");
    const shown = at < FULL_HUNKS ? all : all.slice(0, MAX_HUNK_LINES);
    lines.push(`  ${path}`, ...shown.map((line) => `  ${line}`));
    if (shown.length < all.length) lines.push("  …");
  }
  return lines.join("\n");
}

/** `Cart.add, Cart.remove (src/cart.ts), Order (src/order.ts)` */
function touchedText(touched: WhyCommit["touched"]): string {
  const byPath = Map.groupBy(touched, ({ path }) => path);
  return [...byPath]
    .map(([path, all]) => `${all.map(({ symbol }) => symbol).join(", ")} (${path})`)
    .join(", ");
}

/** A commit on one line: the id, date, author and subject, and what it did. */
export function whyLine(commit: WhyCommit): string {
  const facts = factsOf(commit);
  return [headLine(commit), ...(facts.length === 0 ? [] : [`(${facts.join("; ")})`])].join("  ");
}

function headLine({ id, authoredAt, author, subject }: WhyCommit): string {
  const head = [shortId(id), authoredAt.slice(0, 10), author].filter((part) => part !== "");
  return `${head.join("  ")}  ${subject}`;
}

function factsOf({ why, merged, issues, reverts, revertedBy }: WhyCommit): readonly string[] {
  return [
    ...why,
    ...(merged === undefined ? [] : [`merged in ${merged.request} by ${shortId(merged.commit)}`]),
    ...(reverts === undefined ? [] : [`reverts ${shortId(reverts)}`]),
    ...(revertedBy === undefined ? [] : [`reverted by ${shortId(revertedBy)}`]),
    ...(issues.length === 0 ? [] : [issues.join(", ")]),
  ];
}

function bodyLines(body: string): readonly string[] {
  if (body === "") return [];
  const lines = truncateAt(body, MAX_BODY_CHARACTERS).split("\n").slice(0, MAX_BODY_LINES);
  const isCut = lines.join("\n").length < body.length;
  return isCut ? [...lines, "…"] : lines;
}

function shortId(id: string): string {
  return id.slice(0, ID_DIGITS);
}
