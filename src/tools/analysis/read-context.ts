import * as v from "valibot";

import { cutAt } from "../../base/cut-at.ts";
import { SvcError } from "../../base/errors.ts";
import type { ReadAnswer, ReadPart } from "../../engine/engine.ts";
import { flag, maxTokens, namespace, boundedText } from "../arguments.ts";
import { characterBudget } from "../budget.ts";
import { defineTool, type Item } from "../tool.ts";

export const readContext = defineTool({
  name: "read_context",
  title: "Read source",
  group: "analysis",
  description:
    "Read source of places you know, instead of opening files: `path`, `path:10-40`, `Symbol`, `path#symbol` or `path#heading`.",
  readOnly: true,
  input: {
    targets: v.pipe(
      v.array(boundedText(4096)),
      v.minLength(1, "must name 1 to 20 targets"),
      v.maxLength(20, "must name 1 to 20 targets"),
    ),
    max_tokens: maxTokens,
    line_numbers: flag,
    namespace,
  },
  async run(
    { targets, max_tokens, line_numbers, namespace: name },
    { engine, caller, signal, emit },
  ) {
    const opened = await engine();
    const answer = await opened.read({
      targets,
      maxTokens: max_tokens,
      namespace: name,
      caller,
      signal,
    });
    failIfNothing(answer);
    for (const item of itemsOf(answer, { tokens: max_tokens, lineNumbers: line_numbers }))
      emit(item);
    return { repeatable: answer.isRepeatable };
  },
});

/** One bad target among good ones is a line of the answer; nothing but bad ones is a failure. */
function failIfNothing({ parts, problems }: ReadAnswer): void {
  const first = problems[0];
  if (parts.length > 0 || first === undefined) return;
  const detail = problems.map((problem) => problem.detail).join("\n");
  throw new SvcError(first.code, detail);
}

/** Parts in the order of the targets, then what went wrong; what no longer fits is named, if need be. */
function itemsOf(
  { parts, problems }: ReadAnswer,
  { tokens, lineNumbers }: { tokens: number; lineNumbers: boolean },
): readonly Item[] {
  const budget = characterBudget(tokens);
  budget.reserve(problems.length + parts.length > 1 ? LEFT_OUT_CHARACTERS : 0);
  const items: Item[] = [];
  const leftOut: string[] = [];
  for (const part of parts) {
    const shown = fitted(part, { lineNumbers, characters: budget.left() - 1 });
    const text = shown === undefined ? "" : partText(shown, lineNumbers);
    if (shown === undefined || !budget.take(text)) {
      leftOut.push(part.target);
      continue;
    }
    const { path, startLine, endLine, symbol } = shown;
    items.push({ text, meta: { "dev.svc/passage": { path, startLine, endLine, symbol } } });
  }
  for (const { target, detail } of problems) {
    if (budget.take(detail)) items.push({ text: detail });
    else leftOut.push(target);
  }
  return leftOut.length === 0 ? items : [...items, { text: leftOutText(leftOut) }];
}

/** Room for the line that names what was left out. */
const LEFT_OUT_CHARACTERS = 200;

function leftOutText(targets: readonly string[]): string {
  const text = `Left out by max_tokens: ${targets.join(", ")}`;
  return text.length < LEFT_OUT_CHARACTERS ? text : `${cutAt(text, LEFT_OUT_CHARACTERS - 2)}…`;
}

/** The part with as many lines as fit; undefined when not even some of its first line does. */
function fitted(
  part: ReadPart,
  { lineNumbers, characters }: { lineNumbers: boolean; characters: number },
): ReadPart | undefined {
  if (partText(part, lineNumbers).length <= characters) return part;
  const { startLine, totalLines, lines } = part;
  const cutTo = (count: number): ReadPart => ({
    ...part,
    lines: lines.slice(0, count),
    endLine: startLine + count - 1,
    cutAt: startLine + count,
  });
  const overhead = partText({ ...cutTo(0), endLine: totalLines, cutAt: totalLines }, lineNumbers);
  const perLine = 1 + (lineNumbers ? String(totalLines).length + 2 : 0);
  let left = characters - overhead.length;
  let count = 0;
  for (const line of lines) {
    left -= line.length + perLine;
    if (left < 0) break;
    count += 1;
  }
  if (count > 0) return cutTo(count);
  // A first line longer than the whole budget, as minified files have: its beginning.
  const room = left + (lines[0] ?? "").length - 1;
  return room < 1 ? undefined : { ...cutTo(1), lines: [`${cutAt(lines[0] ?? "", room)}…`] };
}

function partText(part: ReadPart, lineNumbers: boolean): string {
  const { path, startLine, endLine, totalLines, symbol, enclosing, changed, cutAt: next } = part;
  const notes = [
    symbol,
    enclosing.length > 0 ? `in ${enclosing.join(" > ")}` : "",
    `of ${totalLines} lines`,
    changed ? "changed since indexing" : "",
  ].filter((note) => note !== "");
  const width = String(endLine).length;
  const lines = lineNumbers
    ? part.lines.map((line, at) => `${String(startLine + at).padStart(width)}  ${line}`)
    : part.lines;
  const rest = next === undefined ? [] : [cutNote(part, next)];
  return [`${path}:${startLine}-${endLine}  ${notes.join(", ")}`, ...lines, ...rest].join("\n");
}

function cutNote({ path, totalLines }: ReadPart, next: number): string {
  return next > totalLines
    ? "… cut by max_tokens"
    : `… cut by max_tokens; go on with ${path}:${next}-${totalLines}`;
}
