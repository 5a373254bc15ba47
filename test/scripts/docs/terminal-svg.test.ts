import { expect, test } from "vitest";

import { terminalSvg } from "../../../scripts/docs/terminal-svg.ts";

const [BOLD, GREEN, PLAIN_WEIGHT, PLAIN_COLOUR] = [
  "\u001b[1m",
  "\u001b[32m",
  "\u001b[22m",
  "\u001b[39m",
];

/** The content of each line of text in the picture. */
function textsOf(picture: string): readonly string[] {
  return Array.from(picture.matchAll(/<text [^>]*>(.*)<\/text>/g), ([, text = ""]) => text);
}

test("the first line is the command, the others are its output", () => {
  expect(textsOf(terminalSvg("svc status", "one\n\ntwo\n"))).toEqual([
    '<tspan class="dim">$ </tspan><tspan class="bold">svc status</tspan>',
    "one",
    "",
    "two",
  ]);
});

test("text is escaped, in the lines and in the title", () => {
  const picture = terminalSvg("svc grep '<b>'", "if (a && b < c) {}\n");
  expect(textsOf(picture)[1]).toBe("if (a &amp;&amp; b &lt; c) {}");
  expect(picture).toContain("svc grep '&lt;b>' and its output</title>");
});

test("colour codes become styles, also over the end of a line", () => {
  const output = `${BOLD}a${GREEN}b\nc${PLAIN_WEIGHT}d${PLAIN_COLOUR}e\n`;
  expect(textsOf(terminalSvg("svc", output)).slice(1)).toEqual([
    '<tspan class="bold">a</tspan><tspan class="bold green">b</tspan>',
    '<tspan class="bold green">c</tspan><tspan class="green">d</tspan>e',
  ]);
});

test("an escape sequence that is not a colour is refused", () => {
  expect(() => terminalSvg("svc", "\u001b]8;;file:///x\u0007x")).toThrow("escape sequence");
  expect(() => terminalSvg("svc", "\u001b[5mx")).toThrow("unknown colour code 5");
});

test("tabs reach to the next stop, and a line is cut at the width of the screen", () => {
  const [, tabs, whole, long] = textsOf(
    terminalSvg("svc", `ab\tc\n${"x".repeat(100)}\n${"y".repeat(101)}\n`),
  );
  expect(tabs).toBe("ab      c");
  expect(whole).toBe("x".repeat(100));
  expect(long).toBe(`${"y".repeat(99)}…`);
});

test("the same input gives the same picture, with colours for light and dark", () => {
  const picture = terminalSvg("svc", "x\n");
  expect(terminalSvg("svc", "x\n")).toBe(picture);
  expect(picture).toContain("@media (prefers-color-scheme: dark)");
});
