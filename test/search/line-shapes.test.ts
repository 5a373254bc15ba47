import { expect, test } from "vitest";

import { readFences } from "../../src/search/fences.ts";
import { lineShapes } from "../../src/search/line-shapes.ts";

/** Of each line: its indentation, then B(lank), H(eading), F(ence opening) and C(ontinuation). */
function shapes(lines: readonly string[], isProse = false, startLine = 1): string[] {
  const fences = readFences(lines);
  return lineShapes(lines, { startLine, isProse, fences }).map(
    ({ indent, isBlank, isHeading, opensFence, isContinuation }) =>
      `${indent}${isBlank ? "B" : ""}${isHeading ? "H" : ""}${opensFence ? "F" : ""}${isContinuation ? "C" : ""}`,
  );
}

test("an excerpt of code begins neither with the end of a block nor within a comment", () => {
  const lines = [
    "if (a) {",
    "\tb();",
    "} else {",
    "    c();",
    "  }",
    "",
    "// one",
    "// two",
    "d();",
  ];
  expect(shapes(lines)).toEqual(["0", "4", "0C", "4", "2C", "0B", "0", "0C", "0"]);
});

test("headings of prose are underlined, or begin with their sign; code in a fence has none", () => {
  const lines = ["# One", "text", "Two", "===", "```sh", "# no heading", "```", "= Three"];
  expect(shapes(lines, true)).toEqual(["0H", "0", "0H", "0", "0F", "0C", "0C", "0H"]);
});

test("outside of prose there are no headings", () => {
  expect(shapes(["# One", "x = 1"])).toEqual(["0", "0"]);
});
