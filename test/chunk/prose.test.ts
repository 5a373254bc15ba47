import { describe, expect, it } from "vitest";

import { parseSections } from "../../src/chunk/prose.ts";
import type { Definition } from "../../src/parse/languages/definition-rules.ts";
import { splitLines } from "../../src/parse/text-lines.ts";

/** Returns the headings as `line-line title`, indented by level. */
function headings(text: string, language = "markdown"): string[] {
  const list = (definitions: readonly Definition[], indent: string): string[] =>
    definitions.flatMap(({ startLine, endLine, name, members }) => [
      `${indent}${startLine}-${endLine} ${name}`,
      ...list(members, `${indent}  `),
    ]);
  return list(parseSections(splitLines(text), language).definitions, "");
}

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

describe("headings of other markup", () => {
  it("take their level in reStructuredText from the order of the underlines", () => {
    const text =
      "=====\nTitle\n=====\n\nOne\n---\n\nDeep\n~~~~\n\nTwo\n---\n\n=== ===\na   b\n=== ===\n";
    expect(headings(text, "rst")).toEqual([
      "1-16 Title",
      "  5-9 One",
      "    8-9 Deep",
      "  11-16 Two",
    ]);
  });

  it("are marked by equals signs in AsciiDoc, outside of listings", () => {
    expect(headings("= A\n\n----\n== no\n----\n\n== B\n", "asciidoc")).toEqual([
      "1-7 A",
      "  7-7 B",
    ]);
  });
});
