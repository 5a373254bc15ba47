import * as fc from "fast-check";
import { expect, test } from "vitest";

import { compilePattern } from "../../src/engine/text-search/text-pattern.ts";
import { foldText } from "../../src/index/fold-text.ts";
import type { LiteralQuery } from "../../src/index/literal-query.ts";
import { requiredLiterals } from "../../src/search/required-literals.ts";

const OPTIONS = { isRegex: true, caseSensitive: true, wholeWord: false };

/** Returns the query in short: `*` for all, texts as they are, `&` before `|`. */
function literalsOf(pattern: string, options: Partial<typeof OPTIONS> = {}): string {
  return shown(requiredLiterals(pattern, { ...OPTIONS, ...options }));
}

function shown(query: LiteralQuery): string {
  if (query.kind === "all") return "*";
  if (query.kind === "literal") return query.text;
  const parts = query.parts.map((part) =>
    part.kind === "and" || part.kind === "or" ? `(${shown(part)})` : shown(part),
  );
  return parts.join(query.kind === "and" ? " & " : " | ");
}

test.each([
  // Texts and their neighbours
  ["needle", "needle"],
  ["Needle", "needle"],
  ["ab", "*"],
  ["", "*"],
  ["字", "字"],
  ["naïve", "naïve"],
  ["foo.bar", "foo & bar"],
  ["foo.*bar", "foo & bar"],
  ["foo.*mid.*bar", "mid & foo & bar"],
  ["foo.*foobar", "foobar"],
  ["^foo$", "foo"],
  ["\\Afoo\\b\\Bbar\\z", "foobar"],
  ["foo\\.bar\\(\\)", "foo.bar()"],
  ["foo{", "foo{"],
  ["foo{x}", "foo{x}"],
  // Alternatives
  ["foo|bar", "foo | bar"],
  ["foo|", "*"],
  ["foo|ba", "*"],
  ["foo|foobar", "foo"],
  ["copy_(to|from)_user\\(", "copy_to_user( | copy_from_user("],
  ["(a|b|c)xyz", "axyz | bxyz | cxyz"],
  ["foo.*bar|baz.*qux", "(foo & bar) | (baz & qux)"],
  ["(foo.*bar|baz)quux", "((foo & bar) | baz) & (barquux | bazquux)"],
  ["(foo|bar).*(baz|qux)", "(foo | bar) & (baz | qux)"],
  // Repetitions
  ["(abc)?def", "def"],
  ["(abc)+", "abc"],
  ["(abc)*", "*"],
  ["(abc)*def", "def"],
  ["abc*d", "*"],
  ["abc+d", "abc"],
  ["abc?d", "abcd | abd"],
  ["x{3}y", "xxxy"],
  ["x{3}?y", "xxxy"],
  ["x{2,}y", "xxy"],
  ["x{3,}y", "xxxy"],
  ["(abc){2,5}", "abcabc"],
  ["(abc){0}def", "def"],
  ["(abc){0,3}def", "def"],
  ["a{100}", "aaaaaaaaaaaaaaaa"],
  // Classes
  ["[ab]cd", "acd | bcd"],
  ["[aA][bB][cC]", "abc"],
  ["[ab][cd]e", "ace | ade | bce | bde"],
  ["[a-c]xy", "axy | bxy | cxy"],
  ["[A-Z]+_SUSPEND", "_suspend"],
  ["foo[^a]bar", "foo & bar"],
  ["foo[]x]bar", "foo]bar | fooxbar"],
  ["foo[x-]bar", "fooxbar | foo-bar"],
  ["foo[[:alpha:]_]bar", "foo & bar"],
  ["foo[\\d.]bar", "foo & bar"],
  ["foo\\pLbar\\P{Greek}baz", "bar & foo & baz"],
  ["\\d{4}-\\d{2}-\\d{2}", "*"],
  ["\\bstruct\\s+\\w+_ops\\b", "struct & _ops"],
  // Escapes
  ["\\Qa.b\\E", "a.b"],
  ["\\Qa.bc\\E+cde", "a.bc & ccde"],
  ["\\Qa(b", "a(b"],
  ["\\x{61}\\x62\\143", "abc"],
  ["foo\\tbar", "foo\tbar"],
  // Groups and flags
  ["(a(?:b(?P<x>c)(?<y>d)))e", "abcde"],
  ["(?i)foo.*bar", "foo & bar"],
  ["(?i)straße", "stra"],
  ["(?i:É)clair", "clair"],
  ["((?i)É)clairÉ", "clairÉ"],
  ["(?i)(?-i)éclair", "éclair"],
  ["(?s-i:foo.bar)", "foo & bar"],
  ["\u212aelvin \u017fign", "kelvin sign"],
  // Beyond the line
  ["foo\\nbar", "foo & bar"],
  ["foo\\r?\\nbar", "foo & bar"],
  ["foo[\\n;]bar", "foo & bar"],
  ["foo\\sbar", "foo & bar"],
  // Not supported, or rejected by RE2
  ["foo(", "*"],
  ["foo)", "*"],
  ["foo[", "*"],
  ["foo\\", "*"],
  ["(?=foo)bar", "*"],
  ["(foo)\\1", "*"],
  ["foo\\y", "*"],
  ["foo**", "*"],
  ["foo{01}", "*"],
])("%j needs %j", (pattern, expected) => {
  expect(literalsOf(pattern)).toBe(expected);
});

test("a plain text is not parsed as an expression", () => {
  expect(literalsOf("foo.*(bar", { isRegex: false })).toBe("foo.*(bar");
  expect(literalsOf("Éclair für 字", { isRegex: false })).toBe("Éclair für 字");
});

test("letters beyond ASCII require nothing when case is ignored; those without case do", () => {
  expect(literalsOf("Éclair für 字", { isRegex: false, caseSensitive: false })).toBe(
    "clair f & r 字",
  );
  expect(literalsOf("µmeter字", { caseSensitive: false })).toBe("meter字");
});

test("an unpaired parenthesis requires nothing, and whole words no more than their parts", () => {
  expect(literalsOf("foo)|(bar", { wholeWord: true })).toBe("*");
  expect(literalsOf("foo|bar", { wholeWord: true })).toBe("foo | bar");
});

test("long patterns and many alternatives stay cheap", () => {
  const long = "x".repeat(10_000);
  expect(literalsOf(long).length).toBeLessThan(1000);
  const words = Array.from({ length: 1500 }, (_, at) => `w${at}x`);
  expect(
    literalsOf(`(${words.join("|")})`)
      .split(" | ")
      .toSorted(),
  ).toEqual(words.toSorted());
  expect(literalsOf(`(?:(${words.join("|")}).*){16}`)).toContain("w1499x");
  expect(literalsOf(Array.from({ length: 2000 }, (_, at) => `a${at}`).join(".*"))).toContain(
    "a10 & a11",
  );
  expect(literalsOf("(".repeat(5000) + ")".repeat(5000))).toBe("*");
});

/** A part of a pattern with a text that it matches. */
interface Sample {
  readonly source: string;
  readonly text: string;
}

const LETTERS = Array.from("aabcksAKS_- \t1éÉßµ字\u212a\u017f😀.*(|[{");

function escaped(letter: string): string {
  return letter.replace(/[.*+?^${}()|[\]\\]/, "\\$&");
}

function sample(source: string, text: string): Sample {
  return { source, text };
}

const letter = fc.constantFrom(...LETTERS);
const word = fc.array(fc.constantFrom(...Array.from("abcks_A")), { minLength: 1, maxLength: 4 });
const character: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 6, arbitrary: word.map((letters) => sample(letters.join(""), letters.join(""))) },
  { weight: 4, arbitrary: letter.map((one) => sample(escaped(one), one)) },
  {
    weight: 1,
    arbitrary: letter.map((one) => {
      const code = (one.codePointAt(0) ?? 0).toString(16);
      return sample(`\\x{${code}}`, one);
    }),
  },
  fc
    .constantFrom(...Array.from("aKs_"))
    .map((one) => sample(`\\x${one.charCodeAt(0).toString(16)}`, one)),
  fc
    .constantFrom(...Array.from("aKs_"))
    .map((one) => sample(`\\${one.charCodeAt(0).toString(8)}`, one)),
  word.map((letters) => sample(`\\Q${letters.join(".")}\\E`, letters.join("."))),
);
const set: fc.Arbitrary<Sample> = fc.oneof(
  fc.constantFrom(
    sample("\\d", "7"),
    sample("\\D", "x"),
    sample("\\w", "k"),
    sample("\\W", "-"),
    sample("\\s", " "),
    sample("\\s", "\n"),
    sample("\\S", "字"),
    sample(".", "é"),
    sample("\\n", "\n"),
    sample("\\t", "\t"),
    sample("\\pL", "É"),
    sample("\\p{Lu}", "A"),
    sample("\\P{Greek}", "a"),
    sample("[[:alpha:]]", "a"),
    sample("[[:digit:]a-c]", "b"),
    sample("[[:^space:]]", "a"),
    sample("[a-ce-k]", "j"),
    sample("[J-L]", "K"),
    sample("[^ab]", "\n"),
    sample("[\\s,]", "\n"),
    sample("[a\\]\\-]", "]"),
    sample("[-a]", "-"),
    sample("[\\x41-\\x43]", "B"),
  ),
  fc
    .array(fc.constantFrom(...Array.from("abcksKS字é")), { minLength: 1, maxLength: 5 })
    .map((letters) => {
      return sample(`[${letters.join("")}]`, letters[0] ?? "");
    }),
);
const boundary = fc
  .constantFrom("^", "$", "\\b", "\\B", "\\A", "\\z")
  .map((one) => sample(one, ""));
const OPENINGS = [
  "(",
  "(?:",
  "(?P<n>",
  "(?<n>",
  "(?i:",
  "(?-i:",
  "(?s-i:",
  "(?im:",
  "(?i)(?:",
  "(?U:",
];

const { pattern } = fc.letrec<{ pattern: Sample; atom: Sample; term: Sample }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3, depthIdentifier: "pattern" },
    { weight: 6, arbitrary: character },
    { weight: 3, arbitrary: set },
    { weight: 1, arbitrary: boundary },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(...OPENINGS), tie("pattern"))
        .map(([opening, { source, text }]) => sample(`${opening}${source})`, text)),
    },
  ),
  term: fc.oneof(
    { weight: 4, arbitrary: tie("atom") },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.oneof(
            set,
            letter.map((one) => sample(escaped(one), one)),
            tie("pattern").map(({ source, text }) => sample(`(?:${source})`, text)),
          ),
          fc.constantFrom("*", "+", "?", "{0}", "{2}", "{1,}", "{1,3}", "{0,2}", "{3,}"),
          fc.constantFrom("", "?"),
          fc.nat(3),
        )
        .map(([{ source, text }, quantifier, lazy, wanted]) => {
          const [low, high] = BOUNDS[quantifier] ?? [1, 1];
          const times = Math.max(low, Math.min(high, wanted));
          return sample(source + quantifier + lazy, text.repeat(times));
        }),
    },
  ),
  pattern: fc
    .array(fc.array(tie("term"), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .chain((alternatives) =>
      fc.constantFrom(...alternatives).map((chosen) => {
        const sources = alternatives.map((terms) => terms.map(({ source }) => source).join(""));
        return sample(sources.join("|"), chosen.map(({ text }) => text).join(""));
      }),
    ),
}));

const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  "*": [0, 3],
  "+": [1, 3],
  "?": [0, 1],
  "{0}": [0, 0],
  "{2}": [2, 2],
  "{1,}": [1, 3],
  "{1,3}": [1, 3],
  "{0,2}": [0, 2],
  "{3,}": [3, 3],
};

const around = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(""));

/** The example as it is, within other texts, in other cases, damaged and repeated; and an unrelated text. */
function textsOf(example: string, [before, after]: readonly [string, string]): readonly string[] {
  return [
    example,
    before + example + after,
    `${before}\n${example}\n${after}`,
    `${before} ${example.toUpperCase()}-`,
    example.toLowerCase(),
    example.replace(/k/gi, "\u212a").replace(/s/gi, "\u017f"),
    example.slice(0, before.length) + example.slice(before.length + 1),
    example + example,
    before + after,
  ];
}

/** RE2 requires distinct group names. */
function withDistinctNames(source: string): string {
  let names = 0;
  return source.replace(/<n>/g, () => `<n${names++}>`);
}

function holds(query: LiteralQuery, folded: string): boolean {
  if (query.kind === "all") return true;
  if (query.kind === "literal") return folded.includes(query.text);
  return query.kind === "and"
    ? query.parts.every((part) => holds(part, folded))
    : query.parts.some((part) => holds(part, folded));
}

test("every match contains the required literals", () => {
  const counts = { patterns: 0, refused: 0, telling: 0, cases: 0, matches: 0, ruledOut: 0 };
  const options = fc.record({
    isRegex: fc.oneof(
      { weight: 5, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    caseSensitive: fc.boolean(),
    wholeWord: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  });
  const check = (
    { source, text }: Sample,
    chosen: typeof OPTIONS,
    other: readonly [string, string],
  ): void => {
    const written = chosen.isRegex ? withDistinctNames(source) : text;
    const matcher = accepted(written, chosen);
    counts.patterns += 1;
    counts.refused += matcher === undefined ? 1 : 0;
    const query = requiredLiterals(written, chosen);
    if (query.kind !== "all") counts.telling += 1;
    for (const one of textsOf(text, other)) {
      const isHeld = holds(query, foldText(one));
      const isMatch = matcher !== undefined && matcher(one).length > 0;
      counts.cases += 1;
      if (isMatch) counts.matches += 1;
      if (!isHeld) counts.ruledOut += 1;
      if (isMatch && !isHeld)
        throw new Error(
          `${JSON.stringify(written)} in ${JSON.stringify(one)} needs ${shown(query)}`,
        );
    }
  };
  fc.assert(fc.property(pattern, options, fc.tuple(around, around), check), { numRuns: 1400 });
  expect(counts.cases).toBeGreaterThan(12_000);
  expect(counts.matches).toBeGreaterThan(4600);
  expect(counts.telling).toBeGreaterThan(290);
  expect(counts.ruledOut).toBeGreaterThan(350);
  expect(counts.refused).toBeLessThan(counts.patterns / 10);
}, 30_000);

function accepted(
  source: string,
  options: typeof OPTIONS,
): ReturnType<typeof compilePattern> | undefined {
  try {
    return compilePattern(source, options);
  } catch {
    return undefined;
  }
}
