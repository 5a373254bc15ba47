// Changes as a model reads them: the text of list_changes. Its data is the structured answer, see change-record.ts.
import type { ChangeItem, ChangesResult, HitItem } from "../../engine/api/changes.ts";
import {
  changedName,
  insideText,
  outermostChanges,
  type OutermostChange,
} from "./changed-symbols.ts";

/** Lines of a hit of a monitor that the text quotes. */
const MAX_HIT_LINES = 3;

/** A line for each change, then the cursor that continues after them. */
export function changesText(result: ChangesResult): string {
  const { changes, nextCursor, hasMore, resetMs, compared, namespace, hint } = result;
  const lines = [
    ...(resetMs === undefined
      ? []
      : [`Changes before ${isoSecond(resetMs)} are no longer known; these are the later ones.`]),
    ...(compared === undefined ? [] : [compared]),
    ...changes.map(changeLine),
    ...(changes.length === 0 ? [`No changes in "${namespace}".`] : []),
    ...(hint === undefined ? [] : [hint]),
    hasMore ? `There are more: since "${nextCursor}".` : `Later changes: since "${nextCursor}".`,
  ];
  return lines.map(oneLine).join("\n");
}

/** `12:00:05 changed src/a.ts: signature open(path: string): void, line 1, 2 users (src/b.ts:1)` */
function changeLine(change: ChangeItem): string {
  const { kind, path, oldPath, atMs, symbols, moreSymbols, hits } = change;
  const parts = [
    ...outermostChanges(symbols).map(symbolText),
    ...(moreSymbols === 0 ? [] : [`${moreSymbols} more symbols`]),
    ...notesOf(change),
    ...hits.map(hitText),
  ];
  const from = oldPath === undefined ? "" : `${oldPath} -> `;
  const when = atMs === undefined ? "" : `${isoSecond(atMs)} `;
  const head = `${when}${kind} ${from}${path === "" ? "." : path}`;
  return parts.length === 0 ? head : `${head}: ${parts.join("; ")}`;
}

function symbolText(outermost: OutermostChange): string {
  const { symbol } = outermost;
  const { change, oldName, line, place, users, usedBy } = symbol;
  const was = oldName === undefined ? "" : ` from ${oldName}`;
  const parts = [
    `${change} ${changedName(symbol)}${was}${insideText(outermost)}`,
    ...(line === undefined ? [] : [place ?? `line ${line}`]),
    ...(users === undefined || users === 0 ? [] : [usersText(users, usedBy)]),
  ];
  return parts.join(", ");
}

function usersText(users: number, usedBy: readonly string[]): string {
  const count = users === 1 ? "1 user" : `${users} users`;
  if (usedBy.length === 0) return count;
  return `${count} (${usedBy.join(", ")}${usedBy.length < users ? ", …" : ""})`;
}

function notesOf({ isOutside, isWhitespace, isNotIndexed, files }: ChangeItem): readonly string[] {
  return [
    ...(isOutside ? ["lines outside definitions"] : []),
    ...(isWhitespace ? ["white space only"] : []),
    ...(isNotIndexed ? ["content not indexed"] : []),
    ...(files === undefined ? [] : [files === 1 ? "1 file" : `${files} files`]),
  ];
}

/** `monitor todos: 2 matches, line 14 "// TODO: close"`; of other kinds of hits the number. */
function hitText({ monitor, detail }: HitItem): string {
  const { count, lines } = detail;
  const quoted = Array.isArray(lines) ? lines.slice(0, MAX_HIT_LINES).flatMap(quotedLine) : [];
  const matches =
    typeof count === "number" ? [count === 1 ? "1 match" : `${count} matches`] : ["match"];
  return `monitor ${monitor}: ${[...matches, ...quoted].join(", ")}`;
}

function quotedLine(hit: unknown): readonly string[] {
  if (typeof hit !== "object" || hit === null) return [];
  const { line, text }: { readonly line?: unknown; readonly text?: unknown } = hit;
  return [`line ${String(line)} ${JSON.stringify(text)}`];
}

function isoSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Names of files may hold line ends: a change stays one line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\n\r\u2028\u2029]+/g, " ");
}
