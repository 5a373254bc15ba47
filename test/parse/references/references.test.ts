import { expect, test } from "vitest";

import { isSheetImport, sheetImport } from "../../../src/parse/references/references.ts";

test("the import of a style sheet passes nothing on, unlike those of code", () => {
  const one = sheetImport("./app.css", 2);
  expect(one).toMatchObject({ module: "./app.css", line: 2, bindings: [], isWildcard: false });
  expect(isSheetImport(one)).toBe(true);
  const bindings = [{ name: "open", local: "" }];
  expect(isSheetImport({ ...one, bindings })).toBe(false);
  expect(isSheetImport({ ...one, isWildcard: true })).toBe(false);
  expect(isSheetImport({ ...one, isReexport: false })).toBe(false);
});
