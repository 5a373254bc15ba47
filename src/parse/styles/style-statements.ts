// Splits a style sheet into statements. It goes through the text once.

import type { StyleStatement } from "./style-statement.ts";

/** Longer statements are data, such as pictures in an address. */
const MAX_STATEMENT = 20_000;
/** How far the end of an interpolation is searched for. */
const MAX_INTERPOLATION = 200;
/** What has a meaning for the end of a statement. */
const MARKS = /[/"'{}();\n]/g;

/** Yields the statements of a style sheet with braces. `hasLineComments`: whether `//` begins a comment. */
export function* styleStatements(
  text: string,
  { hasLineComments }: { readonly hasLineComments: boolean },
): Generator<StyleStatement> {
  const scan = new StatementScan(text, hasLineComments);
  for (let next = scan.next(); next !== undefined; next = scan.next()) yield* next;
}

class StatementScan {
  readonly #text: string;
  readonly #hasLineComments: boolean;
  /** Where the next part of the statement begins that is not in `#parts`. */
  #from = 0;
  #at = 0;
  #parts = "";
  #line = 1;
  /** The line on which the statement begins. */
  #startLine = 1;
  #brackets = 0;
  #isOver = false;

  constructor(text: string, hasLineComments: boolean) {
    this.#text = text;
    this.#hasLineComments = hasLineComments;
  }

  /** Returns the statements that end at the next mark; undefined at the end of the text. */
  next(): readonly StyleStatement[] | undefined {
    if (this.#isOver) return undefined;
    MARKS.lastIndex = this.#at;
    const match = MARKS.exec(this.#text);
    if (match === null) {
      this.#isOver = true;
      return this.#ended(this.#text.length, "plain");
    }
    const at = match.index;
    this.#at = at + 1;
    switch (match[0]) {
      case "\n": {
        this.#line += 1;
        return [];
      }
      case "/": {
        this.#passComment(at);
        return [];
      }
      case "(": {
        this.#brackets += 1;
        this.#passAddress(at);
        return [];
      }
      case ")": {
        this.#brackets = Math.max(0, this.#brackets - 1);
        return [];
      }
      case ";": {
        return this.#brackets > 0 ? [] : this.#ended(at, "plain");
      }
      case "{": {
        return this.#passInterpolation(at) ? [] : this.#ended(at, "open");
      }
      case "}": {
        return [...this.#ended(at, "plain"), { kind: "close", text: "", line: this.#line }];
      }
      default: {
        this.#passQuoted(at, match[0]);
        return [];
      }
    }
  }

  #ended(at: number, kind: "open" | "plain"): readonly StyleStatement[] {
    const whole = this.#parts + this.#text.slice(this.#from, at);
    const text = whole.trimStart();
    const blank = whole.slice(0, whole.length - text.length);
    const line = this.#startLine + linesIn(blank);
    this.#parts = "";
    this.#from = at + 1;
    this.#startLine = this.#line;
    this.#brackets = 0;
    const isData = text.length > MAX_STATEMENT;
    if (kind === "plain" && (text === "" || isData)) return [];
    return [{ kind, text: isData ? "" : text.trimEnd(), line }];
  }

  #passComment(at: number): void {
    const next = this.#text[at + 1];
    if (next === "*") {
      const end = this.#text.indexOf("*/", at + 2);
      this.#leaveOut(at, end === -1 ? this.#text.length : end + 2);
    } else if (next === "/" && this.#hasLineComments && this.#text[at - 1] !== ":") {
      const end = this.#text.indexOf("\n", at);
      this.#leaveOut(at, end === -1 ? this.#text.length : end);
    }
  }

  /** Leaves a part of the text out of the statement, but for its line breaks. */
  #leaveOut(from: number, to: number): void {
    const lines = linesIn(this.#text.slice(from, to));
    this.#parts += `${this.#text.slice(this.#from, from)} ${"\n".repeat(lines)}`;
    this.#line += lines;
    this.#from = to;
    this.#at = to;
  }

  #passQuoted(at: number, quote: string): void {
    for (let end = at + 1; end < this.#text.length; end += 1) {
      const char = this.#text[end];
      if (char === "\\") end += 1;
      else if (char === quote || char === "\n") {
        this.#at = char === "\n" ? end : end + 1;
        return;
      }
    }
    this.#at = this.#text.length;
  }

  /** An address without quotes may have other marks in it: `url(data:image/svg+xml;base64,…)`. */
  #passAddress(at: number): void {
    if (!/url$/i.test(this.#text.slice(Math.max(0, at - 3), at))) return;
    for (let end = at + 1; end < this.#text.length; end += 1) {
      const char = this.#text[end];
      if (char === ")" || char === '"' || char === "'" || char === "\n" || char === "{") {
        this.#at = end;
        return;
      }
    }
    this.#at = this.#text.length;
  }

  /** `#{$name}` of Sass and `@{name}` of Less are no blocks. */
  #passInterpolation(at: number): boolean {
    const before = this.#text[at - 1];
    if (before !== "#" && before !== "@") return false;
    const rest = this.#text.slice(at, at + MAX_INTERPOLATION);
    const end = rest.indexOf("}");
    if (end === -1 || rest.slice(0, end).includes("\n")) return false;
    this.#at = at + end + 1;
    return true;
  }
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
