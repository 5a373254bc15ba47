import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createTokenizer } from "../../src/chunk/words.ts";
import { parseQuery } from "../../src/search/parse-query.ts";

const tokenizer = createTokenizer();

/** What was made of a question, on one line. */
function call(text: string): string {
  const { terms, words, identifiers, paths, isSymbol, asksFor } = parseQuery(text, tokenizer);
  const asks = Object.entries(asksFor).flatMap(([kind, asked]) => (asked ? [kind] : []));
  return [
    `words: ${words.join(" ")}`,
    `terms: ${[...terms].map(([term, weight]) => (weight === 1 ? term : `${term}*${weight}`)).join(" ")}`,
    ...(identifiers.size === 0 ? [] : [`identifiers: ${[...identifiers].join(" ")}`]),
    ...(paths.length === 0 ? [] : [`paths: ${paths.join(" ")}`]),
    ...(isSymbol ? ["symbol"] : []),
    ...(asks.length === 0 ? [] : [`asks for ${asks.join(", ")}`]),
  ].join("; ");
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
  ["how do I run the tests", "words: run tests; terms: run test; asks for tests"],
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
  expect(call(text)).toBe(expected);
});

test("any text can be taken apart, and every term comes from a word of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const query = parseQuery(text, tokenizer);
      const known = new Set(query.words.flatMap((word) => tokenizer.split(word)));
      fc.pre(query.words.length < 64);
      expect(new Set(query.terms.keys())).toEqual(known);
      for (const word of query.identifiers) expect(text).toContain(word);
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
])("the longest question is taken apart in no time: %s", (_, text) => {
  const started = performance.now();
  call(text);
  expect(performance.now() - started).toBeLessThan(250);
});
