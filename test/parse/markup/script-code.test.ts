import { expect, test } from "vitest";

import { AppendedText } from "../../../src/parse/markup/appended-text.ts";
import {
  copyCode,
  endOfCode,
  isWholeCode,
  topLevelMatches,
} from "../../../src/parse/markup/script-code.ts";

test.each([
  ["a } b", 2],
  ["{ a: [1, (2)] } }", 16],
  ["'}' }", 4],
  ["`a${ {b: '}'} }` }", 17],
  ["a /* } */ }", 10],
  ["a // }\n}", 7],
  ["/[}/]/.test(a) }", 15],
  ["a / b / c }", 10],
  ["'it }", -1],
  ["(a }", -1],
  ["a", -1],
])("the end of %j is found", (text, end) => {
  expect(endOfCode(text, 0)).toBe(end);
});

test.each([
  ["f(a, [b], { c })", true],
  ["`${a}` + 'b'", true],
  ["f(a", false],
  ["a)", false],
  ["'a", false],
  ["`${a`", false],
])("whether %j is whole", (text, isWhole) => {
  expect(isWholeCode(text)).toBe(isWhole);
});

test("matches are those outside of brackets and quotes", () => {
  expect(topLevelMatches("(a, b), 'c, d', e", /,/y).map(({ start }) => start)).toEqual([6, 14]);
});

function rename(name: string): { name: string; suffix: string } | undefined {
  return name === "b" || name === "c" ? { name, suffix: ".value" } : undefined;
}

test("names that are no members, keys or parameters are renamed", () => {
  const out = new AppendedText();
  const text = "a + b.a + { a: a, c, a } + ({ d(a) {} }).a + ['a', ...a].map((a) => a)";
  copyCode(out, { text, at: 0 }, rename);
  expect(out.toString()).toBe(
    "a + b.value.a + { a: a, c: c.value, a } + ({ d(a) {} }).a + ['a', ...a].map((a) => a)",
  );
  const other = new AppendedText();
  copyCode(other, { text: "b + f(b => b) + b", at: 5 }, rename);
  expect(other.toString()).toBe("b + f(b => b) + b");
});
