import { describe, expect, it } from "vitest";

import { cheapCuts, sections } from "../../chunk/helpers.ts";

const asciidoc = (text: string): string[] => sections(text, "asciidoc");

describe("headings of AsciiDoc", () => {
  it("are marked by equals signs, outside of listings", () => {
    expect(asciidoc("= A\n\n----\n== no\n----\n\n== B\n")).toEqual(["1-7 A", "  7-7 B"]);
  });

  it.each(["----", "....", "====", "****", "____", "++++", "////", "|===", "```", "--"])(
    "are not found in blocks between %s",
    (mark) => {
      const text = `= A\n\n${mark}\n== no\n\n-----\n== no\n${mark}\n\n== B\n`;
      expect(asciidoc(text)).toEqual(["1-10 A", "  10-10 B"]);
    },
  );

  it("are found after a delimiter that is never closed", () => {
    expect(asciidoc("= A\n\n----\n\n== B\n")).toEqual(["1-5 A", "  5-5 B"]);
  });

  it("may be underlined as long as the title", () => {
    const text =
      "NAME\n====\n\nOptions\n-------\n\nPlain text before\n----\n== no\n----\n\nDeep\n~~~~\n";
    expect(asciidoc(text)).toEqual(["1-13 NAME", "  4-13 Options", "    12-13 Deep"]);
  });

  it("lose their markup", () => {
    expect(asciidoc("== The `load` *function*, <<x,see _there_>> link:a[b] ==\n")).toEqual([
      "1-1 The load function, see there b",
    ]);
  });
});

describe("anchors of AsciiDoc", () => {
  it("belong to the section that follows", () => {
    const text =
      "= A\n\n[[first-steps]]\n[role=x]\n== B\n\n[#pool.wide]\n== C\n\n== [[inner]]D\n\nanchor:deep[]text\n";
    expect(asciidoc(text)).toEqual([
      "1-12 A",
      "  3-5 B",
      "    3-3 first-steps*",
      "  7-8 C",
      "    7-7 pool*",
      "  10-12 D",
      "    10-10 inner*",
      "    12-12 deep*",
    ]);
  });
});

describe("blocks of AsciiDoc", () => {
  it("are not cut at their blank lines", () => {
    expect(cheapCuts("a\n\n----\nb\n\nc\n----\n\n|===\n|d\n\n|e\n|===\n\nf", "asciidoc")).toEqual([
      3, 9, 15,
    ]);
  });
});
