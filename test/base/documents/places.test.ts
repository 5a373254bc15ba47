import { describe, expect, it, test } from "vitest";

import type { DocumentText, PlaceStart, PlaceUnit } from "../../../src/base/documents/document.ts";
import {
  areInSamePart,
  documentPlace,
  linesInPart,
  linesOfPlace,
  locationText,
  placeOfLines,
} from "../../../src/base/documents/places.ts";

function parts(unit: PlaceUnit, places: readonly PlaceStart[]): DocumentText {
  return { text: "", unit, places, headings: [], code: [] };
}

const PAGES = parts("page", [
  { line: 1, name: "1" },
  { line: 40, name: "2" },
  { line: 90, name: "4" },
]);
const CELLS = parts("cell", [
  { line: 1, name: "1", firstNumber: 1 },
  { line: 10, name: "2", firstNumber: 1 },
]);
const SHEETS = parts("sheet", [
  { line: 1, name: "Costs", firstNumber: 1 },
  { line: 5, name: "Costs", firstNumber: 100 },
  { line: 9, name: "A-B", firstNumber: 1 },
]);
const SECTIONS = parts("section", [
  { line: 3, name: "install" },
  { line: 8, name: "first-steps" },
]);

describe("a place in a document", () => {
  const LINES = 100;

  test.each<[string, DocumentText, [number, number], string | undefined]>([
    ["a page", PAGES, [5, 9], ":p1"],
    ["several pages", PAGES, [30, 95], ":p1-4"],
    ["lines of a cell", CELLS, [13, 18], ":cell 2:4-9"],
    ["one line of a cell", CELLS, [10, 10], ":cell 2:1"],
    ["several cells", CELLS, [3, 11], ":cell 1-2"],
    ["rows of a sheet", SHEETS, [2, 3], ":sheet Costs:2-3"],
    ["rows before and after a gap", SHEETS, [4, 6], ":sheet Costs:4-101"],
    ["a section, where it begins", SECTIONS, [4, 20], "#install"],
    ["lines before the first section", SECTIONS, [1, 2], undefined],
  ])("%s has a name", (_, document, [startLine, endLine], expected) => {
    expect(placeOfLines(document, { startLine, endLine })).toBe(expected);
  });

  test.each<[DocumentText, string, [number, number] | undefined]>([
    [PAGES, ":p2", [40, 89]],
    [PAGES, ":p1-2", [1, 89]],
    [PAGES, ":p4", [90, 100]],
    [PAGES, ":p3", undefined],
    [PAGES, ":12", undefined],
    [PAGES, "#install", undefined],
    [CELLS, ":cell 2", [10, 100]],
    [CELLS, ":cell 2:4-9", [13, 18]],
    [CELLS, ":cell 1:4-900", [4, 9]],
    [CELLS, ":cell 1:400", undefined],
    [CELLS, ":cell 2-1", undefined],
    [SHEETS, ":sheet Costs", [1, 8]],
    [SHEETS, ":sheet A-B", [9, 100]],
    [SHEETS, ":sheet Costs:101-102", [6, 7]],
    [SHEETS, ":sheet Costs:3-101", [3, 6]],
    [SECTIONS, "#install", [3, 7]],
    [SECTIONS, "#first-steps", [8, 100]],
  ])("%# is found by its name %s", (document, place, expected) => {
    const lines = linesOfPlace(document, place, LINES);
    expect(lines && [lines.startLine, lines.endLine]).toEqual(expected);
  });

  it("is the same for two lines if no part begins between them, or one of the same name", () => {
    expect(areInSamePart(PAGES, 1, 39)).toBe(true);
    expect(areInSamePart(PAGES, 39, 40)).toBe(false);
    expect(areInSamePart(parts("page", []), 1, 90)).toBe(true);
    const sheet = parts("sheet", [
      { line: 1, name: "Costs", firstNumber: 1 },
      { line: 5, name: "Costs", firstNumber: 40 },
    ]);
    expect(areInSamePart(sheet, 2, 6)).toBe(true);
  });

  it("of a line in a range has the other lines of the range in its part", () => {
    const range = { startLine: 30, endLine: 95 };
    expect(linesInPart(PAGES, range, 35)).toEqual({ startLine: 30, endLine: 39 });
    expect(linesInPart(PAGES, range, 50)).toEqual({ startLine: 40, endLine: 89 });
    expect(linesInPart(PAGES, range, 95)).toEqual({ startLine: 90, endLine: 95 });
    expect(linesInPart(parts("page", []), range, 35)).toEqual(range);
  });

  it("is part of the path of the document, and files of other kinds have none", () => {
    const lines = { startLine: 5, endLine: 9 };
    expect(documentPlace("a.pdf", PAGES, lines)).toBe("a.pdf:p1");
    expect(documentPlace("a.ts", undefined, lines)).toBeUndefined();
  });

  it("is shown with its lines, unless it has numbers of lines itself", () => {
    const lines = { startLine: 5, endLine: 9 };
    expect(locationText({ path: "a.ts", ...lines })).toBe("a.ts:5-9");
    expect(locationText({ path: "a.pdf", place: "a.pdf:p1", ...lines })).toBe(
      "a.pdf:p1 (lines 5-9)",
    );
    expect(locationText({ path: "a.ipynb", place: "a.ipynb:cell 2:4-9", ...lines })).toBe(
      "a.ipynb:cell 2:4-9",
    );
    expect(locationText({ path: "a.ipynb", place: "a.ipynb:cell 1-2", ...lines })).toBe(
      "a.ipynb:cell 1-2 (lines 5-9)",
    );
  });
});
