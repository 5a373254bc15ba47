// The tokens of code that is read without a grammar: names, punctuation and texts, without comments.

export interface CodeToken {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly kind: "name" | "text" | "mark";
  /** Whether white space, a comment or the beginning of a line is in front of it. */
  readonly isApart: boolean;
}

/** What a language's tokens look like, as sources of regular expressions that match in linear time. */
export interface TokenSyntax {
  readonly comments: string;
  /** Strings, characters and other literals in which no name is a use. */
  readonly texts: string;
  readonly names: string;
  /** Marks of more than one character. */
  readonly marks?: string;
  /** Matches code inside of a text; its only group is the code. */
  readonly codeInTexts?: RegExp;
  /** The delimiters of comments that can contain each other. */
  readonly nested?: readonly [string, string];
}

/** A file with more tokens is data. */
const MAX_TOKENS = 400_000;
const MARKS = "::|->|=>|<-|[=!<>:]=|\\.\\.|&&|\\|\\||\\?\\.";
/** Code inside of a text has no code inside of its texts. */
const MAX_DEPTH = 1;

const compiled = new WeakMap<TokenSyntax, RegExp>();

/** Returns the tokens of a text. */
export function codeTokensOf(text: string, syntax: TokenSyntax): readonly CodeToken[] {
  const found: CodeToken[] = [];
  readTokens({ text, line: 1, depth: 0 }, syntax, found);
  return found;
}

interface Part {
  readonly text: string;
  readonly line: number;
  readonly depth: number;
}

function readTokens(part: Part, syntax: TokenSyntax, found: CodeToken[]): void {
  const { text } = part;
  const pattern = patternOf(syntax);
  let { line } = part;
  let isApart = true;
  let at = 0;
  while (at < text.length && found.length < MAX_TOKENS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const [whole = ""] = match ?? [];
    const { blank, comment, literal, word } = match?.groups ?? {};
    if (whole === "") break;
    const end = comment === undefined ? at + whole.length : endOfComment(text, at, whole, syntax);
    if (literal !== undefined) {
      found.push({ text: literal, line, kind: "text", isApart });
      readTexts({ text: literal, line, depth: part.depth }, syntax, found);
    } else if (blank === undefined && comment === undefined) {
      found.push({ text: whole, line, kind: word === undefined ? "mark" : "name", isApart });
    }
    isApart = blank !== undefined || comment !== undefined;
    if (word === undefined) line += linesIn(text, at, end);
    at = end;
  }
}

/** Reads the code inside of a text. */
function readTexts({ text, line, depth }: Part, syntax: TokenSyntax, found: CodeToken[]): void {
  const { codeInTexts } = syntax;
  if (codeInTexts === undefined || depth === MAX_DEPTH) return;
  let at = 0;
  let lineAt = line;
  for (const match of text.matchAll(codeInTexts)) {
    lineAt += linesIn(text, at, match.index);
    at = match.index;
    readTokens({ text: match[1] ?? "", line: lineAt, depth: depth + 1 }, syntax, found);
    found.push({ text: '"', line: lineAt, kind: "text", isApart: true });
  }
}

function endOfComment(text: string, start: number, whole: string, { nested }: TokenSyntax): number {
  const [open = "", close = ""] = nested ?? [];
  if (nested === undefined || !whole.startsWith(open)) return start + whole.length;
  let depth = 1;
  let at = start + open.length;
  let opening = text.indexOf(open, at);
  let closing = text.indexOf(close, at);
  while (depth > 0 && closing !== -1) {
    const isOpening = opening !== -1 && opening < closing;
    depth += isOpening ? 1 : -1;
    at = isOpening ? opening + open.length : closing + close.length;
    if (isOpening) opening = text.indexOf(open, at);
    if (closing < at) closing = text.indexOf(close, at);
  }
  return closing === -1 && depth > 0 ? text.length : at;
}

const NEWLINE = 10;

function linesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === NEWLINE) count += 1;
  return count;
}

function patternOf(syntax: TokenSyntax): RegExp {
  let pattern = compiled.get(syntax);
  if (pattern === undefined) {
    const { comments, texts, names, marks } = syntax;
    const all = marks === undefined ? MARKS : `${marks}|${MARKS}`;
    // A number is no name: `1e5`, `0xff`, `10px`.
    const source = `(?<blank>\\s+)|(?<comment>${comments})|(?<literal>${texts}|\\d[\\w.]*)|(?<word>${names})|(?:${all})|[^]`;
    pattern = new RegExp(source, "uy");
    compiled.set(syntax, pattern);
  }
  return pattern;
}
