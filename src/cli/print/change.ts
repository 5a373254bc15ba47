import type { ChangeItem, HitItem } from "../../engine/api/changes.ts";
import {
  changedName,
  insideText,
  outermostChanges,
  type OutermostChange,
} from "../../tools/monitoring/changed-symbols.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";

/** Maximum symbols on the line of a change. */
const MAX_SYMBOLS = 6;

/** `2026-01-31 12:00:05Z  changed  src/a.ts  signature foo(x: string) (3 users), body Bar.go` */
export function changeLine(change: ChangeItem, style: Style): string {
  const { kind, path, oldPath, atMs, symbols, moreSymbols, hits } = change;
  const outermost = outermostChanges(symbols);
  const shown = outermost.slice(0, MAX_SYMBOLS);
  const left = outermost.length - shown.length + moreSymbols;
  const location = oldPath === undefined ? path || "." : `${oldPath} -> ${path}`;
  const parts = [
    ...(atMs === undefined ? [] : [style.dim(timeText(atMs))]),
    kind.padEnd(7),
    style.magenta(safeLine(location)),
    [...shown.map(symbolText), ...(left > 0 ? [`${left} more`] : []), ...notesOf(change)].join(
      ", ",
    ),
    ...hits.map((hit) => style.bold(safeLine(hitText(hit)))),
  ];
  return parts.filter((part) => part !== "").join("  ");
}

function notesOf({ isOutside, isWhitespace, isNotIndexed, files }: ChangeItem): readonly string[] {
  return [
    ...(isOutside ? ["lines outside definitions"] : []),
    ...(isWhitespace ? ["white space only"] : []),
    ...(isNotIndexed ? ["content not indexed"] : []),
    ...(files === undefined ? [] : [files === 1 ? "1 file" : `${files} files`]),
  ];
}

function symbolText(outermost: OutermostChange): string {
  const { symbol } = outermost;
  const { change, oldName, users } = symbol;
  const was = oldName === undefined ? "" : ` from ${oldName}`;
  const used =
    users === undefined || users === 0 ? "" : users === 1 ? " (1 user)" : ` (${users} users)`;
  return safeLine(`${change} ${changedName(symbol)}${was}${insideText(outermost)}${used}`);
}

/** `[todos: line 12]` */
function hitText({ monitor, detail }: HitItem): string {
  const { count } = detail;
  return typeof count === "number" ? `[${monitor}: ${count}]` : `[${monitor}]`;
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}
