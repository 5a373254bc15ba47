// Translates RE2 patterns into V8's syntax, for the lines on which both engines agree.
// https://github.com/google/re2/wiki/Syntax

import { readEscape } from "../../search/regex-class.ts";
import {
  casesOf,
  classOf,
  complement,
  inAnyCase,
  namedSet,
  type CharacterSet,
} from "./character-set.ts";

interface Options {
  readonly ignoresCase: boolean;
  /** Expand counted repeats: V8's linear engine refuses counts above 16. */
  readonly writesOut: boolean;
}

/** An element of a pattern and its repetition. */
interface Term {
  readonly text: string;
  readonly min: number;
  readonly max: number;
  /** A group that can match one text in several ways, so that repeating it may take exponential time. */
  readonly isAmbiguous: boolean;
  /** The quantifier as written; "" when there is none. */
  readonly quantifier: string;
}

const GROUP = /^\((?:\?(?::|P?<\w+>))?/;
const COUNTED = /^\{(0|[1-9]\d{0,3})(,(0|[1-9]\d{0,3})?)?\}\??/;
const SIMPLE = /^[*+?]\??/;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/;
const ASSERTIONS: Readonly<Record<string, string>> = {
  "^": "^",
  $: "$",
  "\\A": "^",
  "\\z": "$",
  "\\b": "\\b",
  "\\B": "\\B",
};
const MAX_DEPTH = 200;
/** Patterns that only match the empty text. */
const EMPTY_PATTERN = /^(?:\\[bB]|[\^$()?:|])*$/;
/**
 * V8 takes two and a half times as long to compile an expression for each further assertion at the same
 * position (12 of them: a second; 18: until memory runs out).
 */
const CROWDED_ASSERTIONS = /(?:(?:\\[bB]|[\^$])[()?:]*){5}/;
const MAX_PATTERN_CHARS = 4000;

/**
 * A V8 expression that matches in exactly the same lines as `source`, a pattern that RE2 accepts. Valid with
 * V8's flag `m`, on lines without characters that V8 treats differently (`\r`, U+2028, U+2029, surrogates).
 * No match crosses a line end. A match may be shorter than that of `source`, because optional beginnings and ends
 * are dropped. Undefined when V8 cannot express the pattern or might not finish in time.
 */
export function nativePattern(source: string, options: Options): string | undefined {
  const translator = new Translator(source, options);
  const alternatives = translator.alternatives(0);
  const text = translator.print(alternatives.map(withoutLooseEnds));
  const isFit =
    translator.isSupported && text.length <= MAX_PATTERN_CHARS && !CROWDED_ASSERTIONS.test(text);
  return isFit ? text : undefined;
}

/** `\w*a.*` matches in a line when `a` does. The shorter form saves V8 from scanning the line at each position. */
function withoutLooseEnds(terms: readonly Term[]): readonly Term[] {
  return trimmed(trimmed(terms).toReversed()).toReversed();
}

function trimmed(terms: readonly Term[]): readonly Term[] {
  const at = terms.findIndex(({ min }) => min > 0);
  const [first, ...rest] = at === -1 ? [] : terms.slice(at);
  if (first === undefined || first.max === first.min)
    return first === undefined ? [] : [first, ...rest];
  return [
    { ...first, max: first.min, quantifier: first.min === 1 ? "" : `{${first.min}}` },
    ...rest,
  ];
}

class Translator {
  isSupported = true;
  readonly #source: string;
  readonly #options: Options;
  #at = 0;

  constructor(source: string, options: Options) {
    this.#source = source;
    this.#options = options;
  }

  /** Parses up to the end, or to the `)` that closes the group. */
  alternatives(depth: number): readonly (readonly Term[])[] {
    const all: Term[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ")") {
      if (this.#source[this.#at] === "|") {
        this.#at += 1;
        all.push([]);
      } else {
        all.at(-1)?.push(this.#term(depth));
      }
    }
    if (depth === 0 && this.#at < this.#source.length) this.#giveUp();
    return all;
  }

  print(alternatives: readonly (readonly Term[])[]): string {
    return alternatives
      .map((terms) => terms.map((term) => this.#printTerm(term)).join(""))
      .join("|");
  }

  #giveUp(): string {
    this.isSupported = false;
    this.#at = this.#source.length;
    return "";
  }

  #printTerm({ text, min, max, isAmbiguous, quantifier }: Term): string {
    if (max > 1 && (isAmbiguous || EMPTY_PATTERN.test(text))) return this.#giveUp();
    if (!this.#options.writesOut || !quantifier.startsWith("{")) return text + quantifier;
    const more = max === Number.POSITIVE_INFINITY ? 1 : max - min;
    if (text.length * (min + more) > MAX_PATTERN_CHARS) return this.#giveUp();
    const required = text.repeat(min);
    if (max === Number.POSITIVE_INFINITY) return `${required}${text}*`;
    return `${required}${`(?:${text}`.repeat(more)}${")?".repeat(more)}`;
  }

  #term(depth: number): Term {
    const start = this.#rest(2);
    const assertion = ASSERTIONS[start] ?? ASSERTIONS[start.slice(0, 1)];
    if (assertion !== undefined) {
      this.#at += ASSERTIONS[start] === undefined ? 1 : 2;
      // V8 does not allow repeated assertions.
      if (/^[*+?{]/.test(this.#rest(1))) this.#giveUp();
      return { text: assertion, min: 1, max: 1, isAmbiguous: false, quantifier: "" };
    }
    const isGroup = start.startsWith("(");
    const inner = isGroup ? this.#group(depth) : [];
    const text = isGroup ? `(?:${this.print(inner)})` : this.#character();
    const isAmbiguous =
      inner.length > 1 ||
      inner.some((terms) => terms.some((term) => term.isAmbiguous || term.min !== term.max));
    return { text, isAmbiguous, ...this.#quantifier() };
  }

  #group(depth: number): readonly (readonly Term[])[] {
    const opening = GROUP.exec(this.#rest(100))?.[0] ?? "";
    this.#at += opening.length;
    // Flags and everything else that begins with `(?` are not supported.
    if (depth >= MAX_DEPTH || this.#rest(1) === "?") this.#giveUp();
    const inner = this.alternatives(depth + 1);
    this.#at += 1;
    return inner;
  }

  #quantifier(): Pick<Term, "min" | "max" | "quantifier"> {
    const rest = this.#rest(20);
    const counted = COUNTED.exec(rest);
    const [quantifier] = counted ?? SIMPLE.exec(rest) ?? [""];
    this.#at += quantifier.length;
    if (counted === null) {
      const min = quantifier.startsWith("*") || quantifier.startsWith("?") ? 0 : 1;
      const isEndless = quantifier.startsWith("*") || quantifier.startsWith("+");
      return { min, max: isEndless ? Number.POSITIVE_INFINITY : 1, quantifier };
    }
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : Number(counted[3] ?? Number.POSITIVE_INFINITY);
    return { min, max, quantifier };
  }

  /** One character or character class, in V8's syntax. */
  #character(): string {
    const sign = this.#rest(1);
    if (sign === ".") {
      this.#at += 1;
      return ".";
    }
    if (sign === "[") return classOf(this.#class());
    const set = sign === "\\" ? this.#set() : undefined;
    if (set !== undefined) return classOf(set);
    const code = this.#single();
    if (code > 0xffff) return `(?:${String.fromCodePoint(code)})`;
    const text = String.fromCodePoint(code);
    const cases = this.#options.ignoresCase ? casesOf(text) : [text];
    if (cases.length === 1 && code >= 0x20) return SYNTAX.test(text) ? `\\${text}` : text;
    return classOf(cases.map((one) => [one.charCodeAt(0), one.charCodeAt(0)]));
  }

  /** The set of a `\d`, `\W` or `[:alpha:]` at the current position; undefined without one. */
  #set(): CharacterSet | undefined {
    const match = /^(?:\\([dswDSW])|\[:(\^?)([a-z]+):\])/.exec(this.#rest(20));
    if (match === null) return undefined;
    this.#at += match[0].length;
    const [, letter, sign, name = ""] = match;
    const set = this.#withCases(namedSet(letter?.toLowerCase() ?? name) ?? []);
    const isNegated = letter === undefined ? sign === "^" : letter !== letter.toLowerCase();
    return isNegated ? complement(set) : set;
  }

  #class(): CharacterSet {
    this.#at += 1;
    const isNegated = this.#rest(1) === "^";
    if (isNegated) this.#at += 1;
    const set: (readonly [number, number])[] = [];
    // A bracket in the first position is literal.
    for (let isFirst = true; isFirst || this.#rest(1) !== "]"; isFirst = false) {
      if (this.#at >= this.#source.length) {
        this.#giveUp();
        return [];
      }
      set.push(...(this.#set() ?? this.#withCases([this.#range()])));
    }
    this.#at += 1;
    // A character beyond U+FFFF is two units, and V8 gets no lines with such characters.
    const units = set
      .filter(([low]) => low <= 0xffff)
      .map(([low, high]) => [low, Math.min(high, 0xffff)] as const);
    return isNegated ? complement(units) : units;
  }

  #range(): readonly [number, number] {
    const low = this.#single();
    if (!/^-[^\]]/.test(this.#rest(2))) return [low, low];
    this.#at += 1;
    return [low, this.#single()];
  }

  /** The code point of a literal or escaped character. */
  #single(): number {
    if (this.#rest(1) !== "\\") {
      const code = this.#source.codePointAt(this.#at) ?? 0;
      this.#at += code > 0xffff ? 2 : 1;
      return code;
    }
    const escape = readEscape(this.#source, this.#at);
    const code = escape?.characters?.[0];
    if (escape === undefined || code === undefined) {
      this.#giveUp();
      return 0;
    }
    this.#at = escape.end;
    return code;
  }

  #withCases(set: CharacterSet): CharacterSet {
    if (!this.#options.ignoresCase) return set;
    const withCases = inAnyCase(set);
    if (withCases === undefined) this.#giveUp();
    return withCases ?? [];
  }

  #rest(length: number): string {
    return this.#source.slice(this.#at, this.#at + length);
  }
}
