import { expect, test } from "vitest";

import { ValueEnds } from "../../../src/parse/styles/value-end.ts";

function ends(text: string): number | undefined {
  return new ValueEnds(text).ofText(0, '"');
}

test("quotes in code do not end a text", () => {
  expect(ends('a b"')).toBe(3);
  expect(ends('a <%= "b" %>" c')).toBe(12);
  expect(ends('a {{ t("b") }}"')).toBe(14);
  expect(ends('a {on ? "b" : ""}" c')).toBe(17);
  expect(ends("a b")).toBeUndefined();
});

test("brackets in texts do not end brackets", () => {
  expect(new ValueEnds('(a, ")", [b])').ofBracket(0)).toBe(12);
  expect(new ValueEnds("(a").ofBracket(0)).toBeUndefined();
});

test("after many that do not end, none is searched for", () => {
  const all = new ValueEnds(`${"(".repeat(40)}()`);
  for (let at = 0; at < 40; at += 1) all.ofBracket(at);
  expect(all.ofBracket(40)).toBeUndefined();
});
