import { expect, test } from "vitest";

import { blankLinks } from "../../../bench/quality/blank-links.ts";

test("links with a text that is asked are blanked, whatever their marks", () => {
  const markdown = [
    "See [adding it to **your** `config`](./config.md) and [another](a.md).",
    '- [Adding it to your config!](/x "title"){.button}',
    "- [adding [it] to your config](y.md)",
  ].join("\n");
  expect(blankLinks(markdown, ["adding it to your config"])).toBe(
    ["See [link] and [another](a.md).", "- [link]", "- [link]"].join("\n"),
  );
});

test("pictures and plain text stay", () => {
  const markdown = "![read more here](picture.png) read more here [read more](here)";
  expect(blankLinks(markdown, ["read more here"])).toBe(markdown);
});
