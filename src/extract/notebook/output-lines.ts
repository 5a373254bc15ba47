import { isRecord, recordIn, textIn, type JsonRecord } from "./json-values.ts";
import { textOfHtml } from "./text-of-html.ts";

const MAX_LINES_OF_OUTPUT = 20;
const MAX_LINES_OF_CELL = 40;
const MAX_LINE_CHARS = 300;
/** More of an output is not read. A table of numbers is that long within its first lines. */
const MAX_OUTPUT_CHARS = 50_000;
/** Colours and other commands for terminals. */
// oxlint-disable-next-line no-control-regex -- outputs have them
const TERMINAL_COMMANDS = /\u{1b}(?:\[[\d;?]*[A-Za-z]|\][^\u{7}\u{1b}]*\u{7}?)/gu;
/** What Python prints of an object that a notebook shows in another way. */
const ADDRESS = /^\[?<(?:[\w.]+ .*at 0x[\da-f]+|Figure size .*|[\w.]+ object)>\]?,?$/u;

/** Returns the beginning of the text that a code cell has put out; no lines if it has put out none. */
export function outputLines(outputs: unknown): readonly string[] {
  if (!Array.isArray(outputs)) return [];
  const lines: string[] = [];
  for (const output of outputs) {
    if (lines.length >= MAX_LINES_OF_CELL) break;
    if (isRecord(output)) lines.push(...linesOf(textOfOutput(output)));
  }
  return lines.slice(0, MAX_LINES_OF_CELL);
}

function textOfOutput(output: JsonRecord): string {
  const name = textIn(output, "ename");
  if (name !== "") return `${name}: ${textIn(output, "evalue")}`;
  const stream = textIn(output, "text");
  // Format 3 has the text and the HTML of a result in the output itself.
  const data = Object.hasOwn(output, "data") ? recordIn(output, "data") : output;
  const plain = textIn(data, "text/plain") || stream;
  if (plain !== "" && !ADDRESS.test(plain.slice(0, MAX_LINE_CHARS).trim())) return plain;
  const html = textIn(data, "text/html") || textIn(data, "html");
  return (
    textIn(data, "text/markdown") ||
    textIn(data, "text/latex") ||
    textOfHtml(html.slice(0, MAX_OUTPUT_CHARS))
  );
}

function linesOf(text: string): readonly string[] {
  const all = text
    .slice(0, MAX_OUTPUT_CHARS)
    .replace(TERMINAL_COMMANDS, "")
    .trimEnd()
    .split(/\r?\n/u)
    .map(shownLine)
    .filter((line) => !ADDRESS.test(line.trim()));
  while (all[0]?.trim() === "") all.shift();
  if (all.length <= MAX_LINES_OF_OUTPUT) return all;
  return [...all.slice(0, MAX_LINES_OF_OUTPUT), "…"];
}

/** A progress bar goes back to the beginning of its line: only its last state is shown. */
function shownLine(line: string): string {
  const shown = line.slice(line.lastIndexOf("\r", line.length - 2) + 1);
  return shown.length > MAX_LINE_CHARS ? `${shown.slice(0, MAX_LINE_CHARS)}…` : shown;
}
