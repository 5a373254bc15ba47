// The literals that a match must contain, from the tree of the pattern: Russ Cox, "Regular Expression
// Matching with a Trigram Index" (https://swtch.com/~rsc/regexp/regexp4.html), with whole literals
// where he has trigrams.

import { foldText } from "../index/trigrams/fold-text.ts";
import { ALL, allOf, anyOf, literal, type LiteralQuery } from "../index/trigrams/literal-query.ts";
import { parseRegex, type RegexNode } from "./regex-syntax.ts";

interface PatternOptions {
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
}

/** What is known of every match of a part of the pattern; all texts are folded. */
interface LiteralFacts {
  /** It is one of these; undefined: they are too many, or not known. */
  readonly exact: readonly string[] | undefined;
  /** It begins with one of these. */
  readonly prefixes: readonly string[];
  /** It ends with one of these. */
  readonly suffixes: readonly string[];
  /** It contains this, besides. */
  readonly query: LiteralQuery;
}

/** Alternatives of a set that are followed one by one. */
const MAX_ALTERNATIVES = 32;
/** A larger class says nothing: its letters would be in most files anyway. */
const MAX_CLASS_CHARACTERS = 8;
/** Length of a text in UTF-16 units; longer ones are taken in pieces. */
const MAX_LITERAL_CHARS = 256;
/** Copies of a repeated part that are written out. */
const MAX_COPIES = 16;

const NOTHING_KNOWN: LiteralFacts = {
  exact: undefined,
  prefixes: [""],
  suffixes: [""],
  query: ALL,
};

/**
 * What a file must contain for the pattern to match in it. Never throws: of what it does not
 * understand it knows nothing. compilePattern has accepted the pattern, with the same options; whether
 * whole words are looked for does not matter.
 */
export function requiredLiterals(pattern: string, options: PatternOptions): LiteralQuery {
  const { isRegex, caseSensitive } = options;
  if (!isRegex) return queryOf(concatenated(charactersOf(pattern, !caseSensitive).map(factsOf)));
  const tree = parseRegex(pattern, !caseSensitive);
  return tree === undefined ? ALL : queryOf(factsOf(tree));
}

function charactersOf(text: string, ignoresCase: boolean): readonly RegexNode[] {
  return Array.from(text, (one) => {
    return { kind: "character", characters: [one.codePointAt(0) ?? 0], ignoresCase };
  });
}

function queryOf({ exact, prefixes, suffixes, query }: LiteralFacts): LiteralQuery {
  if (exact !== undefined) return allOf([query, oneOf(exact)]);
  return allOf([query, oneOf(prefixes), oneOf(suffixes)]);
}

function oneOf(texts: readonly string[]): LiteralQuery {
  return anyOf(texts.map(literal));
}

function factsOf(node: RegexNode): LiteralFacts {
  if (node.kind === "empty") return exactFacts([""]);
  if (node.kind === "repetition") return repeated(factsOf(node.part), node.min, node.max);
  if (node.kind !== "character") {
    const parts = node.parts.map(factsOf);
    return node.kind === "concatenation" ? concatenated(parts) : alternated(parts);
  }
  const texts = node.characters?.map((one) => textOf(one, node.ignoresCase)) ?? [undefined];
  const distinct = new Set(texts.filter((text) => text !== undefined));
  const isKnown = !texts.includes(undefined) && distinct.size <= MAX_CLASS_CHARACTERS;
  return isKnown ? exactFacts([...distinct]) : NOTHING_KNOWN;
}

function exactFacts(texts: readonly string[]): LiteralFacts {
  return { exact: texts, prefixes: texts, suffixes: texts, query: ALL };
}

/** Letters beyond ASCII that have another case, in the eyes of RE2 or of V8. */
const HAS_CASES = /[\p{Cased}\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;

/** A character as it is in a folded text; undefined when it may be another, or ends the line. */
function textOf(character: number, ignoresCase: boolean): string | undefined {
  const text = foldText(String.fromCodePoint(character));
  if (text === "\n" || text === "\r") return undefined;
  const isAscii = (text.codePointAt(0) ?? 0) < 0x80;
  return ignoresCase && !isAscii && HAS_CASES.test(text) ? undefined : text;
}

function concatenated(parts: readonly LiteralFacts[]): LiteralFacts {
  return parts.reduce(concatenate, exactFacts([""]));
}

function concatenate(one: LiteralFacts, other: LiteralFacts): LiteralFacts {
  if (one.exact !== undefined && other.exact !== undefined) {
    const exact = product(one.exact, other.exact);
    if (exact !== undefined)
      return { ...exactFacts(exact), query: allOf([one.query, other.query]) };
  }
  const query = [one.query, other.query];
  // What is next to the seam is known best; it must not be lost when the match grows beyond it.
  const seam = product(one.suffixes, other.prefixes);
  if (seam === undefined) query.push(oneOf(one.suffixes), oneOf(other.prefixes));
  else if (one.exact === undefined && other.exact === undefined) query.push(oneOf(seam));
  return {
    exact: undefined,
    prefixes: one.exact === undefined ? one.prefixes : (seam ?? one.prefixes),
    suffixes: other.exact === undefined ? other.suffixes : (seam ?? other.suffixes),
    query: allOf(query),
  };
}

/** Each of the first followed by each of the second; undefined when they are too many or too long. */
function product(
  firsts: readonly string[],
  seconds: readonly string[],
): readonly string[] | undefined {
  if (firsts.length * seconds.length > MAX_ALTERNATIVES) return undefined;
  const texts = firsts.flatMap((first) => seconds.map((second) => first + second));
  return texts.some(({ length }) => length > MAX_LITERAL_CHARS) ? undefined : [...new Set(texts)];
}

function alternated(parts: readonly LiteralFacts[]): LiteralFacts {
  const exact = new Set(parts.flatMap((part) => part.exact ?? []));
  const isPlain = parts.every((part) => part.exact !== undefined && part.query.kind === "all");
  if (isPlain && exact.size <= MAX_ALTERNATIVES) return exactFacts([...exact]);
  return {
    exact: undefined,
    prefixes: shortened(
      parts.flatMap(({ prefixes }) => prefixes),
      (text, length) => text.slice(0, length),
    ),
    suffixes: shortened(
      parts.flatMap(({ suffixes }) => suffixes),
      (text, length) => text.slice(Math.max(0, text.length - length)),
    ),
    query: anyOf(parts.map(queryOf)),
  };
}

/** Cuts texts until they are few enough; in the end nothing is left of them. */
function shortened(
  texts: readonly string[],
  cut: (text: string, length: number) => string,
): readonly string[] {
  let distinct = [...new Set(texts)];
  for (let length = 4; distinct.length > MAX_ALTERNATIVES; length -= 1) {
    distinct = [...new Set(texts.map((text) => cut(text, length)))];
  }
  return distinct;
}

function repeated(part: LiteralFacts, min: number, max: number): LiteralFacts {
  if (max === 0) return exactFacts([""]);
  if (min === 0) return max === 1 ? alternated([part, exactFacts([""])]) : NOTHING_KNOWN;
  const copies = Math.min(min, MAX_COPIES);
  const all = concatenated(Array.from({ length: copies }, () => part));
  return copies === max ? all : { ...all, exact: undefined };
}
