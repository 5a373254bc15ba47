import { expect, it } from "vitest";

import { sections } from "../../chunk/helpers.ts";

it("works are sections with their keys, up to the next work", () => {
  const text = [
    "% A comment",
    '@string{acm = "ACM Press"}',
    "@comment{no, such}",
    "@book{knuth84,",
    "  author = {Knuth},",
    "  note = {mail@example.com},",
    "}",
    "",
    "  @Article ( dijkstra:68 ,",
    "  title = {Go To})",
    "@misc{",
    "  turing36",
    "}",
  ].join("\n");
  expect(sections(text, "bibtex")).toEqual(["2-2 acm*", "4-7 knuth84", "9-10 dijkstra:68"]);
});
