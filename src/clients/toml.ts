// Edits TOML by tables and lines; all other bytes are kept.
import { getStaticTOMLValue, parseTOML, type AST } from "toml-eslint-parser";

import { EditProblem, SyntaxProblem, type ConfigFormat } from "./config-format.ts";
import { applyEdits, lineBreakOf, lineEnd, lineStart, type TextEdit } from "./text-edit.ts";

export const TOML_FORMAT: ConfigFormat = {
  read: (text) => getStaticTOMLValue(programOf(text)),
  set(text, path, value) {
    const program = programOf(text);
    const assignment = assignmentsOf(program).find((one) => isSame(one.path, path));
    if (assignment !== undefined) {
      const [start, end] = assignment.node.value.range;
      return applyEdits(text, [{ start, end, text: format(value) }]);
    }
    const table = tablesOf(program).find((one) => isSame(one.resolvedKey, path.slice(0, -1)));
    if (isTable(value)) return append(text, tableText(path, value, lineBreakOf(text)));
    if (table === undefined) throw notATable(path.slice(0, -1));
    const at = lineEnd(text, table.body.at(-1)?.range[1] ?? table.key.range[1]);
    const line = `${lineBreakOf(text)}${keyText(path.at(-1) ?? "")} = ${format(value)}`;
    return applyEdits(text, [{ start: at, end: at, text: line }]);
  },
  remove(text, path) {
    const program = programOf(text);
    const tables = tablesOf(program).filter((table) => startsWith(table.resolvedKey, path));
    const lines = assignmentsOf(program).filter(
      (one) => startsWith(one.path, path) && !tables.some((table) => table === one.node.parent),
    );
    // Members of an inline table are removed with its line.
    const whole = lines.filter(({ node }) => node.parent.type !== "TOMLInlineTable");
    if (whole.length === 0 && lines.length > 0) throw notATable(path);
    return applyEdits(text, [
      ...tables.map((table) => tableRemoval(text, table)),
      ...whole.map(({ node }) => lineRemoval(text, node)),
    ]);
  },
};

function programOf(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (thrown) {
    const { index, message } = Object(thrown);
    if (typeof index !== "number") throw thrown;
    const what = String(message);
    throw new SyntaxProblem(what.charAt(0).toLowerCase() + what.slice(1), positionOf(text, index));
  }
}

/** The parser notices a missing value on a later line, so the position is the end of the text before it. */
function positionOf(
  text: string,
  index: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index);
  const isLate = /\n\s*$/.test(before) && !/^[^\s]/.test(text.slice(index));
  const lines = (isLate ? before.trimEnd() : before).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

interface Assignment {
  /** Keys from the root of the file. */
  readonly path: readonly (string | number)[];
  readonly node: AST.TOMLKeyValue;
}

/** Returns every `key = value`, including those in inline tables. */
function assignmentsOf(program: AST.TOMLProgram): Assignment[] {
  return program.body[0].body.flatMap((node) =>
    node.type === "TOMLTable"
      ? node.body.flatMap((inner) => assignmentsAt(inner, node.resolvedKey))
      : assignmentsAt(node, []),
  );
}

function assignmentsAt(node: AST.TOMLKeyValue, parent: readonly (string | number)[]): Assignment[] {
  const names = node.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
  const path = [...parent, ...names];
  const inner = node.value.type === "TOMLInlineTable" ? node.value.body : [];
  return [{ path, node }, ...inner.flatMap((member) => assignmentsAt(member, path))];
}

function tablesOf(program: AST.TOMLProgram): AST.TOMLTable[] {
  return program.body[0].body.filter((node) => node.type === "TOMLTable");
}

/** Appends at the end, where it cannot split an existing table. */
function append(text: string, table: string): string {
  const lineBreak = lineBreakOf(text);
  if (text === "") return table + lineBreak;
  // The file keeps its end, with or without a line break.
  if (text.endsWith("\n")) return text + lineBreak + table + lineBreak;
  return text + lineBreak + lineBreak + table;
}

function tableRemoval(text: string, table: AST.TOMLTable): TextEdit {
  const last = table.body.at(-1)?.range[1] ?? table.key.range[1];
  const range = wholeLines(text, table.range[0], last);
  // The blank line that separates the table is removed with it.
  const isBroken = range.start === lineStart(text, table.range[0]);
  const pattern = isBroken ? /(?<=\n)\r?\n$/ : /\r?\n$/;
  const blank = pattern.exec(text.slice(0, range.start))?.[0].length ?? 0;
  return { ...range, start: range.start - blank, text: "" };
}

function lineRemoval(text: string, node: AST.TOMLKeyValue): TextEdit {
  return { ...wholeLines(text, ...node.range), text: "" };
}

/** Includes the line break after the lines; at the end of a file without one, the line break before them. */
function wholeLines(text: string, from: number, to: number): Omit<TextEdit, "text"> {
  const [start, end] = [lineStart(text, from), lineEnd(text, to)];
  const broken = /^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  if (broken > 0 || start === 0) return { start, end: end + broken };
  return { start: start - (text[start - 2] === "\r" ? 2 : 1), end };
}

function tableText(path: readonly string[], value: object, lineBreak: string): string {
  const lines = Object.entries(value).map(([key, item]) => `${keyText(key)} = ${format(item)}`);
  return [`[${path.map(keyText).join(".")}]`, ...lines].join(lineBreak);
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key);
}

function format(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(format).join(", ")}]`;
  if (typeof value === "string") return stringText(value);
  if (!isTable(value)) return String(value);
  const members = Object.entries(value).map(([key, item]) => `${keyText(key)} = ${format(item)}`);
  return `{ ${members.join(", ")} }`;
}

/** Writes a basic string. It has the escapes of JSON, and DEL must be escaped too. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(a: readonly (string | number)[], b: readonly (string | number)[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

function startsWith(
  path: readonly (string | number)[],
  start: readonly (string | number)[],
): boolean {
  return start.every((part, at) => part === path[at]);
}

function notATable(path: readonly string[]): EditProblem {
  return new EditProblem(`${path.join(".")} is not written as a table of its own`);
}
