import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  formatSymbol,
  isLocalSymbol,
  parseSymbol,
  type Descriptor,
  type Suffix,
} from "../../src/scip/symbol-text.ts";

const SUFFIXES: readonly Suffix[] = [
  "namespace",
  "type",
  "term",
  "method",
  "typeParameter",
  "parameter",
  "meta",
  "macro",
];

const field = fc
  .string({ unit: "grapheme" })
  .filter((text) => text !== "." && !text.includes("\0"));
const name = fc.string({ minLength: 1, unit: "grapheme" });

test("each symbol is parsed from its canonical text", () => {
  const descriptor = fc
    .record({
      name,
      suffix: fc.constantFrom(...SUFFIXES),
      disambiguator: fc.constantFrom("", "+1"),
    })
    .map((one): Descriptor => ({
      ...one,
      disambiguator: one.suffix === "method" ? one.disambiguator : "",
    }));
  const symbol = fc.record({
    scheme: field.filter((text) => !/^$|^local| $/.test(text)),
    manager: field.filter((text) => !text.endsWith(" ")),
    package: field.filter((text) => !text.endsWith(" ")),
    version: field.filter((text) => !text.endsWith(" ")),
    descriptors: fc.array(descriptor, { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(symbol, (one) => {
      const head = [one.scheme, one.manager, one.package, one.version];
      fc.pre(head.every((text) => !text.startsWith(" ")));
      expect(parseSymbol(formatSymbol(one))).toEqual(one);
    }),
  );
});

test.each([
  [
    "scip-typescript npm shapes 1.0.0 src/`shape.ts`/Circle#area().",
    ["src", "shape.ts", "Circle", "area"],
  ],
  ["scip-typescript npm shapes 1.0.0 src/`a``b.ts`/x.", ["src", "a`b.ts", "x"]],
  ["scip-go gomod github.com/x/y v1.0.0 `github.com/x/y`/T#M(+1).", ["github.com/x/y", "T", "M"]],
  ["rust-analyzer cargo regex 1.0 re/macro!", ["re", "macro"]],
  ["semanticdb maven . . a/B#[T](x)", ["a", "B", "T", "x"]],
])("%s", (symbol, names) => {
  expect(parseSymbol(symbol)?.descriptors.map((one) => one.name)).toEqual(names);
});

test.each([
  "",
  "local 12",
  "scheme . . .",
  "scheme . . . ",
  "scheme . . . name",
  "scheme . . . `open",
  "scheme . . . ``/",
  "scheme . . . name(",
  "scheme . . . name(a b).",
  "scheme . . . [name",
  " . . . name/",
])("%j is no global symbol", (symbol) => {
  expect(parseSymbol(symbol)).toBeUndefined();
});

test("a scheme that begins with the word makes no local symbol", () => {
  expect(isLocalSymbol("local 1")).toBe(true);
  expect(isLocalSymbol("localize . . . a/")).toBe(false);
});

test("spaces in the head are doubled", () => {
  const symbol = {
    scheme: "a b",
    manager: "",
    package: "c d",
    version: "",
    descriptors: [{ name: "e f", suffix: "term" as const, disambiguator: "" }],
  };
  expect(formatSymbol(symbol)).toBe("a  b . c  d . `e f`.");
  expect(parseSymbol("a  b . c  d . `e f`.")).toEqual(symbol);
});
