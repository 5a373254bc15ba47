// The window of `svc search -i` as text.
import type { Passage } from "../../engine/api/search.ts";
import { foldedMark } from "../../tools/search/folded-note.ts";
import { namespaceMark } from "../../tools/search/namespace-mark.ts";
import { relevanceOf } from "../print/explanation.ts";
import { safeLine } from "../print/safe-text.ts";
import type { Style } from "../print/style.ts";
import { displayWidth, truncate } from "../print/width.ts";

/** Consecutive lines of a file. */
export interface Preview {
  /** 1-based. */
  readonly startLine: number;
  readonly lines: readonly string[];
}

interface ScreenState {
  readonly query: string;
  readonly results: readonly Passage[];
  /** Index of the selected result. */
  readonly selected: number;
  readonly preview: Preview | undefined;
  /** One line about the results. */
  readonly status: string;
}

interface ScreenOptions {
  readonly style: Style;
  readonly columns: number;
  readonly rows: number;
}

const PROMPT = "> ";
const KEYS = "Up/Down PgUp/PgDn select  Enter open  Ctrl-Y copy  Ctrl-O print  Esc leave";
/**
 * Rows of the window for the status, the line above the preview, the keys, and a last empty row that prevents
 * scrolling.
 */
const FIXED_ROWS = 4;
const MIN_LIST_ROWS = 3;
const TAB = "    ";

/** How many results a window of this height lists. */
export function listRows(rows: number): number {
  return Math.max(MIN_LIST_ROWS, Math.floor((rows - FIXED_ROWS) / 3));
}

/** Returns the line with the query, and what is below it. No line is wider than the window, whatever the files contain. */
export function searchScreen(
  state: ScreenState,
  { style, columns, rows }: ScreenOptions,
): readonly [question: string, rest: string] {
  const { query, results, selected, preview, status } = state;
  // A terminal may wrap a line that fills it.
  const width = Math.max(10, columns - 1);
  const fit = (text: string): string => truncate(text, width);
  const questionRows = Math.floor((PROMPT.length + displayWidth(query)) / columns) + 1;
  const room = Math.max(0, rows - questionRows - FIXED_ROWS);
  const count = Math.min(listRows(rows), results.length, room);
  const first = Math.max(0, Math.min(selected - Math.floor(count / 2), results.length - count));
  const list = results.slice(first, first + count).map((passage, at) => {
    const text = fit(`${first + at === selected ? ">" : " "} ${resultText(passage)}`);
    return first + at === selected ? style.bold(text) : text;
  });
  const shown = preview === undefined ? [] : previewLines(preview, room - count);
  const lines = [
    style.dim(fit(safeLine(status))),
    ...list,
    ...(shown.length > 0 ? [style.dim("-".repeat(width))] : []),
    ...shown.map((line) => withWords(fit(line), query, style)),
  ];
  return [`${PROMPT}${query}`, [...lines, style.dim(fit(KEYS))].join("\n")];
}

/** The line with the words of the query in bold. */
function withWords(line: string, query: string, style: Style): string {
  const words = query.match(/[\p{L}\p{N}_$]{3,}/gu) ?? [];
  if (words.length === 0) return line;
  // Letters, digits, `_` and `$`: only the last means something in an expression.
  const expression = new RegExp(words.join("|").replaceAll("$", String.raw`\$`), "giu");
  return line.replace(expression, (word) => style.bold(style.yellow(word)));
}

function resultText(passage: Passage): string {
  const { path, bestLine, symbol } = passage;
  const name = symbol === "" ? "" : `  ${safeLine(symbol)}`;
  const marks = `${namespaceMark(passage)}${foldedMark(passage)}`;
  return `${String(relevanceOf(passage)).padStart(3)}  ${safeLine(path)}:${bestLine}${name}${marks}`;
}

function previewLines({ startLine, lines }: Preview, rows: number): readonly string[] {
  const shown = lines.slice(0, Math.max(0, rows));
  const digits = String(startLine + shown.length - 1).length;
  return shown.map(
    (line, at) =>
      `${String(startLine + at).padStart(digits)}  ${safeLine(line.replaceAll("\t", TAB))}`,
  );
}
