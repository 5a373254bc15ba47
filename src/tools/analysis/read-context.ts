import { locationText } from "../../base/documents/places.ts";
import { outdatedNotes, outdatedRecord } from "../outdated-note.ts";
import { placeOf } from "../place-of.ts";
import * as v from "valibot";

import { counted } from "../../base/amounts.ts";
import { truncateAt } from "../../base/truncate-at.ts";
import { SvcError } from "../../base/errors.ts";
import type { ReadPart, ReadResult } from "../../engine/api/read.ts";
import { flag, maxTokens, namespace, boundedText } from "../arguments.ts";
import { characterBudget, type LimitName } from "../budget.ts";
import { defineTool, type ContentItem } from "../tool.ts";

export const readContext = defineTool({
  name: "read_context",
  title: "Read source",
  group: "analysis",
  description:
    "Read source of places you know, instead of opening files: `path`, `path:10-40`, `a.pdf:p5`, `Symbol`, `path#symbol`.",
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
  aliases: { target: "targets", path: "targets", symbol: "targets", paths: "targets" },
  async run(
    { targets, max_tokens, line_numbers, namespace: name },
    { engine, principal, signal, emit },
  ) {
    const opened = await engine();
    const result = await opened.read({
      targets,
      maxTokens: max_tokens,
      namespace: name,
      principal,
      signal,
    });
    failIfNothing(result);
    for (const item of itemsOf(result, { tokens: max_tokens, lineNumbers: line_numbers }))
      emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

/** Throws the first problem when no target could be read. Otherwise problems become lines of the answer. */
function failIfNothing({ parts, problems }: ReadResult): void {
  const first = problems[0];
  if (parts.length > 0 || first === undefined) return;
  const detail = problems.map((problem) => problem.detail).join("\n");
  throw new SvcError(first.code, detail);
}

interface ReadTextOptions {
  readonly tokens: number;
  readonly lineNumbers: boolean;
  readonly limitName?: LimitName;
}

/** The parts of an answer as texts, with notes about what is missing. */
export function readTexts(result: ReadResult, options: ReadTextOptions): readonly string[] {
  failIfNothing(result);
  return itemsOf(result, options).map(({ text }) => text);
}

/** Parts in the order of the targets, then problems, then the names of targets left out for lack of room. */
function itemsOf(
  { parts, problems }: ReadResult,
  { tokens, lineNumbers, limitName = "max_tokens" }: ReadTextOptions,
): readonly ContentItem[] {
  const budget = characterBudget(tokens);
  budget.reserve(problems.length + parts.length > 1 ? OMITTED_NOTE_CHARACTERS : 0);
  const items: ContentItem[] = [];
  const leftOut: string[] = [];
  for (const part of parts) {
    const shown = fitted(part, { lineNumbers, limitName, characters: budget.left() - 1 });
    const text = shown === undefined ? "" : partText(shown, { lineNumbers, limitName });
    if (shown === undefined || !budget.tryTake(text)) {
      leftOut.push(part.target);
      continue;
    }
    const { path, startLine, endLine, symbol } = shown;
    const lines = { startLine, endLine, ...placeOf(shown) };
    items.push({
      text,
      meta: { "dev.svc/passage": { path, ...lines, symbol, ...outdatedRecord(shown) } },
    });
  }
  for (const { target, detail } of problems) {
    if (budget.tryTake(detail)) items.push({ text: detail });
    else leftOut.push(target);
  }
  return leftOut.length === 0 ? items : [...items, { text: omittedText(leftOut, limitName) }];
}

/** Maximum other definitions that a part names. */
const MAX_OTHERS = 5;
/** Room for the line that names the omitted targets. */
const OMITTED_NOTE_CHARACTERS = 200;

function omittedText(targets: readonly string[], limitName: LimitName): string {
  const text = `Left out by ${limitName}: ${targets.join(", ")}`;
  return text.length < OMITTED_NOTE_CHARACTERS
    ? text
    : `${truncateAt(text, OMITTED_NOTE_CHARACTERS - 2)}…`;
}

/** How a part is written. */
interface PartForm {
  readonly lineNumbers: boolean;
  readonly limitName: LimitName;
}

/** The part with as many lines as fit; undefined when no character of the first line fits. */
function fitted(
  part: ReadPart,
  { characters, ...form }: PartForm & { readonly characters: number },
): ReadPart | undefined {
  if (partText(part, form).length <= characters) return part;
  const { startLine, totalLines, lines } = part;
  const cutTo = (count: number): ReadPart => ({
    ...part,
    lines: lines.slice(0, count),
    endLine: startLine + count - 1,
    truncatedAt: startLine + count,
  });
  const overhead = partText({ ...cutTo(0), endLine: totalLines, truncatedAt: totalLines }, form);
  const perLine = 1 + (form.lineNumbers ? String(totalLines).length + 2 : 0);
  let left = characters - overhead.length;
  let count = 0;
  for (const line of lines) {
    left -= line.length + perLine;
    if (left < 0) break;
    count += 1;
  }
  if (count > 0) return cutTo(count);
  // The first line is longer than the whole budget, as in minified files: keep its beginning.
  const room = left + (lines[0] ?? "").length - 1;
  return room < 1 ? undefined : { ...cutTo(1), lines: [`${truncateAt(lines[0] ?? "", room)}…`] };
}

function partText(part: ReadPart, { lineNumbers, limitName }: PartForm): string {
  const { startLine, endLine, totalLines, symbol, enclosing, changed, truncatedAt: next } = part;
  const notes = [
    symbol,
    enclosing.length > 0 ? `in ${enclosing.join(" > ")}` : "",
    totalLines === 0 ? "empty file" : `of ${counted(totalLines, "line")}`,
    othersNote(part),
    changed ? "changed since indexing" : "",
  ].filter((note) => note !== "");
  const width = String(endLine).length;
  const lines = lineNumbers
    ? part.lines.map((line, at) => `${String(startLine + at).padStart(width)}  ${line}`)
    : part.lines;
  const rest = next === undefined ? [] : [cutNote(part, next, limitName)];
  const place = totalLines === 0 ? part.path : locationText(part);
  const head = [`${place}  ${notes.join(", ")}`, ...outdatedNotes(part)];
  return [...head, ...lines, ...rest].join("\n");
}

/** Names that are defined in several places are common: which one this is, and where the others are. */
function othersNote({ target, others }: ReadPart): string {
  if (others.length === 0) return "";
  const places = others.slice(0, MAX_OTHERS).map(({ path, startLine }) => `${path}:${startLine}`);
  const rest = others.length > MAX_OTHERS ? " …" : "";
  const count = others.length === 1 ? "1 other definition" : `${others.length} other definitions`;
  return `the likeliest "${target}" (${count}: ${places.join(", ")}${rest})`;
}

function cutNote({ path, totalLines }: ReadPart, next: number, limitName: LimitName): string {
  return next > totalLines
    ? `… cut by ${limitName}`
    : `… cut by ${limitName}; continue with ${path}:${next}-${totalLines}`;
}
