import { expect, test } from "vitest";

import type { Passage, SearchResult } from "../../../src/engine/api/search.ts";
import { createMemoryIo } from "../../../src/cli/io.ts";
import { printPassages } from "../../../src/cli/print/passages.ts";
import { createStyle } from "../../../src/cli/print/style.ts";

const OPTIONS = { explain: false, full: false, style: createStyle(false), fileOf: () => undefined };

function passage(path: string, text: string): Passage {
  return {
    path,
    startLine: 1,
    endLine: 9,
    bestLine: 1,
    language: "typescript",
    kind: "code",
    symbol: "open",
    score: 12,
    confidence: 0.86,
    signals: {},
    matches: { words: ["open"], inNames: ["open"], inText: [], inPath: [] },
    text,
    changed: false,
    copies: [],
    translations: [],
  };
}

function result(of: Partial<SearchResult>): SearchResult {
  return {
    namespace: "project",
    generation: 1,
    passages: [passage("a.ts", "one\ntwo")],
    nextCursor: undefined,
    confidence: 0.9,
    isWeak: false,
    isUnsure: false,
    corrections: [],
    rerankFailure: undefined,
    partial: [],
    building: undefined,
    tookMs: 1,
    ...of,
  };
}

test("a passage is its location and its lines", () => {
  const io = createMemoryIo();
  printPassages(io, result({}), { ...OPTIONS, explain: true });
  expect(io.stdout()).toBe("a.ts:1-9  open\n  relevance 86: its names have open\n  one\n  two\n");
});

test("a location says what is folded into the result", () => {
  const io = createMemoryIo();
  const found = { ...passage("a.ts", ""), copies: ["b.ts"], translations: ["c.md", "d.md"] };
  printPassages(io, result({ passages: [found] }), OPTIONS);
  expect(io.stdout()).toBe("a.ts:1-9  open  + 1 copy, 2 translations\n");
});

test("notes are messages: no result, weak results, corrected words", () => {
  const io = createMemoryIo();
  printPassages(io, result({ passages: [] }), OPTIONS);
  const weak = { confidence: 0.04, isWeak: true, isUnsure: true };
  printPassages(io, result({ ...weak, corrections: [{ from: "opne", to: "open" }] }), OPTIONS);
  printPassages(io, result({ confidence: 0.27, isUnsure: true }), OPTIONS);
  expect(io.stderr()).toContain('No results in "project".');
  expect(io.stderr()).toContain("No good match (confidence 4 %); nearest results:\n");
  expect(io.stderr()).toContain("opne");
  expect(io.stderr()).toMatch(
    /\nLow confidence \(27 %\): other words, or svc grep, may find more.\n$/,
  );
});

test("on a terminal the rest of the results has no lines, and --full shows them", () => {
  const lines = Array.from({ length: 12 }, (_none, at) => `line ${at}`).join("\n");
  const passages = ["a.ts", "b.ts", "c.ts"].map((path) => passage(path, lines));
  const size = { isTerminal: true, columns: 40, rows: 12 };
  const io = createMemoryIo(size);
  printPassages(io, result({ passages }), OPTIONS);
  expect(io.stdout().split("\n").length).toBeLessThanOrEqual(12);
  expect(io.stderr()).toBe("--full shows every line.\n");
  const full = createMemoryIo(size);
  printPassages(full, result({ passages }), { ...OPTIONS, full: true });
  expect(full.stdout().split("\n")).toHaveLength(40);
});
