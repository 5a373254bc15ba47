// Finds the ends of values and calls. After some that nothing ends, the rest of a text is not searched, so that the time stays
// linear.

/** Longer values are no lists of classes. */
const MAX_VALUE = 4000;
/** How many values without an end are searched for. */
const MAX_UNCLOSED = 30;

const CLOSING: Readonly<Record<string, string>> = {
  "<%": "%>",
  "<?": "?>",
  "{{": "}}",
  "{%": "%}",
};

const QUOTES = new Set(["'", '"', "`"]);
const OPENING = new Set(["(", "[", "{"]);
const CLOSERS = new Set([")", "]", "}"]);

/** Finds ends in one text. */
export class ValueEnds {
  readonly #text: string;
  #unclosed = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset of the quote that ends a text which begins at `from`; undefined if there is none near. Quotes in code do not end it. */
  ofText(from: number, quote: string): number | undefined {
    if (this.#unclosed >= MAX_UNCLOSED) return undefined;
    const limit = Math.min(this.#text.length, from + MAX_VALUE);
    for (let at = from; at < limit; at += 1) {
      const char = this.#text[at];
      if (char === quote) return at;
      if (char !== "<" && char !== "{") continue;
      const close = CLOSING[this.#text.slice(at, at + 2)];
      const end = close === undefined ? -1 : this.#text.slice(at, limit).indexOf(close);
      if (end > 0) at += end + 1;
      else if (char === "{" && close === undefined) at = this.#afterBraces(at, limit, quote);
    }
    this.#unclosed += 1;
    return undefined;
  }

  /** `class="a {b ? "c" : "d"}"` of Svelte: the offset of the closing brace on the line, or the same offset. */
  #afterBraces(at: number, limit: number, quote: string): number {
    for (let end = at + 1; end < Math.min(limit, at + 300); end += 1) {
      const char = this.#text[end];
      if (char === "}") return end;
      if (char === "\n" || char === ">" || (char === quote && this.#text[end + 1] === ">"))
        return at;
    }
    return at;
  }

  /** Returns the offset of the bracket that closes the one at an offset; undefined if there is none near. */
  ofBracket(from: number): number | undefined {
    if (this.#unclosed >= MAX_UNCLOSED) return undefined;
    let depth = 0;
    const limit = Math.min(this.#text.length, from + MAX_VALUE);
    for (let at = from; at < limit; at += 1) {
      const char = this.#text[at] ?? "";
      if (QUOTES.has(char)) at = this.#afterQuoted(at, char, limit);
      else if (OPENING.has(char)) depth += 1;
      else if (CLOSERS.has(char)) {
        depth -= 1;
        if (depth === 0) return at;
      }
    }
    this.#unclosed += 1;
    return undefined;
  }

  /** Returns the offset of the quote that ends a text, or of the end of its line. */
  #afterQuoted(from: number, quote: string, limit: number): number {
    for (let at = from + 1; at < limit; at += 1) {
      const char = this.#text[at];
      if (char === "\\") at += 1;
      else if (char === quote || (char === "\n" && quote !== "`")) return at;
    }
    return limit;
  }
}
