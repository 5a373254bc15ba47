import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { analyzeImpact } from "../../../src/engine/impact/analyze-impact.ts";
import { ReferenceGraph } from "../../../src/graph/reference-graph.ts";
import { GitHistoryCache } from "../../../src/sources/git-history.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant, tree } from "../../helpers/tree.ts";

const FILES = {
  "src/parse.ts": [
    "const LIMIT = 3;",
    "",
    "/** Cuts a line. */",
    "export function parseLine(line: string): string[] {",
    "  return cutFields(line).slice(0, LIMIT);",
    "}",
    "",
    "function cutFields(line: string): string[] {",
    '  return line.split(",");',
    "}",
    "",
    "export class Reader {",
    "  readonly rows: string[][] = [];",
    "",
    "  readAll(lines: string[]): void {",
    "    for (const line of lines) this.rows.push(parseLine(line));",
    "  }",
    "}",
    "",
  ].join("\n"),
  "src/load.ts": [
    'import { parseLine } from "./parse.ts";',
    "",
    "export function loadTable(text: string): string[][] {",
    '  return text.split("\\n").map((line) => parseLine(line));',
    "}",
    "",
  ].join("\n"),
  "src/main.ts": [
    'import { loadTable } from "./load.ts";',
    "",
    "export function main(): void {",
    '  loadTable("a,b");',
    "}",
    "",
  ].join("\n"),
  "src/far.ts": "export function unrelated(): number {\n  return 1;\n}\n",
  "test/parse.test.ts": 'import { parseLine } from "../src/parse.ts";\n\nparseLine("a");\n',
  "test/load.test.ts": 'import { loadTable } from "../src/load.ts";\n\nloadTable("a");\n',
  "test/far.test.ts": 'import { unrelated } from "../src/far.ts";\n\nunrelated();\n',
  "docs/format.md": "# Format\n\nLines go through `parseLine`.\n",
};

/** An indexed repository with these files in its first commit. */
async function indexed(
  files: Readonly<Record<string, string>> = FILES,
): Promise<IndexedTree & Pick<GitRepository, "git" | "commit">> {
  const { path, dispose, git, commit } = gitRepository();
  const index = indexOf(path, { memory: true }, dispose);
  onTestFinished(index.dispose);
  commit(files);
  await index.run();
  return { ...index, git, commit };
}

async function impact(index: IndexedTree, target: string, depth = 3) {
  const histories = new GitHistoryCache();
  onTestFinished(() => histories.close());
  const queryContext = await index.queryContext();
  const graph = await ReferenceGraph.open(queryContext.reader, (path) =>
    path === "go.mod" ? "module example.com/shop\n" : undefined,
  );
  const { signal } = new AbortController();
  return analyzeImpact(
    { ...queryContext, graph, histories },
    { target, depth, signal, principal: LOCAL },
  );
}

/** The changed files, and the paths of each part of the answer. */
async function call(index: IndexedTree, target: string, depth?: number) {
  const answer = await impact(index, target, depth);
  return {
    touched: answer.changedFiles.map(({ path, symbols, gone }) =>
      [path, ...symbols, ...gone].join(" "),
    ),
    files: answer.files.map(({ path }) => path),
    tests: answer.tests.map(({ path }) => path),
  };
}

test("the users of a function, their users, its tests, docs and entry points", async () => {
  const answer = await impact(await indexed(), "parseLine");
  expect(answer).toMatchObject({
    description: "parseLine (src/parse.ts:3-6)",
    changedFiles: [
      { path: "src/parse.ts", status: "named", symbols: ["parseLine"], isWhole: false },
    ],
    files: [
      {
        path: "src/load.ts",
        depth: 1,
        users: [{ symbol: "loadTable", line: 4, via: "parseLine" }],
      },
      { path: "src/parse.ts", depth: 1, users: [{ symbol: "Reader.readAll", line: 16 }] },
      { path: "src/main.ts", depth: 2, users: [{ symbol: "main", via: "loadTable" }] },
    ],
    tests: [
      {
        path: "test/parse.test.ts",
        why: ["named after src/parse.ts", "imports src/parse.ts", "uses parseLine"],
      },
      { path: "test/load.test.ts", why: ["reaches it through loadTable"] },
    ],
    docs: [{ path: "docs/format.md", startLine: 3 }],
    isComplete: true,
  });
  expect(answer.entryPoints).toContainEqual({ path: "src/main.ts", line: 3, symbol: "main" });
});

test("depth 1 returns only direct users", async () => {
  expect(await call(await indexed(), "parseLine", 1)).toMatchObject({
    files: ["src/load.ts", "src/parse.ts"],
    tests: ["test/parse.test.ts"],
  });
});

test("lines mean their enclosing definitions, and a file its public definitions", async () => {
  const repository = await indexed();
  expect((await call(repository, "src/parse.ts:9")).touched).toEqual(["src/parse.ts cutFields"]);
  expect((await call(repository, "src/parse.ts:13")).touched).toEqual(["src/parse.ts Reader"]);
  expect((await call(repository, "src/parse.ts")).touched).toEqual([
    "src/parse.ts parseLine Reader Reader.readAll",
  ]);
  expect((await call(repository, "src/parse.ts:9")).files).toContain("src/load.ts");
});

test("changes in the work tree are resolved with their current lines", async () => {
  const repository = await indexed();
  const text = readFileSync(join(repository.root, "src/parse.ts"), "utf8");
  plant(repository.root, {
    "src/parse.ts": `// Parses.\n${text.replace('split(",")', 'split(";")')}`,
  });
  const expected = {
    touched: ["src/parse.ts cutFields"],
    files: ["src/parse.ts", "src/load.ts"],
  };
  // Before the index has seen the change, and after.
  expect(await call(repository, "working", 2)).toMatchObject(expected);
  await repository.run();
  expect(await call(repository, "working", 2)).toMatchObject(expected);
  expect((await call(repository, "staged")).touched).toEqual([]);
  repository.git("add", "-A");
  expect((await call(repository, "staged")).touched).toEqual(["src/parse.ts cutFields"]);
});

test("a commit, a range and a branch are git changes", async () => {
  const repository = await indexed();
  repository.git("tag", "first");
  const load = readFileSync(join(repository.root, "src/load.ts"), "utf8");
  repository.commit({
    "src/load.ts": load.replace("(line) =>", "(row) =>").replace("(line)", "(row)"),
  });
  await repository.run();
  for (const target of ["HEAD^!", "first..main", "HEAD~1", "first"]) {
    // oxlint-disable-next-line no-await-in-loop -- sequential queries
    expect((await call(repository, target)).touched).toEqual(["src/load.ts loadTable"]);
  }
  expect((await call(repository, "HEAD^!")).tests).toEqual(["test/load.test.ts"]);
});

test("a symbol is preferred to a branch of the same name", async () => {
  const repository = await indexed();
  repository.git("branch", "unrelated");
  expect((await impact(repository, "unrelated")).description).toBe("unrelated (src/far.ts:1-3)");
});

test("users of removed definitions come first", async () => {
  const repository = await indexed();
  const parse = readFileSync(join(repository.root, "src/parse.ts"), "utf8");
  plant(repository.root, {
    "src/parse.ts": parse.replace(/\/\*\* Cuts[^]*?\n\}\n\n/, "").replace("parseLine(line)", "[]"),
  });
  await repository.run();
  const answer = await impact(repository, "working");
  expect(answer.changedFiles).toMatchObject([{ path: "src/parse.ts", gone: ["parseLine"] }]);
  expect(answer.files[0]).toMatchObject({
    path: "src/load.ts",
    users: expect.arrayContaining([expect.objectContaining({ via: "parseLine (removed)" })]),
  });
  rmSync(join(repository.root, "src/parse.ts"));
  await repository.run();
  const deleted = await impact(repository, "working");
  expect(deleted.changedFiles).toMatchObject([{ path: "src/parse.ts", status: "deleted" }]);
  expect(deleted.files.map(({ path }) => path)).toContain("src/load.ts");
});

test("changed tests are run, and a new file counts as changed as a whole", async () => {
  const repository = await indexed();
  plant(repository.root, {
    "test/far.test.ts": "export const changed = 1;\n",
    "src/new.ts": "export function brandNew(): void {}\n",
    "test/new.test.ts": "export const x = 1;\n",
  });
  await repository.run();
  expect(await call(repository, "working")).toEqual({
    touched: ["test/far.test.ts changed", "src/new.ts brandNew", "test/new.test.ts x"],
    files: [],
    tests: ["test/far.test.ts", "test/new.test.ts"],
  });
});

test("files likely to change too: by git, by uses in both directions, by name", async () => {
  const repository = await indexed();
  for (const round of [1, 2]) {
    repository.commit({
      "src/load.ts": FILES["src/load.ts"].replace("map(", `map( ${" ".repeat(round)}`),
      "docs/format.md": `# Format\n\nVersion ${round}.\n`,
    });
  }
  await repository.run();
  const { likelyChanges } = await impact(repository, "src/load.ts");
  const paths = likelyChanges.map(({ path }) => path);
  expect(paths[0]).toBe("test/load.test.ts");
  expect(paths.indexOf("src/parse.ts")).toBeLessThan(paths.indexOf("src/far.ts"));
  expect(Object.fromEntries(likelyChanges.map(({ path, why }) => [path, why]))).toMatchObject({
    "test/load.test.ts": [expect.stringMatching(/^1 of 3 commits, last /), "tests it", "same name"],
    "src/parse.ts": [expect.any(String), "has parseLine, used there"],
    "src/main.ts": [expect.any(String), "uses it"],
    "docs/format.md": [expect.stringMatching(/^3 of 3 commits, last 2026-01-03$/)],
  });
});

test("who imports a package of Go is affected by a file of it only through what it uses", async () => {
  const go = await indexed({
    "go.mod": "module example.com/shop\n",
    "cart/cart.go": "package cart\n\nfunc Total() int { return 1 }\n",
    "cart/item.go": 'package cart\n\nfunc Name() string { return "a" }\n',
    "cart/doc.go": "// Package cart holds items.\npackage cart\n",
    "web/page.go":
      'package web\n\nimport "example.com/shop/cart"\n\nfunc Page() string { return cart.Name() }\n',
    "web/sum.go":
      'package web\n\nimport "example.com/shop/cart"\n\nfunc Sum() int { return cart.Total() }\n',
    "web/page_test.go":
      'package web\n\nimport (\n\t"testing"\n\n\t"example.com/shop/cart"\n)\n\nfunc TestPage(t *testing.T) { cart.Name() }\n',
  });
  expect(await call(go, "cart/cart.go")).toMatchObject({ files: ["web/sum.go"], tests: [] });
  expect(await call(go, "cart/item.go")).toMatchObject({
    files: ["web/page.go"],
    tests: ["web/page_test.go"],
  });
  // The file has no definition that other files could use.
  expect(await call(go, "cart/doc.go")).toMatchObject({
    files: ["web/page.go", "web/sum.go"],
    tests: ["web/page_test.go"],
  });
});

test("without a history there are only users and tests", async () => {
  const { path, dispose } = tree(FILES);
  const index = indexOf(path, { memory: true }, dispose);
  onTestFinished(index.dispose);
  await index.run();
  const graph = await ReferenceGraph.open((await index.queryContext()).reader, () => undefined);
  const { signal } = new AbortController();
  const queryContext = { ...(await index.queryContext()), graph, histories: new GitHistoryCache() };
  const answer = await analyzeImpact(queryContext, {
    target: "parseLine",
    depth: 3,
    signal,
    principal: LOCAL,
  });
  expect(answer.likelyChanges).toEqual([]);
  expect(answer.files).toHaveLength(3);
});

test.each<[string, string]>([
  ["nothingLikeThat", "SYMBOL_NOT_FOUND"],
  ["src/nothing.ts", "PATH_NOT_FOUND"],
  ["nothing..HEAD", "INVALID_PARAMS"],
  ["--output=x..HEAD", "INVALID_PARAMS"],
  ["../outside.ts", "PATH_OUTSIDE_SOURCE"],
])("%s is %s", async (target, code) => {
  await expect(impact(await indexed(), target)).rejects.toThrow(expect.objectContaining({ code }));
});

test("a file of Terraform: the users of its variables in the folder, and the modules that set them", async () => {
  const repository = await indexed({
    "net/variables.tf": 'variable "name" {}\n',
    "net/main.tf": 'resource "aws_vpc" "main" {\n  name = var.name\n}\n',
    "main.tf": 'module "net" {\n  source = "./net"\n  name   = var.name\n}\n',
    "variables.tf": 'variable "name" {}\n',
    "other/main.tf": 'module "net" {\n  source = "../net"\n}\n',
  });
  expect(await call(repository, "net/variables.tf")).toEqual({
    touched: ["net/variables.tf var.name"],
    files: ["main.tf", "net/main.tf"],
    tests: [],
  });
  expect((await call(repository, "var.name")).touched).toHaveLength(1);
});
