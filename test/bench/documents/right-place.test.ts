import { expect, test } from "vitest";

import {
  htmlHeadings,
  isRightPlace,
  type DocumentResult,
} from "../../../bench/documents/right-place.ts";
import type { DocumentQuestion } from "../../../bench/documents/questions.ts";

const NO_HEADINGS = () => undefined;

function question(document: string, answers: Partial<DocumentQuestion>): DocumentQuestion {
  return { document, question: "?", ...answers };
}

function result(path: string, part: string, more: Partial<DocumentResult> = {}): DocumentResult {
  return { path, place: path + part, start_line: 1, end_line: 9, text: "a\nb", ...more };
}

function passage(text: string): DocumentResult {
  return result("a.html", "#other", { text });
}

function at(start_line: number): DocumentResult {
  return { path: "a.html", start_line, end_line: start_line, text: "" };
}

test.each([
  [":p12", true],
  [":p11-12", true],
  [":p8-12", true],
  [":p7-12", false],
  [":p1", false],
  [":p120", false],
  ["", false],
])("page 12 and %j", (part, isRight) => {
  const asked = question("a.pdf", { pages: [12] });
  expect(isRightPlace(asked, result("a.pdf", part), NO_HEADINGS)).toBe(isRight);
});

test("another document is never right", () => {
  const asked = question("a.pdf", { pages: [12], text: ["b"] });
  expect(isRightPlace(asked, result("b.pdf", ":p12"), NO_HEADINGS)).toBe(false);
});

test.each<[Partial<DocumentQuestion>, string, boolean]>([
  [{ slides: [3] }, ":slide 3", true],
  [{ slides: [3] }, ":slide 4-6", false],
  [{ cells: [7] }, ":cell 7:4-9", true],
  [{ cells: [7] }, ":cell 6-8", true],
  [{ cells: [7] }, ":cell 70", false],
  [{ sheet: "Costs" }, ":sheet Costs:1-3", true],
  [{ sheet: "Costs", rows: [5, 6] }, ":sheet Costs:6-90", true],
  [{ sheet: "Costs", rows: [5, 6] }, ":sheet Costs:7", false],
  [{ sheet: "Costs", rows: [5, 6] }, ":sheet Costs of May:5", false],
  [{ headings: ["3.2. First Steps!"] }, "#32-first-steps", true],
  [{ headings: ["3.2. First Steps!"] }, "#32-first-steps-4", true],
  [{ headings: ["3.2. First Steps!"] }, "#first", false],
])("%j and %j", (answers, part, isRight) => {
  const asked = question("a.x", answers);
  expect(isRightPlace(asked, result("a.x", part), NO_HEADINGS)).toBe(isRight);
});

test("a passage that has the heading or the text is right", () => {
  const asked = question("a.html", { headings: ["Job Control"], text: ["Stops the job"] });
  expect(isRightPlace(asked, passage("x\n<h2>Job control</h2>\ny"), NO_HEADINGS)).toBe(true);
  expect(isRightPlace(asked, passage("it <b>stops</b>\n the job &amp; waits"), NO_HEADINGS)).toBe(
    true,
  );
  expect(isRightPlace(asked, passage("see job control below"), NO_HEADINGS)).toBe(false);
});

test("a heading of an HTML file ends before the next one", () => {
  const lines = htmlHeadings("<p>\n<h1 id='a'>One &amp;\n two</h1>\nx\n<h3>Three</h3>\ny\n");
  expect(lines("One & two")).toEqual([2, 4]);
  expect(lines("Three")).toEqual([5, 7]);
  expect(lines("Four")).toBeUndefined();
  const asked = question("a.html", { headings: ["Three"] });
  expect(isRightPlace(asked, at(6), lines)).toBe(true);
  expect(isRightPlace(asked, at(4), lines)).toBe(false);
});
