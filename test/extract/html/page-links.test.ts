import { expect, test } from "vitest";

import { isToOtherPage, onlyLeadsElsewhere } from "../../../src/extract/html/page-links.ts";

test.each([
  ["chapter2.xhtml", true],
  ["../text/ch02.html#part", true],
  ["#note", false],
  ["/index.html", false],
  ["https://example.com/", false],
  ["mailto:one@example.com", false],
  ["", false],
])("a link to %j goes to another page of the book: %s", (href, expected) => {
  expect(isToOtherPage(href)).toBe(expected);
});

test("a text leads elsewhere if more than four fifths of its letters do", () => {
  expect(onlyLeadsElsewhere(81, 100)).toBe(true);
  expect(onlyLeadsElsewhere(80, 100)).toBe(false);
  expect(onlyLeadsElsewhere(0, 0)).toBe(false);
});
