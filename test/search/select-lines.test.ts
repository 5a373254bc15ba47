import { expect, test } from "vitest";

import { createTokenizer } from "../../src/parse/tokenizer.ts";
import { lineShapes } from "../../src/search/line-shapes.ts";
import { parseQuery } from "../../src/search/parse-query.ts";
import { selectLines } from "../../src/search/select-lines.ts";
import { topicOf } from "../../src/search/topic-questions.ts";

const README = [
  "[![Build](https://ci.example/badge.svg)](https://ci.example)",
  "<p>Logo</p>",
  "",
  "Keeps tokens.",
  "",
  "## Storage",
  "",
  "A token is stored. Tokens expire.",
  "",
  "## Token",
  "",
  "Something that shows who you are.",
  "It has an id.",
];

function shown(question: string): readonly string[] {
  const fences = { pairs: [], lone: new Set<number>() };
  const shapes = lineShapes(README, { startLine: 1, isProse: true, fences });
  const query = parseQuery(question, createTokenizer(), { topicOf });
  const chunk = { lines: README, shapes, symbol: "", isProse: true };
  return selectLines(chunk, query, 4).map((at) => README[at] ?? "");
}

test("a passage begins at the heading that names the subject of a question", () => {
  expect(shown("what is a token").slice(0, 3)).toEqual([
    "## Token",
    "",
    "Something that shows who you are.",
  ]);
});

test("what says what the project is begins with its first sentence", () => {
  expect(shown("what does this project do")[0]).toBe("Keeps tokens.");
});

test("for other questions, the lines that match best are shown", () => {
  expect(shown("tokens are stored and expire")).toContain("A token is stored. Tokens expire.");
});
