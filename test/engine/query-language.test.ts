import { expect, test } from "vitest";

import { forgetAll } from "../../src/base/at-rest.ts";
import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { QueryLanguage } from "../../src/engine/query-language.ts";

test("all queries share a tokenizer and an embedder until the program rests", () => {
  const language = new QueryLanguage(() => packedEmbeddings);
  const first = language.get();
  expect(language.get()).toEqual(first);
  const vector = first.embedder.embed("parse a date");
  forgetAll();
  const later = language.get();
  expect(later.tokenizer).not.toBe(first.tokenizer);
  expect(later.embedder).not.toBe(first.embedder);
  expect(later.embedder.embed("parse a date")).toEqual(vector);
});

test("a table that is not there fails each query, until it is there", () => {
  let isThere = false;
  const language = new QueryLanguage(() => {
    if (!isThere) throw new Error("no model");
    return packedEmbeddings;
  });
  expect(() => language.get()).toThrow("no model");
  isThere = true;
  expect(language.get().embedder.embed("parse a date")).toBeDefined();
});
