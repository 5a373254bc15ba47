import { describe, expect, it } from "vitest";

import { sections } from "../../chunk/helpers.ts";

const headings = (text: string): string[] => sections(text, "markdown");

describe("headings of Markdown", () => {
  it("nest by level, also when levels are left out", () => {
    expect(headings("# A\n### B\n## C\n# D\n")).toEqual(["1-3 A", "  2-2 B", "  3-3 C", "4-4 D"]);
  });

  it("are not found in code blocks", () => {
    const text = "# A\n```sh\n# no\n~~~\n# no\n```\n# B\n~~~~\n```\n# no\n~~~\n~~~~\n# C\n";
    expect(headings(text)).toEqual(["1-6 A", "7-12 B", "13-13 C"]);
  });

  it("are not found in front matter", () => {
    expect(headings("---\ntitle: x\n# no\n---\n# A\n")).toEqual(["5-5 A"]);
  });

  it("may be underlined, unlike tables, lists and rules", () => {
    const text = "A\n===\n\nB\n---\n\ntext\n\n---\n\n- item\n---\n\n| a |\n---\n";
    expect(headings(text)).toEqual(["1-15 A", "  4-15 B"]);
  });

  it("lose the markup of links, code and anchors", () => {
    expect(headings("## The [`load`](x.md) **function** <a name='x'></a> ## {#load}\n")).toEqual([
      "1-1 The load function",
    ]);
    expect(
      headings(
        "## Load { #load .wide }\n\n## Store {: #store }\n\n## Use {braces}\n\n## Your first step {/*your-first-step*/}\n",
      ),
    ).toEqual(["1-1 Load", "3-3 Store", "5-5 Use {braces}", "7-7 Your first step"]);
    expect(headings("## Closed ##\n")).toEqual(["1-1 Closed"]);
  });

  it("need a space after the number signs", () => {
    expect(headings("#no\n#!/bin/sh\n####### no\n")).toEqual([]);
  });
});
