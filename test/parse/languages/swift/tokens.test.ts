import { expect, test } from "vitest";

import {
  CLOSE_INTERPOLATION,
  NAME,
  OPERATOR,
  REGEX,
  STRING,
  Tokens,
  WORD,
} from "../../../../src/parse/languages/swift/tokens.ts";

function textsOf(text: string, ...kinds: readonly number[]): readonly string[] {
  const tokens = new Tokens(text);
  return tokens.kinds.flatMap((kind, index) => (kinds.includes(kind) ? tokens.textOf(index) : []));
}

test("names in strings are none, but names in interpolations are", () => {
  const text = `let a = "x \\(first + "\\(second)") y" + #"raw \\(no) \\#(third)"#
let b = """
  lines "of" \\(fourth)
  """; end`;
  expect(textsOf(text, NAME)).toEqual(["a", "first", "second", "third", "b", "fourth", "end"]);
  expect(new Tokens(text).lines.at(-1)).toBe(4);
});

test("comments contain others, and directives have no names", () => {
  const text = `#!/usr/bin/swift
/* a /* b */ c */ let one = 1 // two
#if os(iOS) && DEBUG
#elseif canImport(UIKit)
#endif
  /// Line.
three #selector(four)`;
  const tokens = new Tokens(text);
  expect(textsOf(text, NAME)).toEqual(["one", "three", "selector", "four"]);
  expect([...tokens.commentLines]).toEqual([2, 6]);
});

test("names in backticks are no words, and slashes begin regular expressions or divide", () => {
  expect(textsOf("case `default`, `in`: default", WORD)).toEqual(["case", "default"]);
  expect(textsOf("match(/a(b)/) + c / d / e", REGEX)).toEqual(["/a(b)/"]);
  expect(textsOf("let x = #/ a / b /#; y", REGEX, NAME)).toEqual(["x", "#/ a / b /#", "y"]);
});

test("marks after a value are operators of their own", () => {
  expect(textsOf("a?.b!.c ?? d != e!==f ..< g", OPERATOR)).toEqual([
    "?",
    "!",
    "??",
    "!=",
    "!==",
    "..<",
  ]);
});

test("brackets know what closes them", () => {
  const tokens = new Tokens('f([{ }], "\\(x)")');
  const closing = [...tokens.closers].map(([open, close]) => `${open}-${close}`);
  expect(closing.toSorted()).toEqual(["1-12", "2-5", "3-4", "8-10"]);
  expect(tokens.kinds[10]).toBe(CLOSE_INTERPOLATION);
  expect(tokens.kinds[7]).toBe(STRING);
});

test("very deep interpolations end", () => {
  const tokens = new Tokens('"\\('.repeat(20_000));
  expect(tokens.kinds.length).toBeGreaterThan(100);
});
