import { expect, test } from "vitest";

import { nearestPaths } from "../../../src/engine/files/nearest-paths.ts";
import { fileTreeOf } from "../../../src/index/file-tree.ts";

const TREE = fileTreeOf(
  [
    ".env",
    "README.md",
    "auth.go",
    "binding/binding.go",
    "binding/json.go",
    "internal/json/json.go",
    "render/json.go",
    "render/render.go",
    "src/Config.ts",
    "src/app/config-loader.ts",
    "src/deep/down/Config.ts",
    "src/a_b.ts",
    "src/axb.ts",
    "tools/100%.md",
  ].toSorted(),
);

test.each<[path: string, paths: readonly string[]]>([
  // The same name in another folder: the folders that have most in common first.
  ["json.go", ["binding/json.go", "render/json.go", "internal/json/json.go"]],
  ["src/render/json.go", ["render/json.go", "binding/json.go", "internal/json/json.go"]],
  ["internal/json.go", ["internal/json/json.go", "binding/json.go", "render/json.go"]],
  // In any case, before the names that only begin so.
  ["CONFIG.ts", ["src/Config.ts", "src/deep/down/Config.ts", "src/app/config-loader.ts"]],
  // With another extension.
  ["auth.py", ["auth.go"]],
  // Misspelt, the folder too.
  ["bindng/bindng.go", ["binding/binding.go"]],
  ["src/cofnig.ts", ["src/Config.ts", "src/deep/down/Config.ts"]],
  // `_` and `%` mean nothing else.
  ["a_b.ts", ["src/a_b.ts", "src/axb.ts"]],
  ["100%.md", ["tools/100%.md"]],
])("nearest to %s are %j", (path, paths) => {
  expect(nearestPaths(TREE, path, 3)).toEqual({ paths, isAlike: true });
});

test("a path is not its own nearest, although the index has it", () => {
  expect(nearestPaths(TREE, "auth.go", 3)).toEqual({ paths: [], isAlike: false });
  expect(nearestPaths(TREE, "render/json.go", 3).paths).toEqual([
    "binding/json.go",
    "internal/json/json.go",
  ]);
});

test("a short word of a long name is not similar in a file of another kind", () => {
  expect(nearestPaths(TREE, "src/JsonRenderBuilder.py", 3)).toEqual({ paths: [], isAlike: false });
  expect(nearestPaths(TREE, "src/JsonRenderBuilder.go", 3).paths).toContain("render/json.go");
});

test("where no name is similar, files of the same folder and extension are named", () => {
  expect(nearestPaths(TREE, "render/nosuch.go", 3)).toEqual({
    paths: ["render/json.go", "render/render.go"],
    isAlike: false,
  });
  expect(nearestPaths(TREE, "nowhere/zzz.go", 3)).toEqual({ paths: [], isAlike: false });
});

test("files of secrets are not named", () => {
  expect(nearestPaths(TREE, ".env", 3).paths).toEqual([]);
  expect(nearestPaths(TREE, "src/.env", 3).paths).toEqual([]);
});
