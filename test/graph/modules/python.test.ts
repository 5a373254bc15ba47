import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

function resolveAll(tree: TestTree, from: string, modules: readonly string[]): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

const PROJECT: TestTree = {
  files: [
    "src/app/__init__.py",
    "src/app/core/__init__.py",
    "src/app/core/io.py",
    "src/app/core/io.pyi",
    "src/app/core/fast.pyx",
    "src/app/types.py",
    "tests/conftest.py",
    "tests/helpers.py",
    "tests/unit/test_a.py",
    "setup.py",
  ],
};

test("absolute imports begin in a folder that is not a package", () => {
  const modules = ["app", "app.core", "app.core.io", "app.core.fast", "app.types.Kind", "helpers"];
  expect(resolveAll(PROJECT, "tests/unit/test_a.py", modules)).toEqual([
    "src/app/__init__.py",
    "src/app/core/__init__.py",
    "src/app/core/io.py + src/app/core/io.pyi",
    "src/app/core/fast.pyx",
    "src/app/types.py #Kind",
    "tests/helpers.py",
  ]);
});

test("relative imports begin at the package", () => {
  const modules = [".", ".io", "..types", "..", "..core.io.Reader", "....none", ".none"];
  expect(resolveAll(PROJECT, "src/app/core/fast.pyx", modules)).toEqual([
    "src/app/core/__init__.py",
    "src/app/core/io.py + src/app/core/io.pyi",
    "src/app/types.py",
    "src/app/__init__.py",
    "src/app/core/io.py + src/app/core/io.pyi #Reader",
    "unknown",
    "unknown",
  ]);
});

test("the standard library is external, even if the project has files with the same names", () => {
  expect(
    resolveAll(PROJECT, "src/app/core/fast.pyx", ["io", "types", "os.path", "numpy.typing"]),
  ).toEqual(["external", "external", "external", "external"]);
});

test("a script finds files in its own folder", () => {
  const tree: TestTree = { files: ["tools/run.py", "tools/types.py", "tools/other.py"] };
  expect(resolveAll(tree, "tools/run.py", ["types", "other"])).toEqual([
    "tools/types.py",
    "tools/other.py",
  ]);
});

test("of several packages with a name the nearest is used, and never a fixture", () => {
  const tree: TestTree = {
    files: [
      "a/lib/common/__init__.py",
      "b/lib/common/__init__.py",
      "b/lib/common/x.py",
      "tests/fixtures/requests/__init__.py",
      "b/main.py",
    ],
  };
  expect(resolveAll(tree, "b/main.py", ["common", "common.x", "requests"])).toEqual([
    "b/lib/common/__init__.py",
    "b/lib/common/x.py",
    "external",
  ]);
  expect(resolveAll(tree, "a/main.py", ["common.x"])).toEqual(["b/lib/common/x.py"]);
});

test("packages without __init__.py are internal, but have no file", () => {
  const tree: TestTree = { files: ["google/cloud/a.py", "main.py", "yaml/readme.md"] };
  expect(
    resolveAll(tree, "main.py", ["google.cloud.a", "google.cloud", "google.api", "yaml"]),
  ).toEqual(["google/cloud/a.py", "unknown", "external", "external"]);
});

test("Bazel labels are resolved to files", () => {
  const tree: TestTree = { files: ["tools/a.bzl", "tools/b.bzl"] };
  const modules = ["//tools:b.bzl", ":b.bzl", "@rules//:c.bzl", ":c.bzl"];
  expect(resolveAll(tree, "tools/a.bzl", modules)).toEqual([
    "tools/b.bzl",
    "tools/b.bzl",
    "external",
    "unknown",
  ]);
});

test("a package is imported by the name of its folder", () => {
  const resolver = resolverOf(PROJECT);
  expect(resolver.lastPartsOf("src/app/core/__init__.py", "python")).toEqual(["core", "."]);
  expect(resolver.lastPartsOf("src/app/core/io.py", "python")).toEqual(["io"]);
});
