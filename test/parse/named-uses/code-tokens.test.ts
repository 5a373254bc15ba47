import { expect, test } from "vitest";

import { CODE_NAME_RULES } from "../../../src/parse/named-uses/code-name-rules.ts";
import { codeTokensOf, type TokenSyntax } from "../../../src/parse/named-uses/code-tokens.ts";

const ML: TokenSyntax = {
  comments: "\\(\\*|//[^\\n]*",
  nested: ["(*", "*)"],
  texts: '"[^"]*"?',
  names: "[a-z]+",
  codeInTexts: /\$\{([^{}]*)\}/g,
};

function wordsIn(text: string, syntax: TokenSyntax): readonly string[] {
  const names = codeTokensOf(text, syntax).filter(({ kind }) => kind === "name");
  return names.map(({ text: name, line }) => `${line} ${name}`);
}

test("comments, also nested ones, and texts have no names", () => {
  expect(wordsIn('a (* b (* c *) d *) e\n// f\n"g" h 1i', ML)).toEqual(["1 a", "1 e", "3 h"]);
});

test("code in texts has names with their lines", () => {
  expect(wordsIn('a "x\n${b c} ${d}" e', ML)).toEqual(["1 a", "2 b", "2 c", "2 d", "2 e"]);
});

test("marks of several characters are one token", () => {
  const marks = codeTokensOf("a::b -> c", ML).map(({ text, isApart }) => `${text}${isApart}`);
  expect(marks).toEqual(["atrue", "::false", "bfalse", "->true", "ctrue"]);
});

test.for(Object.entries(CODE_NAME_RULES))(
  "%s: hostile texts are read in linear time",
  ([, { syntax }]) => {
    const parts = [
      '"',
      "'",
      "`",
      "(*",
      "/*",
      "#=",
      "q{",
      "m{",
      "s{",
      "<<A",
      "''",
      "{|",
      "[=[",
      '@"\n',
      "\n=a",
      "(\n",
      "a.",
      "$(",
    ];
    for (const part of parts) {
      const text = part.repeat(Math.ceil(20_000 / part.length));
      expect(codeTokensOf(text, syntax).length).toBeLessThanOrEqual(text.length);
    }
  },
);
