// Patterns designed to take long, and texts that trigger it.
import type { Random } from "./isolation/random.ts";

/** Features that RE2 omits, because they cannot run in linear time. */
export const IRREGULAR: readonly string[] = [
  "(?=a)b",
  "(?!a)b",
  "(?<=a)b",
  "(?<!a)b",
  "(a)\\1",
  "(?<n>a)\\k<n>",
  "(?>a+)b",
  "a++b",
  "(?(1)a|b)",
  "\\G",
  "(?R)",
  "(?P=n)",
];

/** Each function creates one pattern, combined from any number of kinds. */
const FAMILIES: readonly ((random: Random) => string)[] = [
  // Nested quantifiers.
  ({ below, pick }) => {
    const depth = 1 + below(6);
    const times = (): string => pick(["+", "*", "{1,9}", "{2,}"]);
    return `${"(".repeat(depth)}a${Array.from({ length: depth }, () => `)${times()}`).join("")}${pick(["$", "b", "é", "[^a]"])}`;
  },
  // Alternatives that overlap.
  ({ below, pick }) => {
    const one = (): string => pick(["a", "aa", "a?", "a*", "[ab]", "\\w", "a|b", "\\pL", "é?"]);
    return `(?:${Array.from({ length: 2 + below(5) }, one).join("|")})${pick(["*", "+", "{5,50}"])}${pick(["b", "x", "$", "\\d"])}`;
  },
  // Counts.
  ({ below, pick }) =>
    `${pick(["a", "\\pL", "[a-z]", "(?:a?)", "(?:ab?)", ".", "(?:a|aa)"])}{${below(500)},${500 + below(700)}}${pick(["b", "\\d", "$", "é"])}`,
  ({ below, pick }) => {
    const [inner, outer] = [1 + below(60), 1 + below(60)];
    return `(?:(?:${pick(["a?", "\\pL", "a|b"])}){${inner}}){${outer}}${pick(["b", "\\d"])}`;
  },
  ({ below }) => "\\pL{1000}".repeat(1 + below(900)),
  // Loops in a row.
  ({ below, pick }) =>
    Array.from(
      { length: 2 + below(30) },
      () =>
        `${pick(["a", ".", "\\w", "[^b]", "\\pL", "(?:aa)"])}${pick(["*", "+", "*?", "{0,30}"])}`,
    ).join("") + pick(["b", "x", "\\d"]),
  // Depth and width.
  ({ below, pick }) => `${"(?:".repeat(below(400))}a${pick([")?", ")*", ")"]).repeat(below(400))}`,
  ({ below, pick }) =>
    Array.from({ length: 50 + below(1500) }, (_, at) => `a{${at % 7}}${pick(["b", "x", "é"])}${at}`)
      .join("|")
      .slice(0, 9000),
  ({ below }) =>
    `[${Array.from({ length: 200 + below(1500) }, (_, at) => String.fromCodePoint(0x400 + at * 3)).join("")}]{1,${1 + below(900)}}z`,
  // Unicode, cases, ends.
  ({ below, pick }) =>
    `(?i)${pick(["ſ", "K", "ß", "ǅ", "\\p{Greek}", "\\PL"]).repeat(1 + below(40))}${pick(["+", "*", "{3}"])}`,
  ({ below, pick }) =>
    `${pick(["^", "\\b", "\\B", "$", "\\A", "(?:^|$)"]).repeat(1 + below(30))}a*${pick(["$", "\\b", "\\z"]).repeat(1 + below(30))}`,
  // Not a valid pattern.
  ({ below, pick }) =>
    pick([
      "(",
      "[",
      "\\",
      "{",
      "(?",
      "[a-",
      "a{1001}",
      "\\pQ",
      "(?P<",
      "*",
      ")",
      "[[:x:]]",
      "\\x{110000}",
      "x{2,1}",
    ]).repeat(1 + below(3)),
];

/** The same for the same draws. */
export function evilPatterns(random: Random, count: number): readonly string[] {
  const generated = Array.from({ length: count - IRREGULAR.length }, (_, at) => {
    const family = FAMILIES[at % FAMILIES.length];
    return family === undefined ? "" : family(random).slice(0, 10_000);
  });
  return [...IRREGULAR, ...generated];
}

/** One line, lines as long as V8 gets to see, short lines, letters beyond ASCII; each of about this length. */
export function evilTexts(length: number): readonly string[] {
  return [
    "a".repeat(length),
    `${"a".repeat(998)}\n`.repeat(Math.ceil(length / 999)),
    `${"a".repeat(30)}é\n`.repeat(Math.ceil(length / 32)),
    "ab é".repeat(length / 4),
  ];
}

/** Globs that could be read in many ways. */
export function evilGlobs({ below, pick }: Random): readonly string[] {
  const many = 1 + below(60);
  return [
    "**/".repeat(many),
    `${"**/".repeat(many)}*a*b*c`,
    `${"*a".repeat(many)}*b`,
    "{a,b}".repeat(many),
    `${"{a,".repeat(many)}b${"}".repeat(many)}`,
    `{${"a,".repeat(400)}b}/**`,
    "{a,b,c,d,e,f,g,h}/".repeat(Math.min(many, 50)),
    "{".repeat(many * 10),
    `${"[!a]".repeat(many)}${pick(["[", "[]", "[z-a]", "\\"])}`,
    `${"!".repeat(many)}a`,
    `${"?".repeat(many * 10)}*`,
    `{${",".repeat(900)}`,
  ].map((glob) => glob.slice(0, 1000));
}
