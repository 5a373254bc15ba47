import { expect, test } from "vitest";

import { listRows, searchScreen } from "../../../src/cli/interactive/search-screen.ts";
import { createStyle } from "../../../src/cli/print/style.ts";
import { displayWidth } from "../../../src/cli/print/width.ts";
import { foundPassage } from "./found-passage.ts";

type State = Parameters<typeof searchScreen>[0];

const EMPTY: State = { query: "", results: [], selected: 0, preview: undefined, status: "Ready." };

function linesOf(state: Partial<State>, columns = 80, rows = 24): readonly string[] {
  const style = createStyle(false);
  const [question, rest] = searchScreen({ ...EMPTY, ...state }, { style, columns, rows });
  return [question, ...rest.split("\n")];
}

test("the window has the query, a status, the results, a preview and the keys", () => {
  const results = [foundPassage("src/a.ts", "open"), foundPassage("src/b.ts")];
  const preview = { startLine: 9, lines: ["function open() {", "\treturn 1;"] };
  expect(linesOf({ query: "op", results, selected: 1, preview, status: "2 results" })).toEqual([
    "> op",
    "2 results",
    "   86  src/a.ts:12  open",
    ">  86  src/b.ts:12",
    "-".repeat(79),
    " 9  function open() {",
    "10      return 1;",
    expect.stringContaining("Esc leave"),
  ]);
});

test.each([
  [80, 24],
  [40, 10],
  [200, 60],
  [12, 5],
])("nothing is wider or higher than a window of %d by %d", (columns, rows) => {
  const results = Array.from({ length: 30 }, (_none, at) =>
    foundPassage(`${"deep/".repeat(40)}${at}.ts`),
  );
  const preview = {
    startLine: 1,
    lines: Array.from({ length: 90 }, () => "漢字 wide ".repeat(50)),
  };
  for (const selected of [0, 15, 29]) {
    const lines = linesOf({ query: "q", results, selected, preview }, columns, rows);
    expect(lines.length).toBeLessThan(rows + 1);
    for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns + 1);
    const isListed = lines.some((line) => line.startsWith("> ") && line !== "> q");
    expect(isListed).toBe(rows > 5);
  }
});

test("names and lines of files control nothing", () => {
  const results = [foundPassage("a\u001b[2J\n\u202e.ts", "b\u0007\rc")];
  const preview = { startLine: 1, lines: ["\u001b]52;c;AAAA\u0007x\ry\u009b5A"] };
  const text = linesOf({ results, preview, status: "s\u001b[1A" }).join("\n");
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(text).toContain("a .ts:12  bc");
});

test("a page is a third of the window", () => {
  expect([listRows(24), listRows(8), listRows(60)]).toEqual([6, 3, 18]);
});

test("words of the query are bold in the preview", () => {
  const preview = { startLine: 1, lines: ["Open the $door, not a window."] };
  const state = { ...EMPTY, query: "open $door( a", preview };
  const [, rest] = searchScreen(state, { style: createStyle(true), columns: 80, rows: 24 });
  const bold = rest.split("\u001b[1m\u001b[33m").slice(1);
  expect(bold.map((text) => text.split("\u001b")[0])).toEqual(["Open", "$door"]);
});
