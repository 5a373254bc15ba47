import { hostname } from "node:os";

import { expect, test } from "vitest";

import { linked } from "../../../src/cli/print/link.ts";
import { displayWidth } from "../../../src/cli/print/width.ts";

test("a path links to its file on this host, and takes no more cells", () => {
  const shown = linked({ hyperlinks: true }, "a b.ts:3", "/src/a b.ts");
  expect(shown).toBe(
    `\u001b]8;;file://${hostname()}/src/a%20b.ts\u001b\\a b.ts:3\u001b]8;;\u001b\\`,
  );
  expect(displayWidth(shown)).toBe("a b.ts:3".length);
});

test("a file name can neither end the link nor begin a sequence", () => {
  const shown = linked({ hyperlinks: true }, "x", "/a\u001b\\\u0007b;c\n");
  expect(shown.split("\u001b")).toHaveLength(5);
  expect(shown).toContain("/a%1B%5C%07b%3Bc%0A");
});

test("without links, or without a file, the text does not change", () => {
  expect(linked({ hyperlinks: false }, "x", "/x")).toBe("x");
  expect(linked({ hyperlinks: true }, "x")).toBe("x");
  expect(linked({ hyperlinks: true }, "x", "/\ud800")).toBe("x");
});
