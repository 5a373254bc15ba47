import { expect, test } from "vitest";

import { groupLines } from "../../../src/cli/print/line-groups.ts";
import type { TextMatch } from "../../../src/engine/api/search-text.ts";

/** A match on a line with a line of context before and after it. */
function match(path: string, line: number): TextMatch {
  const lines = [line - 1, line, line + 1].map((at) => ({
    line: at,
    text: `text ${at}`,
    isMatch: at === line,
  }));
  return { path, language: "", kind: "code", line, lines, symbol: `in${line}` };
}

/** Each group as `path: 1 2* 3`, with a star after each match. */
function groups(...matches: readonly TextMatch[]): readonly string[] {
  return groupLines(matches).map(
    ({ path, lines }) =>
      `${path}: ${lines.map(({ line, isMatch }) => `${line}${isMatch ? "*" : ""}`).join(" ")}`,
  );
}

test.each<[name: string, matches: readonly TextMatch[], expected: readonly string[]]>([
  ["no match", [], []],
  ["one match", [match("a", 5)], ["a: 4 5* 6"]],
  [
    "lines apart are groups of their own",
    [match("a", 5), match("a", 9)],
    ["a: 4 5* 6", "a: 8 9* 10"],
  ],
  ["adjacent lines are one group", [match("a", 5), match("a", 8)], ["a: 4 5* 6 7 8* 9"]],
  ["overlapping lines are shown once", [match("a", 5), match("a", 6)], ["a: 4 5* 6* 7"]],
  ["another file begins a group", [match("a", 5), match("b", 6)], ["a: 4 5* 6", "b: 5 6* 7"]],
])("%s", (_name, matches, expected) => {
  expect(groups(...matches)).toEqual(expected);
});

test("only the line of a match names its definition", () => {
  const [group] = groupLines([match("a", 5), match("a", 6)]);
  expect(group?.lines.map(({ symbol }) => symbol)).toEqual(["", "in5", "in6", ""]);
});
