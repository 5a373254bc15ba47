import { expect, test } from "vitest";

import { initialsTerm, isSubWord, termsOfName } from "../../../src/index/names/name-terms.ts";

test.each<[string, readonly string[]]>([
  ["getUser", ["get", "user"]],
  ["NullPointerException", ["null", "pointer", "exception", "/npe"]],
  ["a_b_c_d", ["a", "b", "c", "d", "/abc"]],
  ["copy_to_copy", ["copy", "to", "/ctc"]],
  ["__", []],
])("the terms of %s are %j", (name, terms) => {
  expect(termsOfName(name)).toEqual(terms);
});

test("a term of initials is no sub-word, and has no more letters than names have at least", () => {
  expect(initialsTerm("npex")).toBe("/npe");
  expect(["npe", "/npe"].map(isSubWord)).toEqual([true, false]);
});
