import { expect, test } from "vitest";

import { linesOf } from "../../src/web/code-lines.ts";
import { tokensOf } from "../../src/web/code-tokens.ts";
import { marksIn, stemsOf } from "../../src/web/query-words.ts";

test("the pieces joined are the text, whatever overlaps", () => {
  const text = 'let token = "revoke the token"; // a token\n\n/* token\n token */';
  const lines = linesOf(text, tokensOf(text, "typescript"), marksIn(text, stemsOf("revoke token")));
  expect(lines.map((line) => line.map((piece) => piece.text).join("")).join("\n")).toBe(text);
  expect(lines[0]?.filter(({ isMarked }) => isMarked)).toEqual([
    { text: "token", kind: undefined, isMarked: true },
    { text: "revoke", kind: "string", isMarked: true },
    { text: "token", kind: "string", isMarked: true },
    { text: "token", kind: "comment", isMarked: true },
  ]);
});
