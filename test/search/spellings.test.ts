import * as fc from "fast-check";
import { expect, test } from "vitest";

import { spellingsOf } from "../../src/search/spellings.ts";

test.each([
  ["colour", "color"],
  ["behaviour", "behavior"],
  ["favourite", "favorite"],
  ["initialise", "initialize"],
  ["serialisation", "serialization"],
  ["normaliser", "normalizer"],
  ["analyse", "analyze"],
  ["centre", "center"],
  ["cancelled", "canceled"],
  ["labelling", "labeling"],
  ["licence", "license"],
  ["catalogue", "catalog"],
  ["artefact", "artifact"],
  ["grey", "gray"],
  ["indices", "index"],
  ["vertices", "vertex"],
])("%s and %s are spellings of each other", (one, other) => {
  expect(spellingsOf(one)).toContain(other);
  expect(spellingsOf(other)).toContain(one);
});

test.each(["size", "raise", "meter2", "called", "promise2", "metadata", "word"])(
  "%s has one spelling",
  (word) => {
    expect(spellingsOf(word)).toEqual([]);
  },
);

test("capitals do not matter", () => {
  expect(spellingsOf("Colour")).toEqual(["color"]);
});

test("no word is a spelling of itself, and long words take no time", () => {
  const words = fc.stringMatching(/^[a-z]{1,200}$/);
  fc.assert(
    fc.property(words, (word) => {
      expect(spellingsOf(word)).not.toContain(word);
    }),
  );
});
