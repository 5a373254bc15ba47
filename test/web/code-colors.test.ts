import { expect, test } from "vitest";

import { fileTokens, tokensWithin } from "../../src/web/code-colors.ts";

const KINDS = ["comment", "string", "another"];

test("pieces of the server become tokens, without kinds that the page does not know", () => {
  const tokens = fileTokens("0123456789abc", "go", {
    kinds: KINDS,
    pieces: [2, 3, 0, 1, 2, 2, 0, 1, 1],
  });
  expect(tokens).toEqual([
    { start: 2, end: 5, kind: "comment" },
    { start: 8, end: 9, kind: "string" },
  ]);
});

test("without a grammar the page recognises comments and strings itself, in texts of some length", () => {
  const none = { kinds: [], pieces: null };
  expect(fileTokens('x = "y" # z', "python", none)).toHaveLength(2);
  expect(fileTokens(`${" ".repeat(2 ** 20)} # z`, "python", none)).toEqual([]);
});

test("the tokens of a part begin and end in it", () => {
  const tokens = [
    { start: 0, end: 4, kind: "comment" },
    { start: 6, end: 9, kind: "string" },
    { start: 12, end: 20, kind: "keyword" },
  ] as const;
  expect(tokensWithin(tokens, 2, 14)).toEqual([
    { start: 0, end: 2, kind: "comment" },
    { start: 4, end: 7, kind: "string" },
    { start: 10, end: 12, kind: "keyword" },
  ]);
  expect(tokensWithin(tokens, 4, 6)).toEqual([]);
  expect(tokensWithin([], 0, 9)).toEqual([]);
});
