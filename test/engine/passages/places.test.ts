import { expect, test } from "vitest";

import type { DocumentText } from "../../../src/base/documents/document.ts";
import {
  joinPlaces,
  spanOf,
  type CurrentText,
  type FoundChunk,
  type PassagePlace,
} from "../../../src/engine/passages/places.ts";
import { readFences } from "../../../src/search/fences.ts";

function fileOf(lines: readonly string[]): CurrentText {
  const current = { lines, sizeBytes: 0, mtimeMs: 0 };
  return { current, lines, isProse: false, fences: readFences(lines), changed: false };
}

function placeIn(file: CurrentText, startLine: number, endLine: number): PassagePlace {
  const chunk = {
    startLine,
    endLine,
    kind: "function",
    symbol: `at${startLine}`,
    names: [],
  } as const;
  const facts = { path: "a.ts", language: "typescript", role: "code", flags: 0 } as const;
  const found: FoundChunk = {
    file: facts,
    chunk,
    score: 1,
    signals: {},
    matches: { words: [], inNames: [], inText: [], inPath: [] },
    copies: [],
    translations: [],
  };
  return { found, file, chunks: [chunk] };
}

/** The passages of these chunks of a file whose line 5 is blank, as "best: lines". */
function call(...chunks: readonly (readonly [number, number])[]): string[] {
  const file = fileOf(["a", "b", "c", "d", "", "f", "g", "h", "i", "j", "k", "l"]);
  const places = joinPlaces(chunks.map(([from, to]) => placeIn(file, from, to)));
  return places.map((place) => {
    const { startLine, endLine } = spanOf(place);
    return `${place.found.chunk.symbol}: ${startLine}-${endLine}`;
  });
}

test("chunks with lines between them are separate passages", () => {
  expect(call([1, 2], [4, 6], [8, 12])).toEqual(["at1: 1-2", "at4: 4-6", "at8: 8-12"]);
});

test("adjacent chunks, or with only blank lines between them, are one passage, named after the best", () => {
  expect(call([3, 4], [1, 2])).toEqual(["at3: 1-4"]);
  expect(call([6, 8], [10, 11], [1, 4])).toEqual(["at6: 1-8", "at10: 10-11"]);
});

test("overlapping chunks are one passage", () => {
  expect(call([1, 8], [2, 3], [8, 9])).toEqual(["at1: 1-9"]);
});

test("a chunk between two others joins them", () => {
  expect(call([10, 12], [1, 4], [6, 9])).toEqual(["at10: 1-12"]);
  expect(call([1, 2], [9, 12], [6, 8], [3, 4])).toEqual(["at1: 1-12"]);
});

test("chunks of different files are never joined", () => {
  const [one, other] = [fileOf(["a", "b"]), fileOf(["a", "b"])];
  expect(joinPlaces([placeIn(one, 1, 1), placeIn(other, 2, 2)])).toHaveLength(2);
});

test("adjacent chunks on different pages of a document are separate passages", () => {
  const file = fileOf(["a", "b", "c", "d"]);
  const document: DocumentText = {
    text: "a\nb\nc\nd",
    unit: "page",
    places: [
      { line: 1, name: "1" },
      { line: 3, name: "2" },
    ],
    headings: [],
    code: [],
  };
  const pages = { ...file, current: { ...file.current, document } };
  const at = (line: number): PassagePlace => ({ ...placeIn(pages, line, line), focus: line });
  const places = joinPlaces([at(3), at(2), at(1), at(4)]);
  expect(places.map(({ chunks }) => chunks.map(({ startLine }) => startLine))).toEqual([
    [3, 4],
    [2, 1],
  ]);
});
