import { expect, test } from "vitest";

import { withFoldedTypeLists } from "../../../src/parse/symbols/type-lists.ts";

function folded(text: string): string {
  return withFoldedTypeLists(text.split("\n")).join("\n");
}

test("A list of types on lines of its own becomes one mark", () => {
  expect(folded("open<\n  T,\n\n  U,\n>(a: T)\nnext")).toBe("open<…>(a: T)\nnext");
  expect(folded("  a: Map<\n    K,\n    V\n  >, b: Set<\n    K\n  >,")).toBe(
    "  a: Map<…>, b: Set<…>,",
  );
});

test("A comparison, a list that does not close and a shift are left as they are", () => {
  for (const text of ["if (a <\n  b) {\n}", "open<\n  T,\n", "cout<<\n  a", "a<\nb\n>c"]) {
    expect(folded(text)).toBe(text);
  }
});

test("A list of more lines than a formatter writes is left as it is", () => {
  const text = `open<\n${"  T,\n".repeat(60)}>(a: T)`;
  expect(folded(text)).toBe(text);
});
