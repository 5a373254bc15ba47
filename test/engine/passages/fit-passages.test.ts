import { expect, test } from "vitest";

import { fitPassages } from "../../../src/engine/passages/fit-passages.ts";
import type { PassagePlace } from "../../../src/engine/passages/places.ts";
import { createTokenizer } from "../../../src/parse/tokenizer.ts";
import { readFences } from "../../../src/search/fences.ts";
import { parseQuery } from "../../../src/search/parse-query.ts";

const LINES = Array.from({ length: 8 }, (_none, at) => `line ${at + 1}`);
const FILE: PassagePlace["file"] = {
  current: { lines: LINES },
  lines: LINES,
  isProse: false,
  fences: readFences(LINES),
  changed: false,
};

function place(startLine: number, endLine: number, score: number): PassagePlace {
  const symbol = `at${startLine}`;
  return {
    found: {
      file: { path: "a.ts", language: "typescript", role: "code", flags: 0 },
      chunk: { startLine, endLine, kind: "function", symbol, names: [] },
      score,
      signals: {},
      matches: { words: ["line"], inNames: [], inText: ["line"], inPath: [] },
      copies: [],
      translations: [],
    },
    file: FILE,
    chunks: [{ startLine, endLine, symbol }],
  };
}

test("a passage of several parts knows where its best part begins, and how relevant that is", () => {
  const [passage] = fitPassages([place(5, 8, 12), place(1, 4, 3)], {
    query: parseQuery("line", createTokenizer(), {}),
    maxTokens: 1000,
    offset: 0,
    confidence: { isWeak: false, ofResult: () => 0.86 },
    topScore: 2,
    showsFullPassages: true,
  });
  expect(passage).toMatchObject({
    startLine: 1,
    bestLine: 5,
    endLine: 8,
    symbol: "at5",
    confidence: 0.86,
    matches: { inText: ["line"] },
  });
});
