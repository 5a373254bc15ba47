// Tries the patterns of a language on a line. Most lines define nothing: their first two characters
// say so nearly always, without a regular expression and without a string for the line.
import {
  MODIFIER_WORDS,
  MODIFIERS,
  type LinePatternRule,
  type LinePatterns,
} from "../languages/line-pattern.ts";
import { LINE_PATTERNS } from "../languages/line-patterns-by-language.ts";
import { leadsTo } from "./line-tests.ts";
import type { TextLines } from "../text-lines.ts";

/** Lines longer than this are data or minified: no definition is looked for in them. */
const MAX_LINE_LENGTH = 400;
const MAX_NAME_LENGTH = 120;
const ASCII = 128;
const SEMICOLON = 59;
const CLOSING_BRACE = 125;
/** Index into `Beginnings` of what does not begin with two ASCII characters. */
const OTHER = ASCII * ASCII;

/** For each pair of ASCII characters that a line may begin with, the patterns worth a try, as bits. */
type Beginnings = Uint16Array;

export class LineMatcher {
  /** True when a definition goes on to the next one, whatever the indentation. */
  readonly untilNext: boolean;
  /** What the last `match` that found something found. */
  name = "";
  readonly #patterns: readonly LinePatternRule[];
  readonly #plain: Beginnings = new Uint16Array(ASCII * ASCII);
  /** The same for what comes after modifiers. */
  readonly #modified: Beginnings = new Uint16Array(ASCII * ASCII);
  readonly #hasModified: boolean;
  /** Bits of the patterns that may match whatever the line begins with. */
  #always = 0;
  /** Bits of the patterns that match without white space in front only. */
  #atMargin = 0;
  /** Bits of the patterns that match only what a block in braces comes of. */
  #blocks = 0;
  /** Bits of the patterns that match what begins with a name or an attribute only. */
  #named = 0;
  /** Bits of the patterns that match only inside of classes, and only outside of them. */
  #inside = 0;
  #outside = 0;

  constructor({ patterns, untilNext }: LinePatterns) {
    this.#patterns = patterns;
    this.untilNext = untilNext === true;
    this.#hasModified = patterns.some(({ isModified }) => isModified === true);
    for (const [index, { words, regex, isModified, ...only }] of patterns.entries()) {
      const bit = 1 << index;
      if (/^\^(?!\\s)/.test(regex.source)) this.#atMargin |= bit;
      if (only.leadsTo === "block") this.#blocks |= bit;
      if (only.leadsTo !== undefined) this.#named |= bit;
      if (only.isMember === true) this.#inside |= bit;
      if (only.isMember === false) this.#outside |= bit;
      if (words === undefined) this.#always |= bit;
      else mark(isModified === true ? this.#modified : this.#plain, words, bit);
    }
  }

  /** The first pattern that matches the line; the name in it is in `name`. */
  match(lines: TextLines, line: number, isMember: boolean): LinePatternRule | undefined {
    const { text, starts, firsts } = lines;
    const start = starts[line - 1] ?? 0;
    const first = firsts[line - 1] ?? 0;
    const pair = pairAt(text, first);
    const isModified = this.#hasModified && MODIFIER_BEGINNINGS[pair] === 1;
    let after = this.#modified[pair] ?? 0;
    let wanted = this.#always | (this.#plain[pair] ?? 0);
    wanted &= isMember ? ~this.#outside : ~this.#inside;
    if (first > start) wanted &= ~this.#atMargin;
    if ((wanted & this.#named) !== 0) wanted = this.#withoutFunctions(wanted, lines, line);
    if ((wanted | after) === 0 && !isModified) return undefined;
    const end = lines.endOf(line);
    if (end - start > MAX_LINE_LENGTH) return undefined;
    const words = text.slice(start, end);
    let head = first - start;
    if (isModified) {
      MODIFIERS.lastIndex = 0;
      MODIFIERS.test(words);
      head = MODIFIERS.lastIndex;
      after = this.#modified[pairAt(words, head)] ?? 0;
    }
    wanted |= after;
    return wanted === 0 ? undefined : this.#firstOf({ lines, line }, wanted, words, head);
  }

  /** Leaves out the patterns that the first and the last character of the line speak against. */
  #withoutFunctions(wanted: number, lines: TextLines, line: number): number {
    const { text, firsts } = lines;
    if (!beginsName(text.charCodeAt(firsts[line - 1] ?? 0))) return wanted & ~this.#named;
    if ((wanted & this.#blocks) === 0) return wanted;
    const last = text.charCodeAt(lines.lastOf(line));
    return last === SEMICOLON || last === CLOSING_BRACE ? wanted & ~this.#blocks : wanted;
  }

  #firstOf(
    place: { lines: TextLines; line: number },
    wanted: number,
    words: string,
    head: number,
  ): LinePatternRule | undefined {
    let bit = 1;
    for (const pattern of this.#patterns) {
      const isWanted = (wanted & bit) !== 0;
      bit <<= 1;
      if (!isWanted) continue;
      const { regex } = pattern;
      regex.lastIndex = head;
      const name = regex.exec(words)?.[1]?.trim() ?? "";
      if (name === "" || !leadsWhereItMust(place, pattern)) continue;
      this.name = name.slice(0, MAX_NAME_LENGTH);
      return pattern;
    }
    return undefined;
  }
}

/** True for letters, digits and what attributes, type parameters and private names begin with. */
function beginsName(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 64 && code <= 91) || // @ A to Z [
    code === 95 ||
    code === 60 || // <
    code === 35 || // #
    code === 126 || // ~
    (code >= 48 && code <= 57) ||
    code >= ASCII
  );
}

function leadsWhereItMust(
  { lines, line }: { lines: TextLines; line: number },
  { leadsTo: wanted }: LinePatternRule,
): boolean {
  if (wanted === undefined) return true;
  const found = leadsTo(lines, line);
  return found === "block" || (found === "semicolon" && wanted === "block or semicolon");
}

const MODIFIER_BEGINNINGS: Beginnings = new Uint16Array(ASCII * ASCII);
mark(MODIFIER_BEGINNINGS, MODIFIER_WORDS, 1);

function mark(beginnings: Beginnings, words: readonly string[], bit: number): void {
  for (const word of words) {
    const pair = pairAt(word, 0);
    if (word.length > 1) beginnings[pair] = (beginnings[pair] ?? 0) | bit;
    else
      for (let any = 0; any < ASCII; any += 1)
        mark(beginnings, [word + String.fromCharCode(any)], bit);
  }
}

/** Index of the two characters in `Beginnings`; beyond its end when one is not ASCII or not there. */
function pairAt(text: string, offset: number): number {
  if (offset + 1 >= text.length) return OTHER;
  const first = text.charCodeAt(offset);
  const second = text.charCodeAt(offset + 1);
  return (first | second) < ASCII ? first * ASCII + second : OTHER;
}

const matchers = new Map<string, LineMatcher>();

/** For a language that is not known, one that looks for what many have in common. */
export function matcherFor(language: string): LineMatcher {
  const id = LINE_PATTERNS.has(language) ? language : "";
  let matcher = matchers.get(id);
  if (matcher === undefined) {
    matcher = new LineMatcher(LINE_PATTERNS.get(id) ?? { patterns: [] });
    matchers.set(id, matcher);
  }
  return matcher;
}
