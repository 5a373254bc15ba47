// Separates the comments of a definition from its code, in every language that svc supports.

export interface Documented {
  /** The comments and docstrings that belong to the definition, without their marks, in their order. */
  readonly comments: readonly string[];
  /** The definition without them. */
  readonly body: string;
}

interface CommentMarks {
  /** A line that is a comment, after its indentation. */
  readonly line: RegExp;
  readonly open: RegExp;
  readonly close: string;
}

const SLASHES: CommentMarks = { line: /^\/\/+[/!]?/, open: /^\/\*+!?/, close: "*/" };
/** `#!` begins a script, `#[` an attribute. */
const HASHES: CommentMarks = { line: /^#+(?![![])['|:]?/, open: /(?!)/, close: "\n" };
const DASHES: CommentMarks = { line: /^--+(?!\[)\s?[|^]?/, open: /^--\[=*\[/, close: "]]" };
const SEMICOLONS: CommentMarks = { line: /^;+/, open: /^#\|/, close: "|#" };
const PERCENTS: CommentMarks = { line: /^%+!?/, open: /^%\{/, close: "%}" };
const PARENTHESES: CommentMarks = { line: /^\/\/+/, open: /^\(\*+/, close: "*)" };

/** All other languages use C's comment syntax. */
const MARKS: ReadonlyMap<string, CommentMarks> = new Map([
  ...languages("python bash r julia starlark crystal nim awk tcl makefile cmake nix", HASHES),
  ["ruby", { ...HASHES, open: /^=begin\b/, close: "=end" }],
  ["perl", { ...HASHES, open: /^=\w+/, close: "=cut" }],
  ["powershell", { ...HASHES, open: /^<#/, close: "#>" }],
  ["elixir", { ...HASHES, open: /^@(?:type)?doc\s+(?:~[sS])?"""/, close: '"""' }],
  ["php", { ...SLASHES, line: /^(?:\/\/+|#+(?!\[))/ }],
  ["haskell", { ...DASHES, open: /^\{-\s*[|^]?/, close: "-}" }],
  ["lua", DASHES],
  ...languages("sql vhdl", { ...DASHES, open: SLASHES.open, close: SLASHES.close }),
  ...languages("clojure lisp elisp assembly", SEMICOLONS),
  ...languages("erlang tex", PERCENTS),
  ...languages("ocaml fsharp pascal", PARENTHESES),
]);

function languages(names: string, marks: CommentMarks): [string, CommentMarks][] {
  return names.split(" ").map((name) => [name, marks]);
}

/** Decorators and attributes on separate lines, which may be among the comments. */
const ATTRIBUTE = /^(?:@[\w.]+(?:\(.*\))?|#!?\[.*\]|\[.*\])\s*$/;
/** Lines below the name of a Python definition that are searched for its docstring. */
const SIGNATURE_LINES = 40;

/** Takes apart a definition that begins with its comments, as the symbols of a file do. */
export function separateComments(text: string, language: string): Documented {
  const lines = text.split("\n");
  const { comments, code } = readLead(lines, MARKS.get(language) ?? SLASHES);
  return language === "python"
    ? withDocstring(comments, code)
    : { comments, body: code.join("\n") };
}

interface Lead {
  readonly comments: readonly string[];
  /** All other lines, attributes among the comments included. */
  readonly code: readonly string[];
}

/** Adjacent lines with a comment mark are one comment. */
function readLead(lines: readonly string[], marks: CommentMarks): Lead {
  const comments: string[] = [];
  const attributes: string[] = [];
  let isOpen = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trim();
    const block = marks.open.exec(line);
    if (block !== null) {
      const end = blockEnd(lines, at, { mark: marks.close, from: block[0].length });
      comments.push(end.content);
      at = end.line;
      isOpen = false;
      if (end.rest === "") continue;
      return { comments, code: [...attributes, end.rest, ...lines.slice(at + 1)] };
    }
    if (marks.line.test(line)) {
      const words = line.replace(marks.line, "").replace(/^ /, "");
      comments.push(isOpen ? `${comments.pop() ?? ""}\n${words}` : words);
      isOpen = true;
      continue;
    }
    isOpen = false;
    if (ATTRIBUTE.test(line)) attributes.push(lines[at] ?? "");
    else if (line !== "") return { comments, code: [...attributes, ...lines.slice(at)] };
  }
  return { comments, code: attributes };
}

interface BlockEnd {
  readonly content: string;
  /** Index of the line where it ends. */
  readonly line: number;
  /** The text after the mark on that line. */
  readonly rest: string;
}

/** The line where the block that begins in line `start` ends: at its mark, or with the last line. */
function blockEnd(
  lines: readonly string[],
  start: number,
  { mark, from }: { readonly mark: string; readonly from: number },
): BlockEnd {
  const content: string[] = [];
  for (let at = start; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trim().slice(at === start ? from : 0);
    const end = line.indexOf(mark);
    content.push(withoutStar(end === -1 ? line : line.slice(0, end)));
    if (end !== -1) {
      const rest = line.slice(end + mark.length).trim();
      return { content: content.join("\n"), line: at, rest };
    }
  }
  return { content: content.join("\n"), line: lines.length, rest: "" };
}

/** Lines of a block comment begin with an asterisk often. */
function withoutStar(line: string): string {
  return line.replace(/^\*+(?!\/) ?/, "").trimEnd();
}

/** A string at the beginning of the body of a Python definition is its docstring. */
function withDocstring(comments: readonly string[], lines: readonly string[]): Documented {
  const body = lines.join("\n");
  const start = docstringLine(lines);
  if (start === -1) return { comments, body };
  const line = (lines[start] ?? "").trim();
  const quote = /^[rRuU]{0,2}("""|'''|"|')/.exec(line);
  if (quote?.[1] === undefined) return { comments, body };
  const end = blockEnd(lines, start, { mark: quote[1], from: quote[0].length });
  const rest = [...lines.slice(0, start), ...lines.slice(end.line + 1)];
  return { comments: [...comments, end.content], body: rest.join("\n") };
}

/** Index of the first line after the colon that ends the signature, when it begins a string; -1 without. */
function docstringLine(lines: readonly string[]): number {
  const limit = Math.min(lines.length, SIGNATURE_LINES);
  let isInside = false;
  for (let at = 0; at < limit; at += 1) {
    const line = (lines[at] ?? "").trim();
    if (isInside && line !== "") return /^[rRuU]{0,2}["']/.test(line) ? at : -1;
    isInside ||= /:\s*(?:#.*)?$/.test(line) && /^(?:async\s+def|def|class)\b|\)|\]/.test(line);
  }
  return -1;
}
