// One search of several namespaces: one ranking, results with their namespace, and the rights of the caller.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { Principal } from "../../../src/sources/principal.ts";
import { createProject, request, SEARCH, type Project } from "../../helpers/project.ts";
import { tree } from "../../helpers/tree.ts";

const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxAB";
const TEXT = {
  isRegex: false,
  caseSensitive: false,
  wholeWord: false,
  contextLines: 0,
  output: "matches",
  limit: 50,
} as const;

let project: Project;
const bakery = tree({
  "src/oven.ts": "/** Bakes bread. */\nexport function bake(): void {}\n",
  "docs/bread.md": `# Bread\n\nHow bread is baked.\n\ntoken: ${SECRET}\n`,
});
const mill = tree({
  "src/mill.ts": 'import { x } from "./x";\n\nexport function bake(): void {\n  x();\n}\n',
  "README.md": "# Mill\n\nThe mill grinds flour for bread.\n",
});
const lost = tree({ "a.md": "# Bread that is lost\n" });

beforeAll(async () => {
  project = createProject({ "main.ts": "bake();\n" });
  await project.engine.index(request());
  for (const [namespace, { path }] of [
    ["bakery", bakery],
    ["mill", mill],
    ["lost", lost],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await project.engine.index({ ...request(), namespace, source: path });
  }
});

afterAll(async () => {
  await project.dispose();
  for (const one of [bakery, mill, lost]) one.dispose();
});

function search(namespace: string, more: object = {}) {
  const asked = { query: "how is bread baked", ...SEARCH, ...request(), ...more, namespace };
  return project.engine.search(asked);
}

function places(items: readonly { namespace?: string; path: string }[]): readonly string[] {
  return items.map(({ namespace, path }) => `${namespace}: ${path}`);
}

function failure(code: string): unknown {
  return expect.objectContaining({ code });
}

test("a file is no copy of one in another namespace, and copies have the path in theirs", async () => {
  const file =
    "# Sourdough\n\nFeed the sourdough starter with flour and water each morning, then wait.\n";
  const [one, two] = [tree({ "sour.md": file, "old/sour.md": file }), tree({ "sour.md": file })];
  try {
    await project.engine.index({ ...request(), namespace: "one", source: one.path });
    await project.engine.index({ ...request(), namespace: "two", source: two.path });
    const { passages } = await search("one,two", { query: "feed the sourdough starter" });
    const found = passages.map(({ namespace, copies }) => ({ namespace, copies }));
    expect(found.filter(({ namespace }) => namespace === "two")).toEqual([
      { namespace: "two", copies: [] },
    ]);
    const [path] = passages.flatMap((passage) =>
      passage.namespace === "one" ? [passage.path] : [],
    );
    const copy = path === "sour.md" ? "old/sour.md" : "sour.md";
    expect(found.filter(({ namespace }) => namespace === "one")).toEqual([
      { namespace: "one", copies: [copy] },
    ]);
  } finally {
    for (const made of [one, two]) made.dispose();
  }
});

test("results of several namespaces are in one ranking, each with its namespace and its path there", async () => {
  const found = await search("bakery,mill");
  expect(found.namespace).toBe("bakery,mill");
  expect(places(found.passages)[0]).toBe("bakery: docs/bread.md");
  expect(places(found.passages)).toContain("mill: README.md");
  const scores = found.passages.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  const one = await project.engine.search({
    query: "how is bread baked",
    ...SEARCH,
    ...request(),
    namespace: "bakery",
  });
  expect(one.passages.every((passage) => !("namespace" in passage))).toBe(true);
});

test("* searches all that the caller may use, and nothing else", async () => {
  const all = new Set((await search("*")).passages.map(({ namespace }) => namespace));
  expect(all).toContain("bakery");
  expect(all).toContain("mill");
  const caller = new Principal({ id: "key_1", namespaces: ["mill"], readOnly: true });
  const own = await search("*", { principal: caller });
  expect(new Set(own.passages.map(({ namespace }) => namespace))).toEqual(new Set(["mill"]));
  for (const namespace of ["mill,bakery", "mill,nothing", "mill,BAKERY"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(search(namespace, { principal: caller })).rejects.toThrow(
      failure("NAMESPACE_NOT_FOUND"),
    );
  }
  const nobody = new Principal({ id: "key_2", namespaces: [], readOnly: true });
  await expect(search("*", { principal: nobody })).rejects.toThrow(failure("NAMESPACE_NOT_FOUND"));
});

test("filters match paths in their namespaces", async () => {
  expect(places((await search("*", { path: "docs/**" })).passages)).toEqual([
    "bakery: docs/bread.md",
  ]);
  expect(places((await search("*", { language: "typescript" })).passages)).not.toContain(
    "bakery: docs/bread.md",
  );
});

test("pages go on where the page before ended", async () => {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page = await search("bakery,mill", { limit: 1, cursor });
    pages.push(...places(page.passages));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages.toSorted()).toEqual(places((await search("bakery,mill")).passages).toSorted());
});

test("search for text covers several namespaces, in the order of their names", async () => {
  const found = await project.engine.searchText({
    ...request(),
    ...TEXT,
    pattern: "bread",
    namespace: "mill,bakery",
  });
  expect([...new Set(places(found.matches))]).toEqual([
    "bakery: docs/bread.md",
    "bakery: src/oven.ts",
    "mill: README.md",
  ]);
  expect(found).toMatchObject({ totalFiles: 3, isComplete: true, missing: [] });
  const files = await project.engine.searchText({
    ...request(),
    ...TEXT,
    output: "files",
    limit: 1,
    pattern: "bread",
    namespace: "*",
  });
  expect(places(files.files)).toEqual(["bakery: docs/bread.md"]);
  expect(files.nextCursor).toBeDefined();
});

test("definitions come from several namespaces, with their users there", async () => {
  const found = await project.engine.findSymbols({
    ...request(),
    name: "bake",
    limit: 10,
    namespace: "*",
  });
  expect(places(found.symbols).toSorted()).toEqual(["bakery: src/oven.ts", "mill: src/mill.ts"]);
  expect(found.total).toBe(2);
  const some = await project.engine.findSymbols({
    ...request(),
    name: "bake",
    path: "src/m*",
    limit: 10,
    namespace: "*",
  });
  expect(places(some.symbols)).toEqual(["mill: src/mill.ts"]);
});

test("secrets are masked in every namespace", async () => {
  const { passages } = await search("bakery,mill", { query: "token of the bread" });
  expect(JSON.stringify(passages)).not.toContain(SECRET);
  expect(JSON.stringify(passages)).toContain("token:");
  const found = await project.engine.searchText({
    ...request(),
    ...TEXT,
    pattern: "token",
    namespace: "bakery,mill",
  });
  expect(JSON.stringify(found.matches)).not.toContain(SECRET);
});

test("the lines are those of the current files", async () => {
  writeFileSync(join(mill.path, "README.md"), "# Mill\n\nThe mill grinds flour for fresh bread.\n");
  const { passages } = await search("bakery,mill", { query: "mill grinds flour" });
  const readme = passages.find(({ path }) => path === "README.md");
  expect(readme?.text).toContain("fresh bread");
});

test("a namespace whose folder was replaced is named, and the others answer", async () => {
  rmSync(lost.path, { recursive: true });
  mkdirSync(lost.path);
  writeFileSync(join(lost.path, "b.md"), "# Bread of somebody else\n");
  const found = await search("lost,bakery");
  expect(found.partial).toEqual([expect.stringContaining('"lost" was not searched: ')]);
  expect(places(found.passages)[0]).toBe("bakery: docs/bread.md");
  const symbols = await project.engine.findSymbols({
    ...request(),
    name: "bake",
    limit: 10,
    namespace: "lost,bakery",
  });
  expect(symbols.missing).toHaveLength(1);
  await expect(search("lost,")).rejects.toThrow(failure("PATH_NOT_FOUND"));
});

test("calls about one project refuse a list and say which take one", async () => {
  const asked = { ...request(), namespace: "bakery,mill" };
  const calls = [
    () => project.engine.read({ ...asked, targets: ["README.md"], maxTokens: 100 }),
    () => project.engine.outline({ ...asked, path: undefined, depth: 1, maxTokens: 100 }),
  ];
  for (const run of calls) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(run()).rejects.toThrow(failure("INVALID_PARAMS"));
  }
});

test("the tools mark each result with its namespace", async () => {
  const found = await project.tool("search_context", { query: "bread", namespace: "*" });
  expect(found.text).toMatch(/^docs\/bread\.md:1-\d+ {2}\S.* {2}\[bakery\]$/m);
  const lines = await project.tool("search_text", { pattern: "bread", namespace: "*" });
  expect(lines.text).toMatch(/^README\.md {2}\[mill\]$/m);
  const files = await project.tool("search_text", {
    pattern: "bread",
    namespace: "*",
    output: "files",
  });
  expect(files.text).toMatch(/^README\.md: 1 {2}\[mill\]$/m);
  const symbols = await project.tool("find_symbol", { name: "bake", namespace: "*" });
  expect(symbols.text).toMatch(/src\/oven\.ts:1-2 {2}\[bakery\]/);
});

test("index_status says how to search several, where there are several", async () => {
  const status = await project.tool("index_status", {});
  expect(status.text).toContain('namespace "a,b", or "*" for all.');
  const caller = new Principal({ id: "key_1", namespaces: ["mill"], readOnly: true });
  expect((await project.tool("index_status", {}, caller)).text).not.toContain("several");
});

test("a place near the definition is of one namespace", async () => {
  const asked = {
    ...request(),
    name: "bake",
    near: "main.ts:1",
    limit: 5,
    namespace: "bakery,mill",
  };
  await expect(project.engine.findSymbols(asked)).rejects.toThrow(
    "near: it is a place in one namespace.",
  );
});
