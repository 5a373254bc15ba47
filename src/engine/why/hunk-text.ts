// Hunks as an answer shows them, and whether they changed only the form of a text.

import { truncateAt } from "../../base/truncate-at.ts";
import type { PatchHunk } from "../../sources/patch-text.ts";

/** Unchanged lines before and after changed ones. */
const CONTEXT_LINES = 2;
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 240;

/** A run of lines of a hunk that is shown. */
interface ShownRun {
  oldStart: number;
  newStart: number;
  readonly lines: string[];
}

/** Returns hunks as a unified diff with a little context, cut after 40 lines; "" if no line changed. */
export function hunkText(hunks: readonly PatchHunk[]): string {
  const shown: string[] = [];
  for (const hunk of hunks) {
    for (const { oldStart, newStart, lines } of shownRuns(hunk)) {
      if (shown.length >= MAX_LINES) break;
      const section = hunk.section === "" ? "" : ` ${hunk.section}`;
      const counts = [countOf(lines, "-"), countOf(lines, "+")];
      shown.push(`@@ -${oldStart},${counts[0]} +${newStart},${counts[1]} @@${section}`, ...lines);
    }
  }
  const cut = shown.length > MAX_LINES ? [...shown.slice(0, MAX_LINES), "…"] : shown;
  return cut
    .map((line) => (line.length > MAX_LINE_LENGTH ? `${truncateAt(line, MAX_LINE_LENGTH)}…` : line))
    .join("\n");
}

/** Number of lines on one side, changed and unchanged. */
function countOf(lines: readonly string[], mark: "+" | "-"): number {
  return lines.filter((line) => line.startsWith(mark) || line.startsWith(" ")).length;
}

function shownRuns({ oldStart, newStart, lines }: PatchHunk): readonly ShownRun[] {
  const isNear = nearChanges(lines);
  const runs: ShownRun[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  let open: ShownRun | undefined;
  for (const [at, line] of lines.entries()) {
    if (isNear[at] === true) {
      if (open === undefined) {
        open = { oldStart: oldLine, newStart: newLine, lines: [] };
        runs.push(open);
      }
      open.lines.push(line);
    } else open = undefined;
    if (!line.startsWith("+")) oldLine += 1;
    if (!line.startsWith("-")) newLine += 1;
  }
  return runs;
}

function nearChanges(lines: readonly string[]): readonly boolean[] {
  const near = lines.map(() => false);
  for (const [at, line] of lines.entries()) {
    if (!isChanged(line)) continue;
    const end = Math.min(lines.length - 1, at + CONTEXT_LINES);
    for (let one = Math.max(0, at - CONTEXT_LINES); one <= end; one += 1) near[one] = true;
  }
  return near;
}

function isChanged(line: string): boolean {
  return line.startsWith("+") || line.startsWith("-");
}

/** Changed lines before and after those of a question that are shown of a long hunk. */
const NEAR_LINES = 8;

/** Returns the part of a hunk around some lines of its new side, 1-based; the hunk itself if it is short. */
export function hunkAround(hunk: PatchHunk, newLines: ReadonlySet<number>): PatchHunk {
  const { lines, oldStart, newStart } = hunk;
  let newLine = newStart - 1;
  const wanted = lines.flatMap((line, at) => {
    if (!line.startsWith("-")) newLine += 1;
    return line.startsWith("+") && newLines.has(newLine) ? [at] : [];
  });
  const [first] = wanted;
  if (lines.length <= MAX_LINES || first === undefined) return hunk;
  const last = wanted.findLast((at) => at - first < MAX_LINES - 2 * NEAR_LINES) ?? first;
  const start = Math.max(0, first - NEAR_LINES);
  const before = lines.slice(0, start);
  const own = lines.slice(start, last + NEAR_LINES + 1);
  return {
    ...hunk,
    lines: own,
    oldStart: oldStart + before.filter((line) => !line.startsWith("+")).length,
    newStart: newStart + before.filter((line) => !line.startsWith("-")).length,
    oldCount: own.filter((line) => !line.startsWith("+")).length,
    newCount: own.filter((line) => !line.startsWith("-")).length,
  };
}

/** The lines that hunks add, without their marks. */
export function addedLines(hunks: readonly PatchHunk[]): readonly string[] {
  return linesWith(hunks, "+");
}

/** The lines that hunks remove, without their marks. */
export function removedLines(hunks: readonly PatchHunk[]): readonly string[] {
  return linesWith(hunks, "-");
}

function linesWith(hunks: readonly PatchHunk[], mark: "+" | "-"): readonly string[] {
  return hunks.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1)),
  );
}

/** Whether each hunk changed only white space, line breaks, kinds of quotes, semicolons at line ends and last commas. */
export function isFormatting(hunks: readonly PatchHunk[]): boolean {
  return hunks.every((hunk) => essence(addedLines([hunk])) === essence(removedLines([hunk])));
}

function essence(lines: readonly string[]): string {
  return lines
    .map((line) => line.replaceAll(/\s+/g, "").replace(/;$/, ""))
    .join("")
    .replaceAll(/["'`]/g, '"')
    .replaceAll(/,(?=[)\]}]|$)/g, "");
}

/** Returns a line without white space, for comparison; "" for a line that many texts have, such as a bracket. */
export function comparable(line: string): string {
  const squeezed = line.replaceAll(/\s+/g, "");
  return squeezed.length >= 4 && /[\p{L}\p{N}]/u.test(squeezed) ? squeezed : "";
}

/** The share of the comparable lines of `wanted` that `found` has, 0 to 1; 0 if it has none. */
export function shareOfLines(wanted: readonly string[], found: readonly string[]): number {
  const all = new Set(wanted.map(comparable).filter((line) => line !== ""));
  if (all.size === 0) return 0;
  const others = new Set(found.map(comparable));
  return [...all].filter((line) => others.has(line)).length / all.size;
}
