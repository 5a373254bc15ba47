import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";

import { proseOfHtml } from "../../../src/parse/sections/html-prose.ts";

function linesOf(page: string): readonly string[] {
  return proseOfHtml(page)
    .split("\n")
    .map((line) => line.replaceAll(/\s+/gu, " ").trim());
}

describe("proseOfHtml", () => {
  test.each<[string, string, readonly string[]]>([
    ["tags are no words", '<p class="note">Set <code>PATH</code>.</p>', ["Set PATH."]],
    ["a word may have tags in it", "<b>w</b>ord<br>next<td>cell</td>", ["word next cell"]],
    ["entities are characters", "caf&eacute; &lt;b&gt; &#65;&#10;&amp;c", ["café <b> A &c"]],
    ["texts of attributes are words", '<img src="a.png" alt="The  harbour">', ["The harbour"]],
    ["scripts and styles have none", "<script>if (a < b) {}</script>x<style>p{}</style>", ["x"]],
    ["comments have none", "<!-- hidden <p> -->shown", ["shown"]],
    ["a sign of less stays", "if a < b, 1 <2", ["if a < b, 1 <2"]],
    ["menus have none", "a<nav>\n<a>one</a>\n</nav>b", ["a", "", "b"]],
    [
      "the title of the window has none if the page has a heading",
      "<title>One\nof Two</title><h1>One</h1><svg><title>Box</title></svg>",
      ["", "One Box"],
    ],
    ["without a heading, it has", "<title>One</title>two", ["One two"]],
    ["lines stay where they are", '<a\n href="x"\n>one</a>\ntwo', ["", "", "one", "two"]],
  ])("%s", (_, page, lines) => {
    expect(linesOf(page)).toEqual(lines);
  });

  it("keeps the number of lines of any text", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "<p>",
      "<!--",
      "-->",
      "\n",
      "&#10;",
      "<script>",
      "<nav>",
      "</nav>",
      "<title>",
      "</title>",
      "<h1>",
      "a ",
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const page = pieces.join("");
        expect(proseOfHtml(page).split("\n").length).toBe(page.split("\n").length);
      }),
    );
  });

  it("reads pages of many scripts", { timeout: 10_000 }, () => {
    expect(proseOfHtml("<script>a</script>b\n".repeat(50_000))).toBe(" b\n".repeat(50_000));
  });

  it("reads pages of tags that do not end", { timeout: 10_000 }, () => {
    const page = `${"<".repeat(100_000)}${"<a ".repeat(100_000)}${"<!--".repeat(50_000)}`;
    expect(proseOfHtml(page)).toContain("<");
    expect(proseOfHtml("<script ".repeat(100_000)).length).toBeGreaterThan(0);
    expect(proseOfHtml("<script></scrip".repeat(20_000)).length).toBeLessThan(1000);
  });
});
