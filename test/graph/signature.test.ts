import { expect, test } from "vitest";

import { parameterTexts, resultText, typeTextOf } from "../../src/graph/signature.ts";

test("a signature has parameters and a result", () => {
  expect(parameterTexts("(String,int[]=,Object...)List")).toEqual([
    "String",
    "int[]=",
    "Object...",
  ]);
  expect(parameterTexts("()")).toEqual([]);
  expect(parameterTexts("List")).toBeUndefined();
  expect(parameterTexts(undefined)).toBeUndefined();
  expect(resultText("(String)List")).toBe("List");
  expect(resultText("List")).toBe("List");
});

test("a type has no marks", () => {
  expect(["int=", "Object...", "int[]=...", "String"].map(typeTextOf)).toEqual([
    "int",
    "Object",
    "int[]",
    "String",
  ]);
});
