import { expect, test } from "vitest";

import { importer, describeTarget, resolverOf, type TestTree } from "./tree-of.ts";

const TREE: TestTree = {
  files: [
    "main.go",
    "pkg/list/list.go",
    "pkg/list/more.go",
    "pkg/list/list_test.go",
    "tools/gen/gen.go",
    "tools/gen/internal/x.go",
    "third/fork/fork.go",
    "vendor/github.com/a/b/b.go",
  ],
  configs: {
    "go.mod": `module github.com/own/project/v2

go 1.22

require (
	example.com/fork v1.0.0
)

replace (
	example.com/fork v1.0.0 => ./third/fork
	example.com/other => example.com/better v2.0.0
)
`,
    "tools/go.mod": `module "github.com/own/project/v2/tools"\n`,
  },
};

function resolveAll(from: string, modules: readonly string[], tree = TREE): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => describeTarget(resolver, importer(from), module));
}

test("import paths are resolved by go.mod", () => {
  const own = "github.com/own/project/v2";
  const modules = [
    own,
    `${own}/pkg/list`,
    `${own}/tools/gen`,
    "example.com/fork",
    "github.com/a/b",
    `${own}/none`,
  ];
  expect(resolveAll("main.go", modules)).toEqual([
    "[main.go]",
    "[pkg/list/list.go pkg/list/more.go]",
    "[tools/gen/gen.go]",
    "[third/fork/fork.go]",
    "[vendor/github.com/a/b/b.go]",
    "unknown",
  ]);
});

test("a path of no module in the project is external", () => {
  const modules = ["fmt", "net/http", "github.com/own/projectile", "example.com/other", "C"];
  expect(resolveAll("main.go", modules)).toEqual(modules.map(() => "external"));
});

test("a package contains its tests only for tests in the same folder", () => {
  const own = "github.com/own/project/v2/pkg/list";
  expect(resolveAll("pkg/list/list_test.go", [own])).toEqual([
    "[pkg/list/list.go pkg/list/list_test.go pkg/list/more.go]",
  ]);
  expect(resolveAll("main_test.go", [own])).toEqual(["[pkg/list/list.go pkg/list/more.go]"]);
});

test("without go.mod a path is resolved without the repository name", () => {
  const tree: TestTree = { files: ["main.go", "log/log.go", "src/own/util/util.go"] };
  expect(resolveAll("main.go", ["github.com/own/project/log", "own/util", "fmt"], tree)).toEqual([
    "[log/log.go]",
    "[src/own/util/util.go]",
    "external",
  ]);
});

test("a package is imported by its folder name, the root package by its module path", () => {
  const resolver = resolverOf(TREE);
  expect(resolver.lastPartsOf("pkg/list/more.go", "go")).toEqual(["list"]);
  expect(resolver.lastPartsOf("main.go", "go")).toEqual(["project", "v2"]);
});

test("files of a folder see each other, but not their tests; an external test package sees neither", () => {
  const resolver = resolverOf(TREE);
  expect(resolver.siblingsOf(importer("pkg/list/list.go", "list"))).toEqual(["pkg/list/more.go"]);
  expect(resolver.siblingsOf(importer("pkg/list/list_test.go", "list"))).toEqual([
    "pkg/list/list.go",
    "pkg/list/more.go",
  ]);
  expect(resolver.siblingsOf(importer("pkg/list/list_test.go", "list_test"))).toEqual([]);
});
