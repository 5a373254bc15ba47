import { expect, test } from "vitest";

import { importer, meaning, resolverOf, type TestTree } from "./tree-of.ts";

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

function ask(from: string, modules: readonly string[], tree = TREE): readonly string[] {
  const resolver = resolverOf(tree);
  return modules.map((module) => meaning(resolver, importer(from), module));
}

test("a path leads to the folder that go.mod says", () => {
  const own = "github.com/own/project/v2";
  const modules = [
    own,
    `${own}/pkg/list`,
    `${own}/tools/gen`,
    "example.com/fork",
    "github.com/a/b",
    `${own}/none`,
  ];
  expect(ask("main.go", modules)).toEqual([
    "[main.go]",
    "[pkg/list/list.go pkg/list/more.go]",
    "[tools/gen/gen.go]",
    "[third/fork/fork.go]",
    "[vendor/github.com/a/b/b.go]",
    "unknown",
  ]);
});

test("what no module of the tree has is external", () => {
  const modules = ["fmt", "net/http", "github.com/own/projectile", "example.com/other", "C"];
  expect(ask("main.go", modules)).toEqual(modules.map(() => "external"));
});

test("tests are of the package for tests beside them only", () => {
  const own = "github.com/own/project/v2/pkg/list";
  expect(ask("pkg/list/list_test.go", [own])).toEqual([
    "[pkg/list/list.go pkg/list/list_test.go pkg/list/more.go]",
  ]);
  expect(ask("main_test.go", [own])).toEqual(["[pkg/list/list.go pkg/list/more.go]"]);
});

test("without go.mod a repository is found by what is behind its name", () => {
  const tree: TestTree = { files: ["main.go", "log/log.go", "src/own/util/util.go"] };
  expect(ask("main.go", ["github.com/own/project/log", "own/util", "fmt"], tree)).toEqual([
    "[log/log.go]",
    "[src/own/util/util.go]",
    "external",
  ]);
});

test("a package is imported by its folder, the outermost by its module", () => {
  const resolver = resolverOf(TREE);
  expect(resolver.lastPartsOf("pkg/list/more.go", "go")).toEqual(["list"]);
  expect(resolver.lastPartsOf("main.go", "go")).toEqual(["project", "v2"]);
});

test("the files of a folder see each other, tests but for those of another package", () => {
  const resolver = resolverOf(TREE);
  expect(resolver.siblingsOf(importer("pkg/list/list.go", "list"))).toEqual(["pkg/list/more.go"]);
  expect(resolver.siblingsOf(importer("pkg/list/list_test.go", "list"))).toEqual([
    "pkg/list/list.go",
    "pkg/list/more.go",
  ]);
  expect(resolver.siblingsOf(importer("pkg/list/list_test.go", "list_test"))).toEqual([]);
});
