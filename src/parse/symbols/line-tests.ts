// Tests of lines by their first and last characters, valid in most languages.
import { isBlankCode, type TextLines } from "../text-lines.ts";

/**
 * Returns whether a line begins with the end of a block or comment. `first` is the offset of its first
 * character.
 */
export function closesBlock(text: string, first: number): boolean {
  switch (text.charCodeAt(first)) {
    case 125: // }
    case 93: // ]
    case 41: // )
      return true;
    case 101: // e
      return isWord(text, first, "end");
    case 69: // E
      return isWord(text, first, "EOF");
    case 42: // *
      return text.charCodeAt(first + 1) === 47;
    case 60: // <
      return text.charCodeAt(first + 1) === 47;
    case 45: // -
      return text.startsWith("--]", first);
    default:
      return false;
  }
}

/** Returns whether the end of a line shows that it continues: an opening bracket, an arrow, `do`. */
export function leavesOpen(lines: TextLines, line: number): boolean {
  const { text } = lines;
  const start = lines.starts[line - 1] ?? 0;
  const last = lines.lastOf(line);
  switch (text.charCodeAt(last)) {
    case 123: // {
    case 40: // (
    case 58: // :
    case 61: // =
    case 44: // ,
      return true;
    case 62: {
      const before = last > start ? text.charCodeAt(last - 1) : 0;
      return before === 61 || before === 45; // => and ->
    }
    case 111: // o
      return endsInWord(text, start, last, "do");
    case 110: // n
      return endsInWord(text, start, last, "then");
    default:
      return false;
  }
}

/** Maximum lines of a function's head. */
const MAX_HEAD_LINES = 12;

/** Returns how a statement that begins on the line ends: in a block, a semicolon, or undefined for neither. */
export function leadsTo(lines: TextLines, line: number): "block" | "semicolon" | undefined {
  const { text, starts, firsts, indents } = lines;
  const indent = indents[line - 1] ?? 0;
  const limit = Math.min(lines.count, line + MAX_HEAD_LINES);
  for (let at = line; at <= limit; at += 1) {
    if (at > line && (indents[at - 1] ?? 0) <= indent) {
      // Only the brace, or the parenthesis after the parameters, may have the indentation of the first line.
      const first = text[firsts[at - 1] ?? 0];
      if (first !== ")") return first === "{" ? "block" : undefined;
    }
    const last = lines.lastOf(at);
    const code = text.charCodeAt(last);
    if (code === 59) return "semicolon";
    if (code === 123) return isAssigned(text, starts[at - 1] ?? 0, last) ? undefined : "block";
    if (code === 125 || lines.isBlank(at)) return undefined;
  }
  return undefined;
}

/** Returns whether the brace is the one in `= {`. */
function isAssigned(text: string, start: number, brace: number): boolean {
  let before = brace - 1;
  while (before > start && isBlankCode(text.charCodeAt(before))) before -= 1;
  return text.charCodeAt(before) === 61;
}

/** Returns whether a line consists of words and asterisks only, such as the return type of a function. */
export function isTypeLine(lines: TextLines, line: number): boolean {
  const start = lines.starts[line - 1] ?? 0;
  if (lines.firsts[line - 1] !== start || lines.endOf(line) - start > 100) return false;
  return /^[A-Za-z_][\w\s*]*$/.test(lines.at(line));
}

/** Returns whether a line is a comment or an attribute, which belong to the next definition. */
export function isLeadLine({ text, firsts }: TextLines, line: number): boolean {
  const first = firsts[line - 1] ?? 0;
  const next = text[first + 1];
  switch (text.charAt(first)) {
    case "*":
    case "@":
      return true;
    case "/":
      return next === "/" || next === "*";
    case "#":
      return !DIRECTIVE.test(text.slice(first, first + 8));
    case "[":
      return next !== undefined && next >= "A" && next <= "Z";
    case "-":
    case ";":
    case "%":
      return next === text[first];
    case "<":
      return text.startsWith("<!--", first);
    case "(":
      return next === "*";
    default:
      return false;
  }
}

/** Directives of the C preprocessor. Other lines that begin with `#` are comments and attributes. */
const DIRECTIVE = /^#(?:include|define|if|endif)/;

function isWord(text: string, first: number, word: string): boolean {
  return text.startsWith(word, first) && !isWordCode(text.charCodeAt(first + word.length));
}

function endsInWord(text: string, start: number, last: number, word: string): boolean {
  const from = last + 1 - word.length;
  if (from < start || !text.startsWith(word, from)) return false;
  return from === start || !isWordCode(text.charCodeAt(from - 1));
}

/** Returns whether `\w` matches the character. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  );
}
