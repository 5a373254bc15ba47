import { expect, test } from "vitest";

import { unpackReferences, type Truth } from "../../../bench/references/truth.ts";
import { wordSearch } from "../../../bench/references/word-search.ts";

test("every line with the word, without the definition", () => {
  const truth: Truth = {
    name: "open",
    kind: "function",
    container: "",
    path: "a.c",
    line: 1,
    column: 5,
    references: unpackReferences({ "a.c": "1:5d 3:1" }),
  };
  const texts = new Map([["a.c", ["int open();", "// open", "open();", "reopen(); open_all();"]]]);

  const { exactRight, exactFalse, missed } = wordSearch(truth, texts);

  expect(exactRight.map(({ line }) => line)).toEqual([3]);
  expect(exactFalse.map(({ line }) => line)).toEqual([2]);
  expect(missed).toEqual([]);
});
