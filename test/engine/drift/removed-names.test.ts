import { expect, test } from "vitest";

import { definesNames, removedIn } from "../../../src/engine/drift/removed-names.ts";
import type { FilePatch } from "../../../src/sources/patch-text.ts";

function patch(path: string, lines: readonly string[], more: Partial<FilePatch> = {}): FilePatch {
  const counts = { oldStart: 1, oldCount: 1, newStart: 1, newCount: 1, section: "" };
  return { path, oldPath: path, hunks: [{ ...counts, lines }], ...more };
}

/** `key` or `key -> new name`. */
function removed(...files: readonly FilePatch[]): readonly string[] {
  return removedIn(files).map(({ key, became }) => (became === "" ? key : `${key} -> ${became}`));
}

test("a removed definition is gone, unless the commit adds the name elsewhere", () => {
  const gone = patch("src/a.py", ["-def read_blobs():", "-    return 1"]);
  expect(removed(gone)).toEqual(["read_blobs"]);
  expect(removed(gone, patch("src/b.py", ["+def read_blobs():"]))).toEqual([]);
  expect(removed(gone, patch("docs/a.md", ["+`read_blobs`"]))).toEqual(["read_blobs"]);
});

test("a line that differs only in the name shows what it became", () => {
  expect(
    removed(patch("src/a.ts", ["-export function readAll(a) {", "+export function readEach(a) {"])),
  ).toEqual(["readAll -> readEach"]);
  expect(removed(patch("src/a.py", ['-    add("--dry-run")', '+    add("--pretend")']))).toEqual([
    "--dry-run -> --pretend",
  ]);
});

test("files that are removed or renamed are paths", () => {
  const deleted = patch("", [], { path: undefined, oldPath: "src/old.ts" });
  const renamed = patch("", [], {
    path: undefined,
    oldPath: undefined,
    renamed: { from: "a.ts", to: "b.ts" },
  });
  expect(removed(deleted, renamed)).toEqual(["/src/old.ts", "/a.ts -> b.ts"]);
});

test("a commit that changes a dependency, or imports all of a module, may have moved its names there", () => {
  const gone = patch("src/a.py", ["-def read_blobs():"]);
  const certainty = (...lines: readonly string[]): string | undefined =>
    removedIn([gone, patch("setup.py", lines)])[0]?.certainty;
  expect(certainty("+    'parsel>=0.9.3',")).toBe("moved");
  expect(certainty("-version = '1.0'", "+version = '1.0.1'")).toBe("sure");
  expect(removedIn([gone, patch("src/b.py", ["+from parsel import *"])])[0]?.certainty).toBe(
    "moved",
  );
});

test.each([
  "tests/a.py",
  "docs/conf.py",
  "examples/a.py",
  "vendor/a.go",
  "README.md",
  "a.json",
  ".env",
])("%s defines nothing of the program", (path) => {
  expect(definesNames(path)).toBe(false);
});

test("sources of the program define its names", () => {
  expect(["src/a.py", "lib/b.js", "main.go"].every(definesNames)).toBe(true);
});
