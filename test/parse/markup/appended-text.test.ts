import { expect, test } from "vitest";

import { AppendedText, sourcePart } from "../../../src/parse/markup/appended-text.ts";

test("what is copied has its place, and what is added has none", () => {
  const out = new AppendedText();
  out.add("if (");
  out.copy({ text: "isOpen", at: 40 });
  out.add(") ");
  out.copy({ text: "ArticleCard", at: 90 });
  expect(out.toString()).toBe("if (isOpen) ArticleCard");
  expect([0, 4, 9, 10, 12, 13, 22, 23].map((offset) => out.originOf(offset))).toEqual([
    -1, 40, 45, -1, 90, 91, 100, -1,
  ]);
});

test("code can be cut back to a place", () => {
  const out = new AppendedText();
  out.copy({ text: "a", at: 1 });
  const mark = out.mark();
  out.copy({ text: "b", at: 2 });
  out.cutBack(mark);
  out.add(";");
  expect(out.toString()).toBe("a;");
  expect(out.length).toBe(2);
  expect(out.originOf(1)).toBe(-1);
});

test("a part of a part has its own place", () => {
  expect(sourcePart({ text: "item in items", at: 10 }, 8, 13)).toEqual({ text: "items", at: 18 });
});
