// Matches the patterns of a language against a line. Most lines define nothing, and their first two
// characters nearly always show that without a regular expression or a string for the line.
import {
  MODIFIER_WORDS,
  MODIFIERS,
  type LinePatternRule,
  type LinePatterns,
} from "../languages/line-pattern.ts";
import { LINE_PATTERNS } from "../languages/line-patterns-by-language.ts";
import { leadsTo } from "./line-tests.ts";
import type { TextLines } from "../text-lines.ts";

/** Longer lines are data or minified code and are not searched. */
const MAX_LINE_LENGTH = 400;
const MAX_NAME_LENGTH = 120;
const ASCII = 128;
const SEMICOLON = 59;
const CLOSING_BRACE = 125;
/** Index of lines that do not begin with two ASCII characters. */
const OTHER = ASCII * ASCII;

/** By the pair of ASCII characters that a line begins with: the candidate patterns, as bits. */
type Beginnings = Uint16Array;

/** Matches the line patterns of one language. Not reentrant: see `name`. */
export class LineMatcher {
  /** True if a definition ends at the next one, independent of indentation. */
  readonly untilNext: boolean;
  /** The name in the last successful match. */
  name = "";
  readonly #patterns: readonly LinePatternRule[];
  readonly #plain: Beginnings = new Uint16Array(ASCII * ASCII);
  /** The same for the text after modifiers. */
  readonly #modified: Beginnings = new Uint16Array(ASCII * ASCII);
  readonly #hasModified: boolean;
  /** Bits of the patterns that may match any beginning. */
  #anyBeginning = 0;
  /** Bits of the patterns that only match lines without indentation. */
  #atMargin = 0;
  /** Bits of the patterns that must be followed by a block in braces. */
  #blocks = 0;
  /** Bits of the patterns that only match lines that begin with a name or an attribute. */
  #named = 0;
  /** Bits of the patterns that only match inside of classes. */
  #inside = 0;
  /** Bits of the patterns that only match outside of classes. */
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
      if (words === undefined) this.#anyBeginning |= bit;
      else mark(isModified === true ? this.#modified : this.#plain, words, bit);
    }
  }

  /**
   * Returns the first pattern that matches the line, and sets `name`. `isMember`: whether the line is
   * directly inside a class.
   */
  match(lines: TextLines, line: number, isMember: boolean): LinePatternRule | undefined {
    const { text, starts, firsts } = lines;
    const start = starts[line - 1] ?? 0;
    const first = firsts[line - 1] ?? 0;
    const pair = pairAt(text, first);
    const isModified = this.#hasModified && MODIFIER_BEGINNINGS[pair] === 1;
    let after = this.#modified[pair] ?? 0;
    let candidates = this.#anyBeginning | (this.#plain[pair] ?? 0);
    candidates &= isMember ? ~this.#outside : ~this.#inside;
    if (first > start) candidates &= ~this.#atMargin;
    if ((candidates & this.#named) !== 0)
      candidates = this.#withoutExcluded(candidates, lines, line);
    if ((candidates | after) === 0 && !isModified) return undefined;
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
    candidates |= after;
    return candidates === 0
      ? undefined
      : this.#firstMatch({ lines, line }, candidates, words, head);
  }

  /** Removes the patterns that the first and last character of the line exclude. */
  #withoutExcluded(candidates: number, lines: TextLines, line: number): number {
    const { text, firsts } = lines;
    if (!canBeginName(text.charCodeAt(firsts[line - 1] ?? 0))) return candidates & ~this.#named;
    if ((candidates & this.#blocks) === 0) return candidates;
    const last = text.charCodeAt(lines.lastOf(line));
    return last === SEMICOLON || last === CLOSING_BRACE ? candidates & ~this.#blocks : candidates;
  }

  #firstMatch(
    place: { lines: TextLines; line: number },
    candidates: number,
    words: string,
    head: number,
  ): LinePatternRule | undefined {
    let bit = 1;
    for (const pattern of this.#patterns) {
      const isCandidate = (candidates & bit) !== 0;
      bit <<= 1;
      if (!isCandidate) continue;
      const { regex } = pattern;
      regex.lastIndex = head;
      const name = regex.exec(words)?.[1]?.trim() ?? "";
      if (name === "" || !hasRequiredEnd(place, pattern)) continue;
      this.name = name.slice(0, MAX_NAME_LENGTH);
      return pattern;
    }
    return undefined;
  }
}

/**
 * Returns true for letters, digits, and the first characters of attributes, type parameters and private
 * names.
 */
function canBeginName(code: number): boolean {
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

function hasRequiredEnd(
  { lines, line }: { lines: TextLines; line: number },
  { leadsTo: required }: LinePatternRule,
): boolean {
  if (required === undefined) return true;
  const found = leadsTo(lines, line);
  return found === "block" || (found === "semicolon" && required === "block or semicolon");
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

/** Returns the index of two characters in `Beginnings`; beyond its end if one is not ASCII or missing. */
function pairAt(text: string, offset: number): number {
  if (offset + 1 >= text.length) return OTHER;
  const first = text.charCodeAt(offset);
  const second = text.charCodeAt(offset + 1);
  return (first | second) < ASCII ? first * ASCII + second : OTHER;
}

const matchers = new Map<string, LineMatcher>();

/** Returns the matcher of a language. Unknown languages get the patterns that many languages share. */
export function matcherFor(language: string): LineMatcher {
  const id = LINE_PATTERNS.has(language) ? language : "";
  let matcher = matchers.get(id);
  if (matcher === undefined) {
    matcher = new LineMatcher(LINE_PATTERNS.get(id) ?? { patterns: [] });
    matchers.set(id, matcher);
  }
  return matcher;
}
