// Derives the literals that a match must contain from the pattern's tree, after Russ Cox, "Regular Expression
// Matching with a Trigram Index" (https://swtch.com/~rsc/regexp/regexp4.html), with whole literals in place of his
// trigrams.

import { foldText } from "../index/fold-text.ts";
import { ALL, allOf, anyOf, literal, type LiteralQuery } from "../index/literal-query.ts";
import { parseRegex, type RegexNode } from "./regex-syntax.ts";

interface PatternOptions {
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
}

/** Facts about every match of a part of the pattern. All texts are case-folded. */
interface LiteralFacts {
  /** The match is one of these; undefined when they are unknown or too many. */
  readonly exact: readonly string[] | undefined;
  /** The match begins with one of these. */
  readonly prefixes: readonly string[];
  /** The match ends with one of these. */
  readonly suffixes: readonly string[];
  /** The match also satisfies this. */
  readonly query: LiteralQuery;
}

/** Maximum number of alternatives tracked one by one. */
const MAX_ALTERNATIVES = 32;
/** A larger class adds nothing: most files contain its letters anyway. */
const MAX_CLASS_CHARACTERS = 8;
/** Maximum length of a literal in UTF-16 units; longer ones are split. */
const MAX_LITERAL_CHARS = 256;
/** Maximum number of copies into which a repetition is expanded. */
const MAX_COPIES = 16;

const NOTHING_KNOWN: LiteralFacts = {
  exact: undefined,
  prefixes: [""],
  suffixes: [""],
  query: ALL,
};

/**
 * Returns the literals that a file must contain for the pattern to match in it. Never throws: an unsupported
 * pattern requires nothing. compilePattern must have accepted the pattern with the same options. Matching whole
 * words makes no difference.
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

/** Letters beyond ASCII with another case, according to RE2 or V8. */
const HAS_CASES = /[\p{Cased}\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;

/** Returns a character as it is in folded text; undefined when it may be another one, or ends the line. */
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
  // The literals next to the boundary are the most precise; keep them before the match grows beyond it.
  const boundary = product(one.suffixes, other.prefixes);
  if (boundary === undefined) query.push(oneOf(one.suffixes), oneOf(other.prefixes));
  else if (one.exact === undefined && other.exact === undefined) query.push(oneOf(boundary));
  return {
    exact: undefined,
    prefixes: one.exact === undefined ? one.prefixes : (boundary ?? one.prefixes),
    suffixes: other.exact === undefined ? other.suffixes : (boundary ?? other.suffixes),
    query: allOf(query),
  };
}

/** Returns each of the first followed by each of the second; undefined when they are too many or too long. */
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

/** Shortens the texts until there are few enough; they may become empty. */
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
