// Cuts Swift into tokens. All branches of `#if` are tokens; conditions of directives and comments are none.

/** Kinds of tokens; punctuation has the code of its character. */
export const END = 0;
export const NAME = 1;
/** A reserved word. In backticks, it is a name. */
export const WORD = 2;
export const NUMBER = 3;
/** A string, or the part of one before, between or after interpolations. */
export const STRING = 4;
export const OPERATOR = 5;
export const OPEN_INTERPOLATION = 6;
export const CLOSE_INTERPOLATION = 7;
export const REGEX = 8;

/** Deeper interpolations are text. */
const MAX_DEPTH = 50;

const RESERVED = new Set(
  `associatedtype class deinit enum extension fileprivate func import init inout internal let operator private
   precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer
   do else fallthrough for guard if in repeat return throw switch where while as false is nil self Self super throws true
   try`.split(/\s+/),
);
const DIRECTIVES = new Set(["if", "elseif", "else", "endif", "sourceLocation", "error", "warning"]);
const NAME_PART = /[\p{L}\p{N}\p{M}_$]+/uy;
const NUMBER_PART = /0[xob][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?/y;
/** A regular expression on one line, which does not begin with white space. */
const REGEX_LITERAL = /\/(?![\s/*])(?:\\.|[^/\\\n])*(?<!\s)\//y;
const EXTENDED_REGEX = /(#+)\/(?:[^/]|\/(?!\1))*\/\1/y;
const RAW_STRING = /#+(?=")/y;

const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const DOLLAR = 36;
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const STAR = 42;
const DOT = 46;
const SLASH = 47;
const UNDERSCORE = 95;
const BACKSLASH = 92;
const BACKTICK = 96;

/** By ASCII character: 1 for operators. */
const OPERATORS = new Uint8Array(128);
for (const character of "/=-+!*%<>&|^~?") OPERATORS[character.charCodeAt(0)] = 1;
const OPENS: Readonly<Record<number, number>> = { 40: 41, 91: 93, 123: 125, 6: 7 };

/** The tokens of a text, which end with one of the kind `END`. */
export class Tokens {
  readonly text: string;
  readonly kinds: number[] = [];
  /** Offsets in the text. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** 1-based. */
  readonly lines: number[] = [];
  /** By the index of an opening bracket: that of the closing one. */
  readonly closers = new Map<number, number>();
  /** Lines on which nothing but a comment begins or goes on. */
  readonly commentLines = new Set<number>();

  #at = 0;
  #line = 1;
  /** The line of the last token. */
  #lastLine = 0;
  readonly #open: number[] = [];
  /** How many interpolations are around. */
  #depth = 0;

  constructor(text: string) {
    this.text = text;
    this.#scan(text.length);
    this.#add(END, text.length, text.length);
  }

  textOf(index: number): string {
    const text = this.text.slice(this.starts[index] ?? 0, this.ends[index] ?? 0);
    return text.charCodeAt(0) === BACKTICK ? text.slice(1, -1) : text;
  }

  /** Adds the tokens up to an offset, or up to the parenthesis that closes an interpolation. */
  #scan(end: number, isInterpolation = false): void {
    let depth = 0;
    const { text } = this;
    while (this.#at < end) {
      const code = text.charCodeAt(this.#at);
      if (isInterpolation && code === CLOSE_PARENTHESIS) {
        if (depth === 0) return;
        depth -= 1;
      } else if (isInterpolation && code === OPEN_PARENTHESIS) depth += 1;
      if (code === NEWLINE) this.#line += 1;
      if (code <= SPACE) this.#at += 1;
      else this.#scanToken(code);
    }
  }

  #scanToken(code: number): void {
    if (isNameStart(code)) this.#addName();
    else if (code === SLASH) this.#scanSlash();
    else if (code === QUOTE) this.#addString(0);
    else if (code === HASH) this.#addHash();
    else if (code >= 48 && code <= 57) this.#addMatch(NUMBER, NUMBER_PART);
    else if (code === BACKTICK) this.#addQuotedName();
    else if (code < 128 && OPERATORS[code] === 1) this.#addOperator();
    else if (code === DOT && this.text.charCodeAt(this.#at + 1) === DOT) this.#addRange();
    else this.#add(code, this.#at, this.#at + 1);
  }

  /** Adds a regular expression or an operator, or skips a comment. */
  #scanSlash(): void {
    if (this.#skipComment()) return;
    if (this.#isRegexPlace() && this.#addMatch(REGEX, REGEX_LITERAL)) return;
    this.#addOperator();
  }

  #add(kind: number, start: number, end: number): void {
    const { kinds } = this;
    const index = kinds.length;
    kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
    this.lines.push(this.#line);
    this.#lastLine = this.#line;
    this.#at = end;
    if (OPENS[kind] !== undefined) this.#open.push(index);
    else if (kind === 41 || kind === 93 || kind === 125 || kind === CLOSE_INTERPOLATION)
      this.#close(kind, index);
  }

  /** A bracket of another kind stays open where branches of `#if` open it twice. */
  #close(kind: number, index: number): void {
    const open = this.#open;
    for (let at = open.length - 1; at >= 0 && at >= open.length - 4; at -= 1) {
      const opener = open[at] ?? 0;
      if (OPENS[this.kinds[opener] ?? 0] !== kind) continue;
      open.length = at;
      this.closers.set(opener, index);
      return;
    }
  }

  #addMatch(kind: number, regex: RegExp): boolean {
    regex.lastIndex = this.#at;
    if (!regex.test(this.text)) return false;
    this.#add(kind, this.#at, regex.lastIndex);
    return true;
  }

  #addName(): void {
    const start = this.#at;
    NAME_PART.lastIndex = start;
    const end = NAME_PART.test(this.text) ? NAME_PART.lastIndex : start + 1;
    const isReserved = end - start <= 15 && RESERVED.has(this.text.slice(start, end));
    this.#add(isReserved ? WORD : NAME, start, end);
  }

  #addQuotedName(): void {
    const end = this.text.indexOf("`", this.#at + 1);
    const isName = end !== -1 && end - this.#at < 100;
    this.#add(isName ? NAME : BACKTICK, this.#at, isName ? end + 1 : this.#at + 1);
  }

  #addOperator(): void {
    const { text } = this;
    const start = this.#at;
    let end = start + 1;
    while (OPERATORS[text.charCodeAt(end)] === 1) {
      const isComment = text.charCodeAt(end) === SLASH && /[/*]/.test(text.charAt(end + 1));
      if (isComment) break;
      end += 1;
    }
    const run = text.slice(start, end);
    const isPostfix = start === this.ends.at(-1) && /^[?!]/.test(run);
    const isWhole = !isPostfix || run === "??" || run.startsWith("!=");
    this.#add(OPERATOR, start, isWhole ? end : start + 1);
  }

  /** `...` and `..<` */
  #addRange(): void {
    const { text } = this;
    let end = this.#at;
    while (text.charCodeAt(end) === DOT || OPERATORS[text.charCodeAt(end)] === 1) end += 1;
    this.#add(OPERATOR, this.#at, end);
  }

  /** Returns whether a slash can begin a regular expression: not after a value. */
  #isRegexPlace(): boolean {
    const last = this.kinds.at(-1) ?? END;
    return (
      last === OPEN_PARENTHESIS || last === 44 || last === 91 || last === OPERATOR || last === 58
    );
  }

  /** Returns whether there is a comment. Comments may contain others. */
  #skipComment(): boolean {
    const { text } = this;
    const next = text.charCodeAt(this.#at + 1);
    if (next !== SLASH && next !== STAR) return false;
    const isOwnLine = this.#lastLine !== this.#line;
    if (isOwnLine) this.commentLines.add(this.#line);
    if (next === SLASH) {
      const end = text.indexOf("\n", this.#at);
      this.#at = end === -1 ? text.length : end;
      return true;
    }
    const boundary = /\/\*|\*\/|\n/g;
    boundary.lastIndex = this.#at + 2;
    for (let depth = 1; depth > 0;) {
      const [mark] = boundary.exec(text) ?? [];
      if (mark === undefined) {
        this.#at = text.length;
        return true;
      }
      if (mark === "/*") depth += 1;
      else if (mark === "*/") depth -= 1;
      else {
        this.#line += 1;
        if (isOwnLine) this.commentLines.add(this.#line);
      }
    }
    this.#at = boundary.lastIndex;
    return true;
  }

  #addHash(): void {
    const { text } = this;
    RAW_STRING.lastIndex = this.#at;
    if (RAW_STRING.test(text)) {
      const hashes = RAW_STRING.lastIndex - this.#at;
      this.#at = RAW_STRING.lastIndex;
      this.#addString(hashes);
      return;
    }
    if (
      /^#+\/$/.test(text.slice(this.#at, this.#at + 2)) &&
      this.#addMatch(REGEX, EXTENDED_REGEX)
    ) {
      this.#line += text.slice(this.starts.at(-1), this.#at).split("\n").length - 1;
      return;
    }
    NAME_PART.lastIndex = this.#at + 1;
    const word = NAME_PART.test(text) ? text.slice(this.#at + 1, NAME_PART.lastIndex) : "";
    const isShebang = this.#at === 0 && text.startsWith("#!");
    if (!isShebang && !DIRECTIVES.has(word)) {
      this.#add(HASH, this.#at, this.#at + 1);
      return;
    }
    const end = text.indexOf("\n", this.#at);
    this.#at = end === -1 ? text.length : end;
  }

  /** Adds a string whose quote is at the current offset. `hashes`: how many `#` are before it. */
  #addString(hashes: number): void {
    const { text } = this;
    const isLong = text.startsWith('"""', this.#at);
    const mark = "#".repeat(hashes);
    const close = (isLong ? '"""' : '"') + mark;
    const escape = `\\${mark}`;
    let start = this.#at;
    let at = start + (isLong ? 3 : 1);
    this.#add(STRING, start, at);
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE && text.startsWith(close, at)) {
        at += close.length;
        break;
      }
      if (code === NEWLINE) {
        if (!isLong) break;
        this.#line += 1;
      }
      if (code !== BACKSLASH || !text.startsWith(escape, at)) continue;
      at += escape.length;
      if (text.charCodeAt(at) === NEWLINE) this.#line += 1;
      if (text.charCodeAt(at) !== OPEN_PARENTHESIS || this.#depth === MAX_DEPTH) continue;
      this.#add(OPEN_INTERPOLATION, at, at + 1);
      this.#depth += 1;
      this.#scan(text.length, true);
      this.#depth -= 1;
      at = this.#at;
      this.#add(CLOSE_INTERPOLATION, at, Math.min(text.length, at + 1));
      start = at + 1;
      this.#add(STRING, start, start);
    }
    this.ends[this.ends.length - 1] = at;
    this.#at = at;
    this.#lastLine = this.#line;
  }
}

function isNameStart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === UNDERSCORE ||
    code === DOLLAR ||
    code >= 128
  );
}
