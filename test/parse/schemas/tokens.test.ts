import { expect, it } from "vitest";

import { TokenReader, type TokenRules } from "../../../src/parse/schemas/tokens.ts";

const RULES: TokenRules = { lineComments: ["//"], hasBlockComments: true, hasBlockStrings: true };

function tokens(text: string): string[] {
  const reader = new TokenReader(text, RULES);
  const found: string[] = [];
  while (reader.next !== undefined) {
    const start = reader.startLine();
    found.push(`${start} ${reader.next.line}-${reader.next.endLine} ${reader.next.text}`);
    reader.take();
  }
  return found;
}

it("comments above a token belong to it, those after one in its line do not", () => {
  expect(tokens("a // of a\n// of b\n/* of\n b */\nb\n\n// far\n\nc")).toEqual([
    "1 1-1 a",
    "2 5-5 b",
    "9 9-9 c",
  ]);
});

it("strings may hold quotes, and end with their line", () => {
  expect(tokens('"a\\"b" "c\nd """e\n"f""" g')).toEqual([
    '1 1-1 "a\\"b"',
    '1 1-1 "c',
    "2 2-2 d",
    '2 2-3 """e\n"f"""',
    "3 3-3 g",
  ]);
});

it("a group ends with its bracket, or with the brace around it", () => {
  const reader = new TokenReader("{ a ( b [ c } d", RULES);
  reader.skipGroup();
  expect(reader.next?.text).toBe("d");
});
