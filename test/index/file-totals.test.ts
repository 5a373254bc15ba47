import * as fc from "fast-check";
import { expect, test } from "vitest";

import { countingFile, mostFrequentFirst, NO_FILES } from "../../src/index/file-totals.ts";
import type { FileState } from "../../src/index/types.ts";

const FILE: FileState = {
  path: "a.ts",
  source: 1,
  size: 10,
  mtimeMs: 0,
  inode: 0,
  hash: "",
  indexedMs: 0,
  language: "typescript",
  role: "code",
  flags: 0,
  stage: "complete",
  skipped: null,
  chunks: 2,
  symbols: 3,
};

const FILES = fc.record(
  {
    stage: fc.constantFrom("listed", "words", "complete"),
    skipped: fc.constantFrom(null, null, "binary", "secret"),
    problem: fc.constantFrom({ reason: "nesting", by: "1" }, { reason: "budget", by: "1" }),
    size: fc.nat(1000),
    chunks: fc.nat(9),
    symbols: fc.nat(9),
  },
  { requiredKeys: ["stage", "skipped", "size", "chunks", "symbols"] },
);

test("a file counts in its stage and its totals, a skipped one only in its reason", () => {
  const indexed = countingFile(NO_FILES, FILE, true, 1);
  expect(indexed).toEqual({
    ...NO_FILES,
    stages: { listed: 0, words: 0, complete: 1 },
    files: 1,
    chunks: 2,
    symbols: 3,
    bytes: 10,
  });
  const skipped = { ...FILE, skipped: "binary", chunks: 0, symbols: 0 } as const;
  expect(countingFile(indexed, skipped, false, 1)).toEqual({ ...indexed, skipped: { binary: 1 } });
});

test("removing files in any order undoes adding them", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(FILES, fc.boolean()), { maxLength: 20 }), (files) => {
      let totals = NO_FILES;
      const states = files.map(([state, hasContent]) => ({
        state: { ...FILE, ...state },
        hasContent,
      }));
      for (const { state, hasContent } of states)
        totals = countingFile(totals, state, hasContent, 1);
      expect(totals.files).toBe(states.filter(({ hasContent }) => hasContent).length);
      for (const { state, hasContent } of states.toReversed()) {
        totals = countingFile(totals, state, hasContent, -1);
      }
      expect(totals).toEqual(NO_FILES);
    }),
  );
});

test("the most frequent reason comes first, equal ones by name", () => {
  expect(Object.keys(mostFrequentFirst({ b: 1, c: 7, a: 1 }))).toEqual(["c", "a", "b"]);
});
