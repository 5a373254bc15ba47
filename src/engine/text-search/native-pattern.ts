// RE2's expressions in the words of V8, for the lines on which both agree.
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
  /** Writes counted repeats out: V8's linear engine refuses more than 16 of one thing. */
  readonly writesOut: boolean;
}

/** Something that may be repeated, and how often. */
interface Term {
  readonly text: string;
  readonly min: number;
  readonly max: number;
  /** A group that can match one text in several ways, so that repeating it may take exponential time. */
  readonly isAmbiguous: boolean;
  /** The quantifier as it is written; "" when there is none. */
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
/** Matches nothing but empty text. */
const EMPTY_PATTERN = /^(?:\\[bB]|[\^$()?:|])*$/;
/**
 * V8 takes two and a half times as long to compile an expression for each assertion that follows
 * others in the same place (12 of them: a second; 18: until its memory ends).
 */
const CROWDED_ASSERTIONS = /(?:(?:\\[bB]|[\^$])[()?:]*){5}/;
const MAX_PATTERN_CHARS = 4000;

/**
 * An expression that finds a match in exactly the lines of a text in which `source`, which RE2 accepts,
 * finds one, with V8's flag `m` and on lines without characters that V8 counts otherwise (`\r`, U+2028,
 * U+2029, surrogates). No match of it is longer than its line; it may be shorter than that of `source`,
 * since what a match may begin or end with is left out. Undefined where V8 has no words for it, and
 * where it could not be trusted to finish.
 */
export function nativePattern(source: string, options: Options): string | undefined {
  const translator = new Translator(source, options);
  const alternatives = translator.alternatives(0);
  const text = translator.print(alternatives.map(withoutLooseEnds));
  const isFit =
    translator.isSupported && text.length <= MAX_PATTERN_CHARS && !CROWDED_ASSERTIONS.test(text);
  return isFit ? text : undefined;
}

/** `\w*a.*` is in a line when `a` is. Saves V8 from trying the rest of the line at each place of it. */
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

  /** Reads up to the end, or to the `)` that closes the group. */
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
      // V8 does not repeat them.
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
    // Flags; anything else that begins with `(?`.
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

  /** One character, or a set of them, in V8's words. */
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

  /** `\d`, `\W` or `[:alpha:]`, when one of them is next. */
  #set(): CharacterSet | undefined {
    const match = /^(?:\\([dswDSW])|\[:(\^?)([a-z]+):\])/.exec(this.#rest(20));
    if (match === null) return undefined;
    this.#at += match[0].length;
    const [, letter, sign, name = ""] = match;
    const set = this.#folded(namedSet(letter?.toLowerCase() ?? name) ?? []);
    const isNegated = letter === undefined ? sign === "^" : letter !== letter.toLowerCase();
    return isNegated ? complement(set) : set;
  }

  #class(): CharacterSet {
    this.#at += 1;
    const isNegated = this.#rest(1) === "^";
    if (isNegated) this.#at += 1;
    const set: (readonly [number, number])[] = [];
    // A bracket in the first place stands for itself.
    for (let isFirst = true; isFirst || this.#rest(1) !== "]"; isFirst = false) {
      if (this.#at >= this.#source.length) {
        this.#giveUp();
        return [];
      }
      set.push(...(this.#set() ?? this.#folded([this.#range()])));
    }
    this.#at += 1;
    // A character beyond U+FFFF is two units, which the lines in question do not have.
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

  /** The code point of a character as it stands or behind a backslash. */
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

  #folded(set: CharacterSet): CharacterSet {
    if (!this.#options.ignoresCase) return set;
    const folded = inAnyCase(set);
    if (folded === undefined) this.#giveUp();
    return folded ?? [];
  }

  #rest(length: number): string {
    return this.#source.slice(this.#at, this.#at + length);
  }
}
