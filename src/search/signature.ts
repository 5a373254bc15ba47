// Finds where the definition that names a chunk begins, after its comments and annotations.
import type { LineSpan } from "./line-window.ts";

/** Maximum lines of code up to the one with the name: in C the result type may be on a line of its own. */
const MAX_LINES_BEFORE_NAME = 3;
/** Lines of a signature in an excerpt of the code. */
const MAX_LINES = 4;
/** Maximum characters of a line that are scanned. */
const MAX_SCANNED_CHARS = 1000;

const COMMENT = /^(?:\/\/|\*|#(?![a-z]+\b)|--|;|%|<!--|\{-)/;
const ANNOTATION = /^(?:@[\w.:]+|#!?\[|\[[\w.]+[\](])/;
/** Code after an annotation on the same line. */
const ANNOTATED = /^@[\w.]+(?:\([^()]*\))?\s+[\w$]/;

/**
 * Returns the signature of the definition `symbol` (a qualified name); undefined when `lines`, its beginning or a later
 * part, do not contain it. A signature of more than `maxLines` is reduced to its first line.
 */
export function signatureIn(
  lines: readonly string[],
  symbol: string,
  maxLines = MAX_LINES,
): LineSpan | undefined {
  const text = lines.map((line) => line.slice(0, MAX_SCANNED_CHARS));
  const code = linesOfCode(text);
  const name = /([\p{L}\p{N}_$]+)[^\p{L}\p{N}_$]*$/u.exec(symbol)?.[1];
  const first =
    name === undefined ? undefined : code.find((at) => wordsOf(text[at] ?? "").includes(name));
  return first === undefined ? undefined : { first, last: endOfSignature(text, first, maxLines) };
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** Returns the first lines that are neither blank nor comment nor annotation. */
function linesOfCode(lines: readonly string[]): readonly number[] {
  const found: number[] = [];
  let end: string | undefined;
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    if (end !== undefined) {
      if (text.includes(end)) end = undefined;
      continue;
    }
    end = openComment(text);
    if (end !== undefined || text === "" || isCommentOrAnnotation(text)) continue;
    found.push(at);
    if (found.length === MAX_LINES_BEFORE_NAME) break;
  }
  return found;
}

function isCommentOrAnnotation(text: string): boolean {
  if (text.startsWith("/*") || COMMENT.test(text)) return true;
  return ANNOTATION.test(text) && !ANNOTATED.test(text);
}

/** Returns the text that ends a comment left open on this line. */
function openComment(text: string): string | undefined {
  if (text.startsWith("/*")) return text.includes("*/", 2) ? undefined : "*/";
  if (text.startsWith("{-")) return text.includes("-}") ? undefined : "-}";
  if (text.startsWith("<!--")) return text.includes("-->") ? undefined : "-->";
  for (const quotes of ['"""', "'''"]) {
    const isDocumentation = text.startsWith(quotes) || text.startsWith("@");
    if (isDocumentation && text.split(quotes).length % 2 === 0) return quotes;
  }
  return undefined;
}

/** Returns the line that closes the brackets opened on the first one. */
function endOfSignature(lines: readonly string[], first: number, maxLines: number): number {
  let depth = 0;
  for (let at = first; at < Math.min(lines.length, first + maxLines); at += 1) {
    for (const [bracket] of (lines[at] ?? "").matchAll(/[()[\]]/g)) {
      depth += bracket === "(" || bracket === "[" ? 1 : -1;
    }
    if (depth <= 0) return at;
  }
  return first;
}
