import { expect, test } from "vitest";

import { outlineMarkdown } from "../../../src/tools/analysis/outline-markdown.ts";
import type { OutlineResult, OutlineSymbol } from "../../../src/engine/api/outline.ts";

function symbol(signature: string, depth = 0, endLine = 3): OutlineSymbol {
  const name = "open";
  const lines = { startLine: 2, endLine };
  return {
    name,
    qualifiedName: name,
    kind: "function",
    access: "exported",
    signature,
    ...lines,
    depth,
  };
}

function result(outline: OutlineResult["outline"]): OutlineResult {
  return { namespace: "project", generation: 1, outline, building: undefined };
}

test("a folder has its files under the headings of its folders, with their definitions", () => {
  const text = outlineMarkdown(
    result({
      kind: "folder",
      path: "",
      files: 3,
      languages: ["typescript"],
      folders: [
        {
          path: "src",
          files: 2,
          languages: ["typescript"],
          shown: [
            { path: "src/a.ts", language: "typescript", symbols: [symbol("open(): void")] },
            { path: "src/b.ts", language: "typescript", symbols: [] },
          ],
        },
        { path: "", files: 1, languages: [], shown: [{ path: "x", language: "", symbols: [] }] },
      ],
      omitted: { files: 7, folders: 0 },
    }),
  );
  expect(text).toEqual([
    "# project",
    "",
    "3 files: typescript.",
    "",
    "## `src/`",
    "",
    "2 files: typescript.",
    "",
    "- `src/a.ts`",
    "  - `open(): void` 2-3",
    "- `src/b.ts`",
    "",
    "- `x`",
    "",
    "7 more files left out.",
  ]);
});

test("a file has its definitions as a nested list", () => {
  const text = outlineMarkdown(
    result({
      kind: "file",
      path: "src/a.ts",
      language: "typescript",
      lines: 9,
      bytes: 90,
      changed: false,
      symbols: [symbol("class A", 0, 9), symbol("open()", 1, 2)],
      omitted: 0,
    }),
  );
  expect(text).toEqual([
    "# `src/a.ts`",
    "",
    "typescript, 9 lines.",
    "",
    "- `class A` 2-9",
    "  - `open()` 2",
  ]);
});

test("names of a tree cannot end the code", () => {
  const text = outlineMarkdown(
    result({
      kind: "file",
      path: "a`b.md",
      language: "",
      lines: 1,
      bytes: 1,
      changed: false,
      symbols: [symbol("``x`` y")],
      omitted: 0,
    }),
  );
  expect(text).toContain("# `` a`b.md ``");
  expect(text).toContain("- ``` ``x`` y ``` 2-3");
});
