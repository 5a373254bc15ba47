import { expect, test } from "vitest";

import { classWords, isBlank } from "../../../src/parse/styles/class-words.ts";

test("names between white space, with their places", () => {
  expect([...classWords(" btn  btn-lg md:flex w-1/2 -mt x_y", 10)]).toEqual([
    { name: "btn", at: 11 },
    { name: "btn-lg", at: 16 },
    { name: "-mt", at: 37 },
    { name: "x_y", at: 41 },
  ]);
});

test("a word that code touches is only a part of a name", () => {
  const names = [...classWords("-a b c-", 0, { start: true, end: true })];
  expect(names.map(({ name }) => name)).toEqual(["b"]);
  expect([isBlank(undefined), isBlank("\n"), isBlank("x")]).toEqual([true, true, false]);
});
