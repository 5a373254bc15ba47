import { expect, test } from "vitest";

import { stemsOf } from "../../src/web/query-words.ts";
import { passageResult, symbolResult, textResult } from "../../src/web/shown-result.ts";

const PASSAGE = {
  path: "src/tide.ts",
  start_line: 10,
  end_line: 12,
  language: "typescript",
  kind: "code",
  symbol: "Tide.turn",
  score: 7.25,
  confidence: 0.87,
  text: "a();\nturnTheTide();\n",
  changed: true,
} as const;

test("a passage opens at the first line with a word of the query", () => {
  const shown = passageResult(PASSAGE, "project", stemsOf("turn"));
  expect(shown).toMatchObject({
    start: 10,
    end: 12,
    target: 11,
    isChanged: true,
    namespace: "project",
  });
  expect(shown.facts).toEqual(["code", "typescript", "87 %"]);
  expect(passageResult({ ...PASSAGE, namespace: "other" }, "*", stemsOf("x")).namespace).toBe(
    "other",
  );
  const empty = passageResult({ ...PASSAGE, text: "" }, "project", stemsOf("turn"));
  expect([empty.lines, empty.note]).toEqual([[], "The lines are too long to show here."]);
});

test("a passage has the files that are folded into it", () => {
  const folded = { copies: ["dist/tide.js"], translations: ["de/tide.md", "fr/tide.md"] };
  expect(passageResult({ ...PASSAGE, ...folded }, "project", stemsOf("turn")).folded).toEqual([
    { title: "+ 1 copy", paths: folded.copies },
    { title: "+ 2 translations", paths: folded.translations },
  ]);
  expect(passageResult(PASSAGE, "project", stemsOf("turn")).folded).toEqual([]);
});

test("lines of matches near each other are shown once, and the later ones on request", () => {
  const matches = Array.from({ length: 14 }, (_, at) => {
    const line = (at + 1) * 2;
    const around = [line - 1, line, line + 1];
    const lines = around.map((one) => ({ line: one, text: `l${one}`, match: one === line }));
    return { path: "a.go", language: "go", kind: "code", line, symbol: "", lines } as const;
  });
  const shown = textResult(matches, "project", (line) => [{ start: 0, end: line.length }]);
  expect(shown.facts).toEqual(["14 lines", "code", "go"]);
  expect(shown.lines.map(({ number }) => number)).toEqual(
    Array.from({ length: 29 }, (_, at) => at + 1),
  );
  expect(shown.lines.filter(({ isPreview }) => !isPreview).map(({ number }) => number)).toEqual([
    26, 27, 28, 29,
  ]);
  const marked = shown.lines.filter(({ line }) => line.some(({ isMarked }) => isMarked));
  expect(marked.map(({ number }) => number)).toEqual(matches.map(({ line }) => line));
});

test("a definition has its signature as its line", () => {
  const found = {
    path: "a.go",
    start_line: 3,
    end_line: 9,
    name_line: 5,
    name: "Run",
    symbol: "T.Run",
    kind: "method",
    language: "go",
    signature: "func (t T) Run()",
    doc: "Run runs.",
    used_in_files: 1,
  };
  const shown = symbolResult(found, "project");
  expect(shown).toMatchObject({ target: 5, symbol: "T.Run", note: "Run runs." });
  expect(shown.facts).toEqual(["method", "go", "used in 1 file"]);
  expect(shown.lines).toMatchObject([{ number: 5, isPreview: true }]);
});
