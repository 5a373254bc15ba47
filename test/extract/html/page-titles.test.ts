import { describe, expect, it } from "vitest";

import { PageTitles, titleLetters } from "../../../src/extract/html/page-titles.ts";

const TITLES = [
  { title: "4. Basics", level: 2 },
  { title: "4.1 “Live”  systems", level: 3 },
];
const ALL = new Set(["4. Basics", "4.1 Live systems", "5. Tools"].map(titleLetters));

describe("PageTitles", () => {
  it("finds the paragraphs that are titles, whatever their quotes and spaces, each once", () => {
    const titles = new PageTitles(TITLES, ALL);
    expect(titles.take("4.1 Live systems")).toBe(3);
    expect(titles.take("4.1 Live systems")).toBeUndefined();
    expect(titles.take("Live systems")).toBeUndefined();
    expect(titles.take("5. Tools")).toBeUndefined();
  });

  it("puts titles below the heading of their page, whose level is that of the page", () => {
    const titles = new PageTitles(TITLES, ALL);
    expect(titles.see("4. Basics", 1)).toBe("here");
    expect(titles.take("4.1 Live systems")).toBe(2);
  });

  it("says where the title of a heading leads to", () => {
    const titles = new PageTitles(TITLES, ALL);
    expect(titles.see("5. Tools", 1)).toBe("elsewhere");
    expect(titles.see("Notes", 1)).toBeUndefined();
  });

  it("finds no title in a page without any, and none without letters", () => {
    expect(new PageTitles([], ALL).take("4. Basics")).toBeUndefined();
    expect(new PageTitles([{ title: "…", level: 1 }], ALL).take("—")).toBeUndefined();
  });
});
