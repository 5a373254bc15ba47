import { expect, test } from "vitest";

import { isTypeTest, parseNarrowing } from "../../src/graph/narrowing.ts";

test("a step says what a condition tells of a value", () => {
  expect(parseNarrowing("kind=circle|=Kind:Disk")).toEqual({
    is: "equal",
    member: "kind",
    values: ["circle", "=Kind:Disk"],
    isTrue: true,
  });
  expect(parseNarrowing("kind~=true")).toMatchObject({ values: ["=true"], isTrue: false });
  expect(parseNarrowing(".radius")).toEqual({ is: "having", member: "radius" });
  expect(parseNarrowing("@A|#3")).toEqual({ is: "instance", types: ["@A", "#3"], isTrue: true });
  expect(parseNarrowing("-%isOpen")).toEqual({ is: "tested", guard: "isOpen", isTrue: false });
});

test("only a positive test of a type tells it by itself", () => {
  const texts = ["@A", "%isOpen", "-@A", ".radius", "kind=circle"];
  const steps = texts.map((text) => ({ kind: "narrowed", condition: parseNarrowing(text) }));
  expect(steps.map(isTypeTest)).toEqual([true, true, false, false, false]);
  expect(isTypeTest({ kind: "element" })).toBe(false);
});
