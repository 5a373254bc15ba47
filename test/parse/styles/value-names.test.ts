import { expect, test } from "vitest";

import type { StyleDialect } from "../../../src/parse/styles/style-dialect.ts";
import { animationNames, valueNames } from "../../../src/parse/styles/value-names.ts";

function read(text: string, dialect: StyleDialect): readonly string[] {
  return [...valueNames(text, dialect)].map(
    ({ name, module, isCall, at }) =>
      `${at} ${module === undefined ? "" : `${module}.`}${name}${isCall ? "()" : ""}`,
  );
}

test("CSS: custom properties", () => {
  expect(read("1px solid var(--color, var(--other)) $no", "css")).toEqual([
    "14 --color",
    "27 --other",
  ]);
});

test("Sass: variables, functions and those of modules", () => {
  expect(read("$a + rem(2) math.div(t.$b, $c) rgba($d, .5)", "scss")).toEqual([
    "0 $a",
    "5 rem()",
    "17 math.div()",
    "23 t.$b",
    "27 $c",
    "36 $d",
  ]);
  // Names of arguments are none.
  expect(read('m($key: 1, $b) "#{$in} $no"', "scss")).toEqual(["0 m()", "11 $b", "18 $in"]);
});

test("Less: variables, also in texts", () => {
  expect(read('@a darken(@b, 1) ~"@{c}-x" @media own(@@d)', "less")).toEqual([
    "0 @a",
    "10 @b",
    "19 @c",
    "34 own()",
    "38 @d",
  ]);
});

test("animations", () => {
  const names = [...animationNames("fade-in 1s ease-in infinite, 2s slide var(--x) both")];
  expect(names.map(({ name, at }) => `${at} ${name}`)).toEqual(["0 fade-in", "32 slide"]);
});
