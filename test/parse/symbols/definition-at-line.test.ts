import { expect, test } from "vitest";

import { definitionAtLine } from "../../../src/parse/symbols/definition-at-line.ts";

test("the innermost definition around a line, of some kinds", () => {
  const symbol = { name: "", qualifiedName: "", signature: "", nameLine: 1, access: "exported" };
  const symbols = [
    { ...symbol, kind: "class", startLine: 1, endLine: 9 },
    { ...symbol, kind: "function", startLine: 3, endLine: 5 },
  ] as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const all = symbols as unknown as Parameters<typeof definitionAtLine>[0];
  expect(definitionAtLine(all, 4)).toBe(1);
  expect(definitionAtLine(all, 4, new Set(["class"]))).toBe(0);
  expect(definitionAtLine(all, 10)).toBe(-1);
});
