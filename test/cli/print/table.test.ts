import { expect, test } from "vitest";

import { createStyle } from "../../../src/cli/print/style.ts";
import { formatTable } from "../../../src/cli/print/table.ts";

/** A table of names and sizes. */
function call(rows: readonly (readonly string[])[], width?: number): string {
  const columns = [
    { title: "NAME", flexible: true },
    { title: "SIZE", align: "right" as const },
  ];
  return formatTable({ columns, rows, width });
}

test("columns are as wide as their widest cell", () => {
  expect(
    call([
      ["alpha", "5"],
      ["b", "1,024"],
    ]),
  ).toBe("NAME    SIZE\nalpha      5\nb      1,024\n");
});

test("without rows the table is empty", () => {
  expect(call([])).toBe("");
});

test("a flexible column gives way to the width", () => {
  expect(call([["a-very-long-name-indeed", "5"]], 20)).toBe(
    "NAME            SIZE\na-very-long-n…     5\n",
  );
});

test("without a width values stay whole", () => {
  expect(call([["n".repeat(300), "5"]])).toContain("n".repeat(300));
});

test("wide characters and colours keep the columns aligned", () => {
  const red = createStyle(true).red("bad");
  const columns = [{ title: "NAME" }, { title: "N" }];
  expect(
    formatTable({
      columns,
      rows: [
        ["日本", "1"],
        ["é", "2"],
        [red, "3"],
      ],
    }),
  ).toBe(`NAME  N\n日本  1\né     2\n${red}   3\n`);
});
