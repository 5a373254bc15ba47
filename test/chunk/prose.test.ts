import { describe, expect, it } from "vitest";

import { isProse } from "../../src/chunk/prose.ts";
import { chunk, LINEAR_TIME, sections } from "./helpers.ts";

const LANGUAGES = ["markdown", "rst", "asciidoc", "org", "tex", "pod"];

describe("prose", () => {
  it("is a text with sections", () => {
    expect(LANGUAGES.every(isProse)).toBe(true);
    expect(isProse("text")).toBe(false);
    expect(isProse(undefined)).toBe(false);
  });
});

/** Texts that are slow for a pattern that starts again at each character, or a block without an end. */
const HOSTILE: Readonly<Record<string, string>> = {
  "long lines of marks": ["=", "-", "*", "#", "[", "\\section{", "<", ".. _", "`", "{", ":"]
    .map((mark) => `${mark.repeat(60_000)}\n`)
    .join("\n"),
  "blanks before the end": `= a${" ".repeat(200_000)}b\n* a${" ".repeat(200_000)}b\n`,
  "short lines of brackets": "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n".repeat(5000),
  "blocks without an end":
    "#+BEGIN_SRC\n----\n```\n\\begin{verbatim}\n.. code-block:: c\n=begin x\n|===\n".repeat(8000),
  "macros without an end": "\\newcommand{\\a}{{{{{{{{{{{{\n".repeat(20_000),
  "titles without an end": "\\section{a{{{{\\b{\\c{\n".repeat(20_000),
  "ever deeper lines": Array.from({ length: 3000 }, (_, at) => `${" ".repeat(at % 300)}a::`).join(
    "\n",
  ),
  "many labels": ".. _a b c:\n[[a]]\n\\label{a}\n<<a>>\n".repeat(25_000),
};

describe.each(LANGUAGES)("the sections of %s", (language) => {
  it.each(Object.keys(HOSTILE))("take linear time in %s", { timeout: LINEAR_TIME }, (name) => {
    expect(() => sections(HOSTILE[name] ?? "", language)).not.toThrow();
  });

  it("take linear time for 100,000 headings", { timeout: LINEAR_TIME }, () => {
    const heading = {
      markdown: "## a\n",
      rst: "aa\n==\n\n",
      asciidoc: "== a\n",
      org: "** a\n",
      tex: "\\section{a}\n",
      pod: "=head1 a\n\n",
    }[language];
    const text = (heading ?? "").repeat(100_000);
    expect(sections(text, language)).toHaveLength(100_000);
  });
});

describe("nested sections", () => {
  it("are siblings from the sixteenth level on", () => {
    const text = Array.from({ length: 40 }, (_, at) => `${"*".repeat(at + 1)} a`).join("\n");
    const indents = sections(text, "org").map((line) => line.search(/\S/) / 2);
    expect(Math.max(...indents)).toBe(15);
    expect(indents).toHaveLength(40);
  });
});

it("puts a heading into the chunk of its first section, even if that is of full size", async () => {
  const lines = Array.from({ length: 58 }, (_, at) => `    code ${at}`).join("\n");
  const text = `# Guide\n\nHello.\n\n## Migrations\n\n### Before\n\n${lines}\n\n### After\n\n${lines}\n`;
  const { chunks } = await chunk("markdown", text);
  expect(chunks.map(({ startLine, endLine, symbol }) => [startLine, endLine, symbol])).toEqual([
    [1, 3, "Guide"],
    [5, 66, "Guide > Migrations"],
    [68, 127, "Guide > Migrations > After"],
  ]);
});
