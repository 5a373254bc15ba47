import { describe, expect, test } from "vitest";

import { PageNavigation } from "../../../src/parse/sections/page-navigation.ts";

/** The text after the part that begins with the first tag; undefined if the part is text. */
function restOf(page: string): string | undefined {
  const name = /^<\/?(\w+)/u.exec(page)?.[1] ?? "";
  const end = new PageNavigation(page).endOfPart({ name, start: 0, end: page.indexOf(">") + 1 });
  return end === undefined ? undefined : page.slice(end);
}

describe("PageNavigation", () => {
  const links = '<a href="a.html">First steps</a> <a href="#b">Second</a>';
  test.each<[string, string, string | undefined]>([
    ["an element for it", "<nav>any <nav>text</nav></nav>rest", "rest"],
    ["a role", '<div class="related" role="navigation">any</div>rest', "rest"],
    [
      "a class, and most of it in links",
      `<div class="sphinxsidebar">Menu ${links}</div>rest`,
      "rest",
    ],
    ["an id", `<ul id="TOC">${links}<ul></ul></ul >rest`, "rest"],
    ["a part of a class", `<p class="page-nav top">${links}</p>rest`, "rest"],
    [
      "a class, and text",
      `<div class="contents">What the page says is no menu. ${links}</div>rest`,
      undefined,
    ],
    ["links without such a class", `<div class="navy">${links}</div>rest`, undefined],
    ["no end", `<div class="toc">${links}`, undefined],
    ["the end of one", "</nav>text</nav>rest", undefined],
    ["an element that is in a line", `<b class="toc">${links}</b>rest`, undefined],
  ])("%s", (_, page, rest) => {
    expect(restOf(page)).toBe(rest);
  });

  test("a page of menus within menus is read a few times at most", { timeout: 10_000 }, () => {
    const page = '<div class="toc">text'.repeat(30_000);
    const navigation = new PageNavigation(page);
    for (let start = 0; start < page.length; start += 21) {
      expect(navigation.endOfPart({ name: "div", start, end: start + 17 })).toBeUndefined();
    }
  });
});
