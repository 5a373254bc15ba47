// Parses RE2's syntax into a tree with the details that determine which text a match must contain.
// https://github.com/google/re2/wiki/Syntax

import { readClass, readEscape, type Characters } from "./regex-class.ts";

/** A node of a parsed pattern. */
export type RegexNode =
  /** The empty text: anchors and word boundaries. */
  | { readonly kind: "empty" }
  /** One of these characters, in any case if `ignoresCase`; any character if `characters` is undefined. */
  | { readonly kind: "character"; readonly characters: Characters; readonly ignoresCase: boolean }
  | { readonly kind: "concatenation" | "alternation"; readonly parts: readonly RegexNode[] }
  | {
      readonly kind: "repetition";
      readonly part: RegexNode;
      readonly min: number;
      /** Infinity when there is no bound. */
      readonly max: number;
    };

const EMPTY: RegexNode = { kind: "empty" };
const GROUP = /^\((?:\?(?:P?<[^>]*>|([imsU]*)(?:-([imsU]*))?([:)])))?/;
const COUNTED = /^\{(0|[1-9][0-9]{0,3})(,(0|[1-9][0-9]{0,3})?)?\}\??/;
/** V8 treats these braces as a count, RE2 does not. */
const DISPUTED_BRACE = /^\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+)\}/;
const ASSERTIONS = new Set(["\\A", "\\z", "\\b", "\\B"]);
/** RE2 allows 1000. */
const MAX_DEPTH = 1000;
const MAX_NAME_CHARS = 256;

/**
 * Parses a pattern that RE2 accepts. Returns undefined when it is not supported, and for most patterns that RE2
 * rejects. `ignoresCase` acts as a leading `(?i)`.
 */
export function parseRegex(source: string, ignoresCase: boolean): RegexNode | undefined {
  const parser = new RegexParser(source, ignoresCase);
  const node = parser.alternation(0);
  return parser.isSupported && parser.isAtEnd ? node : undefined;
}

class RegexParser {
  isSupported = true;
  readonly #source: string;
  #at = 0;
  #ignoresCase: boolean;

  constructor(source: string, ignoresCase: boolean) {
    this.#source = source;
    this.#ignoresCase = ignoresCase;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  /** Parses up to the end, or to the `)` that closes the group. */
  alternation(depth: number): RegexNode {
    if (depth > MAX_DEPTH) return this.#giveUp();
    const alternatives: RegexNode[] = [];
    let parts: RegexNode[] = [];
    while (!this.isAtEnd && this.#source[this.#at] !== ")") {
      if (this.#source[this.#at] === "|") {
        this.#at += 1;
        alternatives.push({ kind: "concatenation", parts });
        parts = [];
      } else {
        parts.push(...this.#term(depth));
      }
    }
    const last: RegexNode = { kind: "concatenation", parts };
    return alternatives.length === 0
      ? last
      : { kind: "alternation", parts: [...alternatives, last] };
  }

  #giveUp(): RegexNode {
    this.isSupported = false;
    this.#at = this.#source.length;
    return EMPTY;
  }

  /** Parses one atom with its quantifier; a quotation gives several nodes. */
  #term(depth: number): readonly RegexNode[] {
    if (this.#source.startsWith("\\Q", this.#at)) {
      const quoted = this.#quotation();
      const last = quoted.pop();
      return last === undefined ? [] : [...quoted, this.#quantified(last)];
    }
    return [this.#quantified(this.#atom(depth))];
  }

  #quotation(): RegexNode[] {
    const end = this.#source.indexOf("\\E", this.#at);
    const text = this.#source.slice(this.#at + 2, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#source.length : end + 2;
    return Array.from(text, (character) => this.#character([character.codePointAt(0) ?? 0]));
  }

  #quantified(part: RegexNode): RegexNode {
    const source = this.#source;
    const sign = source[this.#at] ?? "";
    let [min, max] = [1, 1];
    if (sign === "*" || sign === "+" || sign === "?") {
      [min, max] = [sign === "+" ? 1 : 0, sign === "?" ? 1 : Number.POSITIVE_INFINITY];
      this.#at += source[this.#at + 1] === "?" ? 2 : 1;
    } else if (sign === "{") {
      const rest = source.slice(this.#at, this.#at + MAX_NAME_CHARS);
      const counted = COUNTED.exec(rest);
      if (counted === null) return DISPUTED_BRACE.test(rest) ? this.#giveUp() : part;
      min = Number(counted[1]);
      max = counted[2] === undefined ? min : Number(counted[3] ?? Number.POSITIVE_INFINITY);
      this.#at += counted[0].length;
    } else {
      return part;
    }
    return { kind: "repetition", part, min, max };
  }

  #atom(depth: number): RegexNode {
    const sign = this.#source[this.#at] ?? "";
    switch (sign) {
      case "(":
        return this.#group(depth);
      case "[":
        return this.#item(readClass(this.#source, this.#at));
      case "\\":
        return this.#escape();
      case "^":
      case "$":
        this.#at += 1;
        return EMPTY;
      case ".":
        this.#at += 1;
        return this.#character(undefined);
      case "*":
      case "+":
      case "?":
        return this.#giveUp();
      default: {
        const character = this.#source.codePointAt(this.#at) ?? 0;
        this.#at += character > 0xffff ? 2 : 1;
        return this.#character([character]);
      }
    }
  }

  #escape(): RegexNode {
    if (ASSERTIONS.has(this.#source.slice(this.#at, this.#at + 2))) {
      this.#at += 2;
      return EMPTY;
    }
    return this.#item(readEscape(this.#source, this.#at));
  }

  #item(item: ReturnType<typeof readEscape>): RegexNode {
    if (item === undefined) return this.#giveUp();
    this.#at = item.end;
    return this.#character(item.characters);
  }

  #group(depth: number): RegexNode {
    const opening = GROUP.exec(this.#source.slice(this.#at, this.#at + MAX_NAME_CHARS));
    if (opening === null) return this.#giveUp();
    const [text, on, off = "", close] = opening;
    // `(?` begins something other than a group.
    if (text === "(" && this.#source[this.#at + 1] === "?") return this.#giveUp();
    this.#at += text.length;
    const outside = this.#ignoresCase;
    if (off.includes("i")) this.#ignoresCase = false;
    else if (on?.includes("i") === true) this.#ignoresCase = true;
    // `(?i)` applies up to the end of the enclosing group.
    if (close === ")") return EMPTY;
    const node = this.alternation(depth + 1);
    this.#ignoresCase = outside;
    if (this.#source[this.#at] !== ")") return this.#giveUp();
    this.#at += 1;
    return node;
  }

  #character(characters: Characters): RegexNode {
    return { kind: "character", characters, ignoresCase: this.#ignoresCase };
  }
}
