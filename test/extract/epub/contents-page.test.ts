import { describe, expect, it } from "vitest";

import { isContentsPage } from "../../../src/extract/epub/contents-page.ts";

const page = (link: string, count: number, text = ""): string =>
  `<html><head><title>A title of some length</title></head><body>${`<p>1. <a href="${link}">First steps</a></p>`.repeat(count)}${text}</body></html>`;

describe("isContentsPage", () => {
  it("is true for a page that only leads to others", () => {
    expect(isContentsPage(page("a.xhtml#x", 10))).toBe(true);
    expect(isContentsPage(page("a.xhtml#x", 10, "<p>Contents</p>"))).toBe(true);
  });

  it("is false for a page with text, few links, or links to itself or the web", () => {
    expect(isContentsPage(page("a.xhtml#x", 9))).toBe(false);
    expect(isContentsPage(page("a.xhtml", 10, `<p>${"Text of the page. ".repeat(5)}</p>`))).toBe(
      false,
    );
    expect(isContentsPage(page("#x", 10))).toBe(false);
    expect(isContentsPage(page("https://example.org/", 10))).toBe(false);
  });
});
