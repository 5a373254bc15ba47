import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findSymbols } from "../../../src/engine/symbols/find-symbols.ts";
import { ReferenceGraph } from "../../../src/graph/reference-graph.ts";
import { VersionCache } from "../../../src/engine/version-cache.ts";
import type { SymbolsRequest } from "../../../src/engine/api/symbols.ts";
import { indexedTree, indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant, tree } from "../../helpers/tree.ts";

const FILES = {
  "src/config.ts": [
    "/** Reads the settings. */",
    "export function parseConfig(text: string): Config {",
    "  return readAll(text);",
    "}",
    "",
    "function parseConfigLine(line: string): string {",
    "  return line;",
    "}",
    "",
    "export class ConfigParser {",
    "  parse(): void {}",
    "  open(): void {}",
    "}",
    "",
    "export class Config {",
    "  open(path: string): void;",
    "  open(path: number): void;",
    "  open(path: unknown): void {}",
    "}",
    "",
  ].join("\n"),
  "src/main.ts": 'import { parseConfig } from "./config.ts";\nparseConfig("a");\n',
  "src/other.ts":
    'import { parseConfig } from "./config.ts";\nexport const other = parseConfig("b");\n',
  "test/config.test.ts": "export function parseConfig() {}\n",
  "examples/config.ts": "export function parseConfig() {}\n",
  "pkg/mod.py": 'def open():\n    """Opens a thing."""\n    return 1\n',
  "docs/guide.md": "# Guide\n\n## Getting started\n\nRun it.\n\n## Node.js\n\nYes.\n",
};

async function indexed(files: Readonly<Record<string, string>> = FILES): Promise<IndexedTree> {
  const index = indexedTree(files, { memory: true });
  onTestFinished(index.dispose);
  await index.run();
  return index;
}

async function find(index: IndexedTree, name: string, more: Partial<SymbolsRequest> = {}) {
  const queryContext = await index.queryContext();
  const signal = new AbortController().signal;
  const parts = await queryContext.reader.segmentSymbols();
  const graph = () => ReferenceGraph.open(queryContext.reader, () => undefined);
  return findSymbols(
    { ...queryContext, parts, graph },
    { name, limit: 20, principal: LOCAL, signal, ...more },
  );
}

/** `path:start-end qualified name` of each symbol. */
function places({ symbols }: Awaited<ReturnType<typeof find>>): readonly string[] {
  return symbols.map(
    ({ path, startLine, endLine, qualifiedName }) =>
      `${path}:${startLine}-${endLine} ${qualifiedName}`,
  );
}

test("all fields of a definition", async () => {
  const { symbols, total, isApproximate, similar } = await find(await indexed(), "parseConfig");
  expect(symbols[0]).toEqual({
    path: "src/config.ts",
    startLine: 1,
    endLine: 4,
    nameLine: 2,
    nameColumn: 17,
    name: "parseConfig",
    qualifiedName: "parseConfig",
    kind: "function",
    access: "exported",
    language: "typescript",
    match: "exact",
    users: 2,
    areUsersByName: false,
    signature: "export function parseConfig(text: string): Config",
    docLine: "Reads the settings.",
    changed: false,
  });
  expect(symbols.map(({ path }) => path)).toEqual([
    "src/config.ts",
    "examples/config.ts",
    "test/config.test.ts",
  ]);
  expect([total, isApproximate, similar]).toEqual([5, false, ["parseConfigLine", "ConfigParser"]]);
});

test.each<[string, readonly string[]]>([
  [
    "PARSECONFIG",
    [
      "src/config.ts:1-4 parseConfig",
      "examples/config.ts:1-1 parseConfig",
      "test/config.test.ts:1-1 parseConfig",
    ],
  ],
  ["Config.open", ["src/config.ts:16-18 Config.open"]],
  ["ConfigParser::open", ["src/config.ts:12-12 ConfigParser.open"]],
  ["src.config.ConfigParser#open()", ["src/config.ts:12-12 ConfigParser.open"]],
  ["pkg.mod.open", ["pkg/mod.py:1-3 open"]],
  ["getting started", ["docs/guide.md:3-5 Guide > Getting started"]],
  ["Node.js", ["docs/guide.md:7-9 Guide > Node.js"]],
  ["qqqqq", []],
  ["()", []],
])("%s is defined at %j", async (name, expected) => {
  expect(places(await find(await indexed(), name))).toEqual(expected);
});

test("without an exact match, the nearest names are returned, in the same or a similar scope", async () => {
  const index = await indexed();
  for (const [name, first] of [
    ["parseConfg", "src/config.ts:1-4 parseConfig"],
    ["Config.opne", "src/config.ts:16-18 Config.open"],
    ["Confg.open", "src/config.ts:16-18 Config.open"],
    ["Nowhere.ConfigParser", "src/config.ts:10-13 ConfigParser"],
  ] as const) {
    const answer = await find(index, name);
    expect([places(answer)[0], answer.isApproximate]).toEqual([first, true]);
  }
});

test("of names with typos, a name that only contains the words is not listed but named", async () => {
  const index = await indexed();
  const { symbols, similar, total } = await find(index, "parseConfg");
  expect(symbols.map(({ name }) => name)).toEqual(["parseConfig", "parseConfig", "parseConfig"]);
  expect([similar, total]).toEqual([["ConfigParser", "parseConfigLine"], 5]);
});

test("filters narrow the answer and are never relaxed", async () => {
  const index = await indexed();
  expect(places(await find(index, "open", { language: "python" }))).toEqual([
    "pkg/mod.py:1-3 open",
  ]);
  expect(places(await find(index, "open", { symbolKind: "function" }))).toEqual([
    "pkg/mod.py:1-3 open",
  ]);
  expect(places(await find(index, "parseConfig", { path: "test/" }))).toEqual([
    "test/config.test.ts:1-1 parseConfig",
  ]);
  expect(places(await find(index, "Config", { symbolKind: "section" }))).toEqual([]);
  expect(places(await find(index, "Guide", { symbolKind: "section" }))).toEqual([
    "docs/guide.md:1-9 Guide",
  ]);
  await expect(find(index, "open", { language: "pyhton" })).rejects.toThrow(
    expect.objectContaining({ code: "INVALID_PARAMS" }),
  );
});

test("among similar names, code comes first, then more users, then shorter names", async () => {
  const index = await indexed({
    "a.ts":
      "export function readLongest() {}\nexport function readB() {}\nfunction readHidden() {}\n",
    "b.ts": 'import { readLongest } from "./a.ts";\nreadLongest();\n',
    "test/a.test.ts": "export function readA() {}\n",
  });
  const { symbols } = await find(index, "read");
  expect(symbols.map(({ name, match }) => `${name} ${match}`)).toEqual([
    "readLongest prefix",
    "readB prefix",
    "readHidden prefix",
    "readA prefix",
  ]);
});

function usersOfLoad(count: number): Readonly<Record<string, string>> {
  const users = Array.from({ length: count }, (_, at): [string, string] => [
    `user${at}.ts`,
    'import { load } from "./one.ts";\nload();\n',
  ]);
  return {
    ...Object.fromEntries(users),
    "one.ts": "export function load() {}\n",
    "two.ts": "export function load() {}\n",
    "user.ts": 'import { load } from "./two.ts";\nload();\n',
  };
}

test.each([
  ["the definition", 3, ["one.ts 3 false", "two.ts 1 false"]],
  ["the name, where many do", 200, ["one.ts 201 true", "two.ts 201 true"]],
])("files are counted that use %s", async (_what, count, expected) => {
  const { symbols } = await find(await indexed(usersOfLoad(count)), "load");
  expect(
    symbols.map(({ path, users, areUsersByName }) => `${path} ${users} ${areUsersByName}`),
  ).toEqual(expected);
});

test("users are counted as find_references finds them", async () => {
  const index = indexOf(join(import.meta.dirname, "../fixtures/gin"), { memory: true });
  onTestFinished(index.dispose);
  await index.run();
  const { reader } = await index.queryContext();
  const graph = await ReferenceGraph.open(reader, () => undefined);
  const names = new Set<string>();
  for (const path of ["gin.go", "routergroup.go", "binding/binding.go", "render/json.go"]) {
    for (const { name } of await reader.symbolsOf(path)) names.add(name);
  }
  let used = 0;
  for (const name of names) {
    const symbols = (await reader.symbolsNamed(name, 50)).filter((one) => one.name === name);
    const paths = await Promise.all(
      symbols.map(async (one) => (await graph.referencesTo(one)).map(({ path }) => path)),
    );
    const expected = paths.map((all) => new Set(all).size);
    expect([name, await graph.usingFiles(symbols)]).toEqual([name, expected]);
    used += expected.filter((count) => count > 0).length;
  }
  expect(names.size).toBeGreaterThan(100);
  expect(used).toBeGreaterThan(100);
});

test("of one name what more of the project depends on comes first", async () => {
  const index = await indexed({
    "a/one.ts": "export class Store {}\n",
    "b/two.ts": "export class Store {}\n",
    "main.ts": 'import { Store } from "./b/two.ts";\nexport const first = new Store();\n',
    "other.ts": 'import { Store } from "./b/two.ts";\nexport const other = new Store();\n',
  });
  expect(places(await find(index, "Store"))).toEqual(["b/two.ts:1-1 Store", "a/one.ts:1-1 Store"]);
});

test("pages hold everything once, those of the very name first, and belong to their question", async () => {
  const index = await indexed();
  const all = places(await find(index, "parseConf"));
  expect(new Set(all).size).toBe(5);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await find(index, "parseConf", { limit: 2, cursor });
    seen.push(...places(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(all);
  const first = await find(index, "parseConfig");
  const rest = await find(index, "parseConfig", { cursor: first.nextCursor });
  expect(rest.symbols.map(({ name }) => name)).toEqual(["parseConfigLine", "ConfigParser"]);
  expect([rest.nextCursor, rest.similar]).toEqual([undefined, []]);
  const refused = expect.objectContaining({ code: "INVALID_CURSOR" });
  await expect(find(index, "open", { cursor: first.nextCursor })).rejects.toThrow(refused);
  plant(index.root, { "src/new.ts": "export const added = 1;\n" });
  await index.run();
  await expect(find(index, "parseConfig", { cursor: first.nextCursor })).rejects.toThrow(refused);
});

test("a name in a package that re-exports it, a name in the same case, and a function of C next to scripts", async () => {
  const index = await indexed({
    "src/ops/mod.rs": "pub use build::compile;\nmod build;\n",
    "src/ops/build/mod.rs": "pub fn compile() {}\npub fn compile_all() {}\n",
    "src/plan/mod.rs": "pub fn plan() {}\npub struct Plan {}\n",
    "a/tool.py": "def die(text):\n    raise text\n",
    "usage.h": "void die(const char *text);\nstruct tree { int size; };\n",
    "usage.c": '#include "usage.h"\nvoid die(const char *text)\n{\n\tend(text);\n}\n',
    "tree.c": '#include "usage.h"\nint tree(void)\n{\n\tdie("");\n\treturn 0;\n}\n',
    "leaf.c": '#include "usage.h"\nint leaf(void)\n{\n\tdie("");\n\treturn tree();\n}\n',
  });
  const first = async (name: string): Promise<string | undefined> =>
    places(await find(index, name))[0];
  expect(await first("ops::compile")).toBe("src/ops/build/mod.rs:1-1 compile");
  expect(await first("plan::plan")).toBe("src/plan/mod.rs:1-1 plan");
  expect(await first("plan::Plan")).toBe("src/plan/mod.rs:2-2 Plan");
  expect(await first("die")).toBe("usage.c:2-5 die");
  expect(await first("tree")).toBe("usage.h:2-2 tree");
});

test("a changed file is described in its current state", async () => {
  const index = await indexed();
  plant(index.root, {
    "src/config.ts": `// One more line.\n\n${FILES["src/config.ts"].replace("(text: string)", "(text: Text)").replace("ConfigParser", "Renamed")}`,
  });
  const { symbols } = await find(index, "parseConfig");
  expect(symbols[0]).toMatchObject({
    startLine: 3,
    endLine: 6,
    nameLine: 4,
    signature: "export function parseConfig(text: Text): Config",
    docLine: "Reads the settings.",
    changed: true,
  });
  expect(places(await find(index, "ConfigParser"))).toEqual([]);
});

test("a missing file, or a link that leads out, is not in the answer; similar names are", async () => {
  const outside = tree({ "mod.py": "def open():\n    return 'secret'\n" });
  onTestFinished(outside.dispose);
  const index = await indexed();
  rmSync(join(index.root, "pkg/mod.py"));
  symlinkSync(join(outside.path, "mod.py"), join(index.root, "pkg/mod.py"));
  expect(places(await find(index, "open", { language: "python" }))).toEqual([]);
  for (const path of ["src/config.ts", "examples/config.ts"]) rmSync(join(index.root, path));
  expect(places(await find(index, "parseConfig"))).toEqual(["test/config.test.ts:1-1 parseConfig"]);
});

test("a cached value is computed once per version, and again after a failure", async () => {
  const index = await indexed({ "a.ts": "export const a = 1;\n" });
  let count = 0;
  const counted = new VersionCache<number>();
  const ask = async (): Promise<number> => {
    const { reader } = await index.queryContext();
    return counted.get("project", reader.version, async () => {
      count += 1;
      if (count === 1) throw new Error("not yet");
      return count;
    });
  };
  await expect(ask()).rejects.toThrow("not yet");
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([2, 2, 2]);
  plant(index.root, { "b.ts": "export const b = 1;\n" });
  await index.run();
  expect(await ask()).toBe(3);
});
