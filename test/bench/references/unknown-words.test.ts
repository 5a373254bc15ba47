import { expect, test } from "vitest";

import { unknownWords } from "../../../bench/references/unknown-words.ts";

const LEGEND = {
  tokenTypes: ["function", "unknown", "comment"],
  tokenModifiers: ["declaration", "dependentName"],
};

test("words without a meaning, once a line, and places that depend on a template parameter", () => {
  const text = `#include "run.h"
run(); run(); // run
open(); close();
void run();
template class run<int>;
skipped run
`;
  const tokens = [
    // `open` is known, `close` depends on a parameter.
    [2, 0, 4, 0, 0],
    [0, 8, 5, 0, 2],
    [1, 5, 3, 0, 1],
    [1, 15, 3, 0, 0],
    [1, 0, 11, 2, 0],
  ];
  const { words, dependent } = unknownWords(text, tokens.flat(), LEGEND);
  expect(words.get("run")).toEqual([
    { line: 2, column: 1 },
    { line: 5, column: 16 },
    { line: 6, column: 9 },
  ]);
  expect(words.get("open")).toBeUndefined();
  expect(words.get("close")).toEqual([{ line: 3, column: 9 }]);
  expect([...dependent]).toEqual(["3:9"]);
});
