import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer, scanWords } from "../../src/parse/tokenizer.ts";
import { MIN_LONG_QUERY_CHARS, parseQuery, type Project } from "../../src/search/parse-query.ts";
import { joinedTerms, relatedTerms } from "../../src/search/related-terms.ts";

const tokenizer = createTokenizer();

/** Returns the parsed query on one line, without synonyms. */
function parsed(text: string): string {
  const { terms, words, identifiers, paths, isSymbol, requestedRoles } = parseQuery(
    text,
    tokenizer,
  );
  const asks = Object.entries(requestedRoles).flatMap(([kind, isQuestion]) =>
    isQuestion ? [kind] : [],
  );
  const own = [...terms].filter(([term]) => termsOf(words).has(term));
  return [
    `words: ${words.join(" ")}`,
    `terms: ${own.map(([term, weight]) => (weight === 1 ? term : `${term}*${weight}`)).join(" ")}`,
    ...(identifiers.size === 0 ? [] : [`identifiers: ${[...identifiers].join(" ")}`]),
    ...(paths.length === 0 ? [] : [`paths: ${paths.join(" ")}`]),
    ...(isSymbol ? ["symbol"] : []),
    ...(asks.length === 0 ? [] : [`asks for ${asks.join(", ")}`]),
  ].join("; ");
}

function termsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => tokenizer.split(word)));
}

test.each<[string, string]>([
  [
    "parseConfig",
    "words: parseConfig; terms: pars config parseconfig; identifiers: parseConfig; symbol",
  ],
  ["revoke", "words: revoke; terms: revok; identifiers: revoke; symbol"],
  [
    "Session.receive()",
    "words: Session receive; terms: session receiv; identifiers: Session receive; symbol",
  ],
  [
    "std::vector::push_back",
    "words: std vector push_back; terms: std vector push back pushback; identifiers: std vector push_back; symbol",
  ],
  [
    "src/index/catalog.ts",
    "words: src index catalog ts; terms: src index catalog ts; paths: src/index/catalog.ts",
  ],
  ["what is in catalog.ts", "words: catalog ts; terms: catalog ts; paths: catalog.ts"],
  ["where are tokens revoked", "words: tokens revoked; terms: token revok"],
  ["how do I run the tests", "words: run tests; terms: run test; asks for tests, docs"],
  [
    "example of the settings in the guide",
    "words: example settings guide; terms: exampl setting guid; asks for docs, config, examples",
  ],
  ["how does it do this", "words: how does it do this; terms: how doe it do this"],
  ["token token token", "words: token; terms: token*2"],
  ["where is `fold` called", "words: fold called; terms: fold call; identifiers: fold"],
  [
    "who calls closeLook or MAX_SEGMENTS",
    "words: calls closeLook MAX_SEGMENTS; terms: call clos look closelook max segment maxsegments; identifiers: closeLook MAX_SEGMENTS",
  ],
  [
    "TypeError: Cannot read properties of undefined (reading 'id')",
    "words: TypeError Cannot read properties undefined reading id; terms: type error typeerror cannot read*2 property undefin id; identifiers: TypeError Cannot",
  ],
  [
    "for (const part of parts) total += part.size;",
    "words: const part parts total size; terms: const part*2 total size; paths: part.size",
  ],
  ["???", "words: ; terms: "],
])("%j", (text, expected) => {
  expect(parsed(text)).toBe(expected);
});

test("the length is that of the query", () => {
  expect(parseQuery("  where is it?  ", tokenizer)).toMatchObject({ length: 16 });
});

/** Returns the terms with reduced weight, with that weight, and the text that is embedded. */
function weakened(text: string, project: Project): { terms: string; meaning: string } {
  const { terms, words, embeddingText } = parseQuery(text, tokenizer, project);
  const weak = [...terms].filter(([term, weight]) => weight < 1 && termsOf(words).has(term));
  return { terms: weak.map(([term]) => term).join(" "), meaning: embeddingText };
}

test.each<[string, string, string[]]>([
  ["of the project", "how does the ~python~ client retry", ["python"]],
  ["in capitals", "retry of the ~Python~ client", ["python"]],
  ["by another name", "how are ~golang~ channels closed", ["go"]],
  ["of another project", "how does the python client retry", ["ruby"]],
  ["of no project", "how does the python client retry", []],
  ["that is an ordinary word", "where do we go from here then", ["go"]],
  ["with one other word", "python client", ["python"]],
  ["within a word", "how does pythonic code look today", ["python"]],
])("a language %s", (_, marked, languages) => {
  const [, name = ""] = /~(.*)~/.exec(marked) ?? [];
  const question = marked.replaceAll("~", "");
  const meaning = marked.replace(/~.*~/, "");
  expect(weakened(question, { languages: new Set(languages) })).toEqual({
    terms: name.toLowerCase(),
    meaning,
  });
});

test.each<[string, string, string[], string]>([
  ["counts for less", "how does gin bind a query", ["gin"], "gin"],
  ["in parts", "where does tokenStore expire", ["tokenStore"], "token stor tokenstore"],
  ["of several sources", "does gin call chi", ["gin", "chi"], "gin chi"],
  ["that is the whole query counts in full", "gin", ["gin"], ""],
  ["that is not in the query", "how does it bind", ["gin"], ""],
])("the project's name %s", (_, text, names, terms) => {
  expect(weakened(text, { names })).toEqual({ terms, meaning: text });
});

test("a reduced weight is above 0, and a language counts for less than the project's name", () => {
  const project = { names: ["gin"], languages: new Set(["python"]) };
  const { terms } = parseQuery("does gin call python code", tokenizer, project);
  const [gin = 0, python = 0] = [terms.get("gin"), terms.get("python")];
  expect(python).toBeGreaterThan(0);
  expect(gin).toBeGreaterThan(python);
  expect(gin).toBeLessThan(1);
});

test("synonyms count for less than the word itself", () => {
  const { terms, words, embeddingText } = parseQuery("delete a dir of the ctx", tokenizer);
  expect([...terms]).toEqual(
    expect.arrayContaining([
      ["delet", 1],
      ["dir", 1],
      ["ctx", 1],
    ]),
  );
  const others = [...terms].filter(([term]) => !termsOf(words).has(term));
  expect(
    others
      .map(([term]) => term)
      .toSorted()
      .join(" "),
  ).toBe("context del directory folder remov");
  for (const [, weight] of others) expect(weight).toBeLessThan(1);
  expect(words).toEqual(["delete", "dir", "ctx"]);
  expect(embeddingText).toBe("delete a dir of the ctx");
});

test("a word of the query counts in full, even if it is also a synonym", () => {
  const { terms } = parseQuery("does remove delete the folder", tokenizer);
  expect([terms.get("remov"), terms.get("delet"), terms.get("folder")]).toEqual([1, 1, 1]);
});

const STACK = [
  "TypeError: cannot revoke the token",
  ...Array.from(
    { length: 6 },
    (_, at) => `    at revoke.dispatch (src/handler/dispatch.js:${at}0)`,
  ),
].join("\n");

test("the first line of an issue or a stack trace counts more than the rest", () => {
  const { terms, length } = parseQuery(STACK, tokenizer);
  expect(length).toBeGreaterThan(MIN_LONG_QUERY_CHARS);
  const [token = 0, revoke = 0, dispatch = 0] = ["token", "revok", "dispatch"].map((term) =>
    terms.get(term),
  );
  expect(dispatch).toBeGreaterThan(0);
  expect(token).toBeGreaterThan(dispatch);
  expect(revoke).toBe(token);
});

test("a long query gets no synonyms", () => {
  const { terms, words } = parseQuery(STACK, tokenizer);
  expect(new Set(terms.keys())).toEqual(termsOf(words));
});

/** Returns the terms of the words of a query, and their alternatives. */
function termsAndRelated(text: string): { own: ReadonlySet<string>; related: ReadonlySet<string> } {
  const { words, split } = parseQuery(text, tokenizer);
  const all: string[] = [];
  scanWords(text, (word) => void all.push(word));
  const anyWords = { words: all, distinctive: all };
  return {
    own: new Set(words.flatMap((word) => split(word))),
    related: new Set([
      ...relatedTerms(anyWords, { split }).keys(),
      ...joinedTerms(anyWords, { split }),
    ]),
  };
}

test.each(["ssr", "the colour", "parse flags", "man in the middle"])(
  "%j has terms that its words may be called instead",
  (text) => {
    const { own, related } = termsAndRelated(text);
    const others = [...parseQuery(text, tokenizer).terms.keys()].filter((term) => !own.has(term));
    expect(others).not.toEqual([]);
    expect([...related]).toEqual(expect.arrayContaining(others));
  },
);

test("any text can be parsed, and every term comes from one of its words or what they are called instead", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const { terms, words, identifiers } = parseQuery(text, tokenizer);
      fc.pre(words.length < 64);
      const { own, related } = termsAndRelated(text);
      expect([...own].filter((term) => !terms.has(term))).toEqual([]);
      expect([...terms.keys()].filter((term) => !own.has(term) && !related.has(term))).toEqual([]);
      for (const word of identifiers) expect(text).toContain(word);
    }),
  );
});

test.each<[string, string]>([
  ["one long word", "a".repeat(10_000)],
  ["dashes", "a-".repeat(5000)],
  ["dots", "a.".repeat(5000)],
  ["slashes", "/".repeat(10_000)],
  ["words", "ab ".repeat(3333)],
  [
    "different words",
    Array.from({ length: 1600 }, (_, at) => `w${at}x`)
      .join(" ")
      .slice(0, 10_000),
  ],
])("each part of the longest query is split into terms at most twice: %s", (_, text) => {
  let characters = 0;
  const counting: typeof tokenizer = {
    ...tokenizer,
    split(word) {
      characters += word.length;
      return tokenizer.split(word);
    },
  };
  expect(parseQuery(text, counting)).toMatchObject({ length: text.length });
  expect(characters).toBeLessThanOrEqual(2 * text.length);
});

test.each([
  ["the formatter's line width", ["formatter", "line", "width"]],
  ["the formatter\u2019s line width", ["formatter", "line", "width"]],
  ["users' names", ["users", "names"]],
  ["we\u2019ll stop uploads", ["stop", "uploads"]],
  ["uploads don't stop", ["uploads", "don", "t", "stop"]],
  ["replace 's' with a space", ["replace", "s", "space"]],
  ["print f's'", ["print", "f", "s"]],
])("%s: ends of contractions are no words", (text, words) => {
  expect(parseQuery(text, tokenizer).words).toEqual(words);
});

test.each([
  "how do I write custom middleware",
  "How to install the command line tool?",
  "how can we stop the server without dropping requests",
  "can I use it without a database",
  "what is the best way to test a handler",
  "install with homebrew",
  "configure logging",
  "setting up a proxy",
  "migrate from version 2",
  "my uploads stop after a minute",
  "what is the difference between a gauge and a counter",
  "difference between find and find_by",
  "when should one use a queue",
])("'%s' asks how to do something, which documentation answers", (text) => {
  const { asksHow, requestedRoles } = parseQuery(text, tokenizer);
  expect(asksHow).toBe(true);
  expect(requestedRoles.docs).toBe(true);
});

test.each([
  "how are tokens revoked",
  "how the session works",
  "how does gin bind a query",
  "where is the rate limiting done",
  "when is the difference of two sets taken",
  "installPlugin",
  "fix the installation of plugins",
  "config",
  "configuration of the logger",
  "upgradeable connections",
  "i",
  `how do I fix this: ${"x ".repeat(MIN_LONG_QUERY_CHARS / 2)}`,
])("'%s' does not", (text) => {
  expect(parseQuery(text, tokenizer).asksHow).toBe(false);
});

function prefixesOf(text: string): readonly string[] {
  return [...parseQuery(text, tokenizer).terms.keys()].filter((term) => term.endsWith("~"));
}

test("only a query in a foreign language with Latin letters has the prefixes of its words", () => {
  expect(prefixesOf("Warteschlange für Drucker")).toEqual(["warte~", "druck~"]);
  expect(prefixesOf("queue of the printers")).toEqual([]);
  expect(prefixesOf("очередь принтера")).toEqual([]);
});
