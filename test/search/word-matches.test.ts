import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { wordMatcher } from "../../src/search/word-matches.ts";

function matcher(text: string, known: readonly string[]) {
  const query = parseQuery(text, createTokenizer(), {});
  return wordMatcher(query, { terms: known.map((term) => ({ term, weight: 1 })) });
}

test("words are found by their terms, as written, without stop words", () => {
  const match = matcher("where are tokens revoked", ["token", "revok"]);
  expect(match({ names: 0b01, text: 0b11, path: 0 })).toEqual({
    words: ["tokens", "revoked"],
    inNames: ["tokens"],
    inText: ["tokens", "revoked"],
    inPath: [],
  });
});

test("an identifier is found if all of its parts are", () => {
  const match = matcher("parseConfig", ["pars", "config", "parseconfig"]);
  expect(match({ names: 0b011, text: 0b001, path: 0b110 })).toMatchObject({
    inNames: ["parseConfig"],
    inText: [],
    inPath: [],
  });
});

test("a word that the index does not contain is nowhere", () => {
  const match = matcher("wombat parseWombat", ["pars"]);
  expect(match({ names: ~0, text: ~0, path: ~0 })).toEqual({
    words: ["wombat", "parseWombat"],
    inNames: [],
    inText: [],
    inPath: [],
  });
});

test("a word in a foreign language is found by its prefix", () => {
  const match = matcher("für Druckern", ["druck~"]);
  expect(match({ names: 0, text: 0b1, path: 0 }).inText).toEqual(["Druckern"]);
});
