import { expect, test } from "vitest";

import { definitionsByLine } from "../../../src/parse/symbols/definitions-by-line.ts";

test("the innermost definition around a line, of some kinds", () => {
  const symbol = { name: "", qualifiedName: "", signature: "", nameLine: 1, access: "exported" };
  const symbols = [
    { ...symbol, kind: "class", startLine: 1, endLine: 9 },
    { ...symbol, kind: "function", startLine: 3, endLine: 5 },
    { ...symbol, kind: "constant", startLine: 3, endLine: 5 },
    { ...symbol, kind: "function", startLine: 4, endLine: 4 },
  ] as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const all = symbols as unknown as Parameters<typeof definitionsByLine>[0];
  expect([0, 1, 3, 4, 5, 9, 10].map(definitionsByLine(all))).toEqual([-1, 0, 1, 3, 1, 0, -1]);
  expect(definitionsByLine(all, new Set(["class"]))(4)).toBe(0);
  expect(definitionsByLine([])(1)).toBe(-1);
});
