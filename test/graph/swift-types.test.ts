import { expect, test } from "vitest";

import { scopedFile, symbolRef, type SymbolRef } from "../../src/graph/entity.ts";
import { fitOfLabels, swiftLabels, swiftParameters } from "../../src/graph/swift-types.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

async function functionsIn(text: string): Promise<readonly SymbolRef[]> {
  const reader = await memoryIndex({ "a.swift": text });
  const scope = await reader.scopeOf("a.swift");
  const file = scope && scopedFile(scope);
  return (file?.symbols ?? []).flatMap((_, number) => (file && symbolRef(file, number)) ?? []);
}

function fits(ref: SymbolRef | undefined, labels: string): number | undefined {
  return ref && fitOfLabels(ref, labels);
}

test("parameters are read from their text", async () => {
  const [open] = await functionsIn("func open(_ a: Item, mode b: Int = 1, rest: Tag...) {}\n");
  expect(open && swiftLabels(open)).toBe("_,mode,rest");
  expect(open && swiftParameters(open)).toEqual([
    { label: "_", type: "@Item", isOptional: false, isVariadic: false },
    { label: "mode", type: "@Int", isOptional: true, isVariadic: false },
    { label: "rest", type: "@Tag*", isOptional: false, isVariadic: true },
  ]);
});

test("labels fit exactly, with defaults, or not at all", async () => {
  const [open, run] =
    await functionsIn(`func open(_ a: Item, mode: Int = 1, rest: Tag..., done: () -> Void = {}) {}
func run(first: (() -> Void)? = nil, _ last: () -> Void, also: () -> Void = {}) {}
`);
  expect(fits(open, "_,mode,rest,_,_,&")).toBe(2);
  expect(fits(open, "_,&")).toBe(1);
  expect(fits(open, "_")).toBe(1);
  expect(fits(open, "mode")).toBe(0);
  expect(fits(open, "_,other")).toBe(0);
  expect(fits(run, "&")).toBe(1);
  expect(fits(run, "&,&also")).toBe(1);
  expect(fits(run, "first,_")).toBe(1);
  expect(fits(run, "")).toBe(0);
});
