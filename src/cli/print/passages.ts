// The results of a search as text.

import { locationText } from "../../base/documents/places.ts";
import type { Passage, SearchResult } from "../../engine/api/search.ts";
import { namespaceWords } from "../../sources/namespace-list.ts";
import { correctionNote } from "../../tools/search/correction-note.ts";
import { outdatedNotes } from "../../tools/outdated-note.ts";
import { foldedMark } from "../../tools/search/folded-note.ts";
import { namespaceMark } from "../../tools/search/namespace-mark.ts";
import type { Io } from "../io.ts";
import type { OpenedProject } from "../open-project.ts";
import { explanation } from "./explanation.ts";
import { fitResults, linesIn, terminalRows } from "./fit-results.ts";
import { linked } from "./link.ts";
import { safeText } from "./safe-text.ts";
import type { Style } from "./style.ts";

/** Rows of a window that are kept free for the prompt and for notes. */
const RESERVED_ROWS = 2;

interface PrintOptions extends Pick<OpenedProject, "fileOf"> {
  readonly explain: boolean;
  /** Whether to show everything on a terminal, too. */
  readonly full: boolean;
  readonly style: Style;
  /** The commit that the results are of; undefined for the files as they are now. */
  readonly at?: string | undefined;
}

/** Prints what a user must know about all results: that there are none, or none that is good, or a corrected word. */
export function printNotes(io: Io, result: SearchResult, at?: string): void {
  const { passages, namespace } = result;
  for (const note of notesOf(result)) io.err(`${note}\n`);
  if (passages.length === 0) {
    const where = `${namespaceWords(namespace)}${at === undefined ? "" : ` at ${safeText(at)}`}`;
    const advice = safeText(result.hint ?? "Try other words or fewer filters.");
    io.err(`No results in ${where}. ${advice}\n`);
  } else if (result.isUnsure) {
    io.err(`${sureness(result)}\n`);
  }
}

function sureness({ confidence, isWeak }: SearchResult): string {
  const percent = Math.round(confidence * 100);
  return isWeak
    ? `No good match (confidence ${percent} %); nearest results:`
    : `Low confidence (${percent} %): other words, or svc grep, may find more.`;
}

function notesOf(result: SearchResult): readonly string[] {
  return [correctionNote(result), ...result.partial].filter((note) => note !== "");
}

export function printPassages(io: Io, result: SearchResult, options: PrintOptions): void {
  const { explain, full, style } = options;
  const { passages, isUnsure } = result;
  printNotes(io, result, options.at);
  const results = passages.map((passage) => ({
    heads: [
      locationOf(io, passage, options),
      ...outdatedNotes(passage).map((note) => style.yellow(`  ${safeText(note)}`)),
      ...(explain ? [style.dim(`  ${explanation(passage)}`)] : []),
    ],
    lines: passage.text === "" ? [] : indented(safeText(passage.text)).split("\n"),
    words: passage.matches.words,
  }));
  const fitted =
    io.isTerminal && !full
      ? fitResults(
          results.map(({ heads, lines }) => ({
            head: terminalRows(heads, io.columns),
            text: terminalRows(lines, io.columns),
          })),
          io.rows - RESERVED_ROWS - notesOf(result).length - Number(isUnsure),
        )
      : undefined;
  for (const [at, { heads, lines, words }] of results.slice(0, fitted?.text.length).entries()) {
    const rows = fitted?.text[at];
    const { columns } = io;
    const shown = rows === undefined ? lines : linesIn(lines, rows, { columns, words });
    io.out([...heads, ...shown].map((line) => `${line}\n`).join(""));
  }
  if (fitted?.isComplete === false) io.err(`${style.dim("--full shows every line.")}\n`);
}

function locationOf(io: Io, passage: Passage, { style, fileOf }: PrintOptions): string {
  const { path, symbol, changed } = passage;
  // After the path: `:12-40`, `:p12 (lines 812-830)`, `#chapter`.
  const text = locationText(passage).slice(path.length);
  const lines = style.green(text.slice(1));
  const name = symbol === "" ? "" : `  ${style.bold(safeText(symbol))}`;
  const state = changed ? style.yellow("  changed since indexing") : "";
  const location = `${style.magenta(safeText(path))}${text.slice(0, 1)}${lines}`;
  const mark = markOf(passage, style);
  return `${linked(io, location, fileOf(path))}${name}${mark}${state}`;
}

function markOf(passage: Passage, style: Style): string {
  const mark = `${namespaceMark(passage)}${foldedMark(passage)}`;
  return mark === "" ? "" : style.dim(mark);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
