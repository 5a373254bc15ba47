// Tokens of schema languages with braces: Protocol Buffers, GraphQL, Thrift. Comments are skipped and remembered, since
// they document what follows.

/** A word, a string or a punctuation mark. */
export interface SchemaToken {
  /** A string has its quotes. */
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** What the languages differ in. */
export interface TokenRules {
  /** Begins a comment that ends with the line. */
  readonly lineComments: readonly string[];
  /** True for `/* … *\/`. */
  readonly hasBlockComments: boolean;
  /** True for `"""…"""`, which may have several lines. */
  readonly hasBlockStrings: boolean;
}

const WORD = /[\p{L}\p{N}_.$@-]+/uy;
const LINE_FEED = 10;
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };

/** Reads the tokens of a text from its start on. Takes linear time on any text. */
export class TokenReader {
  /** The next token; undefined at the end. */
  next: SchemaToken | undefined;
  /** The line of the last token that was taken. */
  lastLine = 0;
  readonly #text: string;
  readonly #rules: TokenRules;
  #at = 0;
  #line = 1;
  /** The comments directly above `next`. */
  #lead: { startLine: number; endLine: number } | undefined;

  constructor(text: string, rules: TokenRules) {
    this.#text = text;
    this.#rules = rules;
    this.next = this.#read();
  }

  /** Takes the next token. */
  take(): SchemaToken | undefined {
    const token = this.next;
    if (token === undefined) return undefined;
    this.lastLine = token.endLine;
    this.#lead = undefined;
    this.next = this.#read();
    return token;
  }

  /** Returns the first line of the next token, including the comments directly above it. */
  startLine(): number {
    const line = this.next?.line ?? this.#line;
    const lead = this.#lead;
    return lead !== undefined && line - lead.endLine <= 1 ? Math.min(lead.startLine, line) : line;
  }

  /** Whether the next token is one of these characters. */
  isAt(characters: string): boolean {
    return this.next !== undefined && characters.includes(this.next.text);
  }

  /** Takes the next token if it is `text`. */
  takeIf(text: string): boolean {
    if (this.next?.text !== text) return false;
    this.take();
    return true;
  }

  /** Takes tokens up to the bracket that closes the next one, which opens a group. */
  skipGroup(): void {
    const open: string[] = [];
    do {
      const text = this.take()?.text ?? "";
      const closer = Object.hasOwn(CLOSERS, text) ? CLOSERS[text] : undefined;
      if (closer !== undefined) open.push(closer);
      else if (text === open.at(-1)) open.pop();
      // A brace closes brackets that were left open.
      else if (text === "}") while (open.length > 0 && open.pop() !== "}");
    } while (open.length > 0 && this.next !== undefined);
  }

  #read(): SchemaToken | undefined {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const code = this.#text.charCodeAt(start);
      if (code === LINE_FEED) this.#line += 1;
      if (code <= 32 || code === 0xfeff) {
        this.#at += 1;
        continue;
      }
      const end = this.#commentEnd();
      if (end === undefined) return this.#token();
      this.#addComment(end);
    }
    return undefined;
  }

  /** Returns the end of the comment that begins here; undefined if none does. */
  #commentEnd(): number | undefined {
    const { lineComments, hasBlockComments } = this.#rules;
    if (hasBlockComments && this.#text.startsWith("/*", this.#at)) return this.#endOf("*/", 2);
    if (!lineComments.some((mark) => this.#text.startsWith(mark, this.#at))) return undefined;
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }

  #endOf(mark: string, opening: number): number {
    const end = this.#text.indexOf(mark, this.#at + opening);
    return end === -1 ? this.#text.length : end + mark.length;
  }

  #addComment(end: number): void {
    const startLine = this.#line;
    this.#moveTo(end);
    // A comment in the line of the last token belongs to that token.
    if (startLine === this.lastLine) return;
    if (this.#lead !== undefined && startLine - this.#lead.endLine <= 1) {
      this.#lead.endLine = this.#line;
    } else {
      this.#lead = { startLine, endLine: this.#line };
    }
  }

  #token(): SchemaToken {
    const start = this.#at;
    const line = this.#line;
    this.#moveTo(this.#tokenEnd());
    return { text: this.#text.slice(start, this.#at), line, endLine: this.#line };
  }

  #tokenEnd(): number {
    const start = this.#at;
    const quote = this.#text.charAt(start);
    if (this.#rules.hasBlockStrings && this.#text.startsWith('"""', start)) {
      return this.#endOf('"""', 3);
    }
    if (quote === '"' || quote === "'") return this.#stringEnd(quote);
    WORD.lastIndex = start;
    return WORD.test(this.#text) ? WORD.lastIndex : start + 1;
  }

  #stringEnd(quote: string): number {
    let at = this.#at + 1;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at);
      if (character === "\\") at += 1;
      else if (character === quote) return at + 1;
      else if (character === "\n") return at;
    }
    return this.#text.length;
  }

  #moveTo(end: number): void {
    for (let at = this.#at; at < end; at += 1) {
      if (this.#text.charCodeAt(at) === LINE_FEED) this.#line += 1;
    }
    this.#at = end;
  }
}
