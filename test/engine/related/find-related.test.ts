import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { RelatedResult, Relation } from "../../../src/engine/api/related.ts";
import { findRelated } from "../../../src/engine/related/find-related.ts";
import { ReferenceGraph } from "../../../src/graph/reference-graph.ts";
import { GitHistoryCache } from "../../../src/sources/git-history.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { indexedTree, indexOf, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { plant } from "../../helpers/tree.ts";

/** Code with enough words to decide whether it is similar to other code. */
function cache(name: string, verb: string): string {
  return [
    `/** Keeps ${name} entries until they expire. */`,
    `export class ${name}Cache {`,
    "  readonly #entries = new Map<string, { value: string; expires: number }>();",
    "",
    `  ${verb}(key: string, value: string, lifetime: number): void {`,
    "    this.#entries.set(key, { value, expires: Date.now() + lifetime });",
    "  }",
    "",
    "  evictExpired(): void {",
    "    for (const [key, { expires }] of this.#entries) {",
    "      if (expires < Date.now()) this.#entries.delete(key);",
    "    }",
    "  }",
    "}",
    "",
  ].join("\n");
}

const FILES = {
  "src/store/session-cache.ts": cache("Session", "keepSession"),
  "src/store/page-cache.ts": cache("Page", "keepPage"),
  "src/paint.ts":
    "export function paintPolygon(corners: number[][], colour: string): string {\n" +
    "  return corners.map(([x, y]) => `${x},${y}`).join(' ') + colour;\n}\n",
  "src/other/session-cache.ts": "export const OTHER_LIMIT = 3;\n",
  "test/store/session-cache.test.ts":
    'import { SessionCache } from "../../src/store/session-cache.ts";\n\n' +
    "const cache = new SessionCache();\ncache.keepSession('a', 'b', 1);\n",
  "test/other/session-cache.test.ts":
    'import { OTHER_LIMIT } from "../../src/other/session-cache.ts";\n\nexport const x = OTHER_LIMIT;\n',
  "test/login.test.ts":
    'import { SessionCache } from "../src/store/session-cache.ts";\n\nnew SessionCache().evictExpired();\n',
  "test/paint.test.ts":
    'import { paintPolygon } from "../src/paint.ts";\npaintPolygon([], "red");\n',
  "docs/cache.md":
    "# Caches\n\nThere are two.\n\n## `SessionCache`\n\nKeeps sessions.\n\n## Pages\n\nSee `PageCache`.\n",
  "docs/words.md": "# Words\n\nWe keep a session in a cache.\n",
  "CHANGELOG.md": "# Changes\n\n- `SessionCache` is new.\n",
  "src/store/README.md": "# The store\n\nsession-cache.ts is the first of its files.\n",
};

async function indexed(files: Readonly<Record<string, string>> = FILES): Promise<IndexedTree> {
  const index = indexedTree(files, { memory: true });
  onTestFinished(index.dispose);
  await index.run();
  return index;
}

async function related(
  index: IndexedTree,
  target: string,
  relation?: Relation,
): Promise<Omit<RelatedResult, "namespace">> {
  const histories = new GitHistoryCache();
  onTestFinished(() => histories.close());
  const queryContext = await index.queryContext();
  const graph = (): Promise<ReferenceGraph> =>
    ReferenceGraph.open(queryContext.reader, () => undefined);
  const { signal } = new AbortController();
  const request = { target, relation, limit: 10, principal: LOCAL, signal };
  return findRelated({ ...queryContext, graph, histories }, request);
}

/** Items of one relation, as `path:start-end symbol: why`. */
async function call(index: IndexedTree, target: string, relation: Relation) {
  const [group] = (await related(index, target, relation)).groups;
  const items = group?.items.map(({ path, startLine, endLine, symbol, why }) => {
    const lines =
      startLine === 0 ? "" : startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
    return `${path}${lines}${symbol === "" ? "" : ` ${symbol}`}: ${why.join("; ")}`;
  });
  return { items: items ?? [], problem: group?.problem };
}

test("tests are found by their imports, uses and names", async () => {
  const { items } = await call(await indexed(), "src/store/session-cache.ts", "tests");
  expect(items).toEqual([
    "test/store/session-cache.test.ts:3: named after it; imports it; uses SessionCache, keepSession",
    "test/login.test.ts:3: imports it; uses SessionCache, evictExpired",
    "test/other/session-cache.test.ts: named after it",
  ]);
});

test("for a symbol, uses count, and a test that only imports its file comes later", async () => {
  const { items } = await call(await indexed(), "SessionCache.evictExpired", "tests");
  expect(items).toEqual([
    "test/login.test.ts:3: imports session-cache.ts; uses evictExpired, SessionCache",
    "test/store/session-cache.test.ts:3: named after it; imports session-cache.ts; uses SessionCache",
    "test/other/session-cache.test.ts: named after it",
  ]);
});

test("a member with a common name is no evidence without a link to its type", async () => {
  const index = await indexed({
    "src/clock.ts": "export class Clock {\n  stop(): void {}\n  start(): void {}\n}\n",
    "test/clock.test.ts": 'import { Clock } from "../src/clock.ts";\nnew Clock().stop();\n',
    "test/server.test.ts": "declare const server: any;\nserver.stop();\n",
  });
  const { items } = await call(index, "src/clock.ts", "tests");
  expect(items).toEqual(["test/clock.test.ts:2: named after it; imports it; uses Clock, stop"]);
});

test.each<[string, string]>([
  ["pkg/parse.go", "pkg/parse_test.go"],
  ["app/models/user.rb", "spec/models/user_spec.rb"],
  ["src/main/java/a/Parser.java", "src/test/java/a/ParserTests.java"],
  ["src/net/url_parser.py", "tests/net/test_url_parser.py"],
  ["src/net/pool.rs", "tests/pool.rs"],
  ["src/lib/index.js", "test/lib.spec.js"],
  ["src/pool.cc", "src/pool_unittest.cc"],
  ["Sources/Queue.swift", "Tests/QueueTests.swift"],
  ["src/expire.c", "tests/unit/expire.tcl"],
  ["src/lib.rs", "tests/test_src.py"],
])("%s has the test %s by name", async (path, name) => {
  const index = await indexed({ [path]: "x = 1\n", [name]: "y = 2\n", "src/z.js": "1\n" });
  expect((await call(index, path, "tests")).items).toEqual([`${name}: named after it`]);
});

test("without other evidence, tests in the folder for tests next to the file are named", async () => {
  const files: Record<string, string> = {
    "hc/slack/transport.py": "class Slack:\n    pass\n",
    "hc/slack/tests/__init__.py": "",
    "hc/slack/tests/test_notify.py": "def test_it_works(): pass\n",
    "hc/slack/tests/helper.txt": "slack\n",
    "many/views.py": "class Views:\n    pass\n",
  };
  for (let at = 0; at < 20; at += 1) files[`many/tests/test_${at}.py`] = "def test_it(): pass\n";
  const index = await indexed(files);
  expect((await call(index, "hc/slack/transport.py", "tests")).items).toEqual([
    "hc/slack/tests/test_notify.py: in the folder for tests next to it",
  ]);
  expect((await call(index, "many/views.py", "tests")).items).toEqual([]);
});

test("a test that only uses the namespace of a file does not test the file", async () => {
  const files: Record<string, string> = {
    "lib/shop/cart.rb": "module Shop\n  class Cart\n    def add; end\n  end\nend\n",
    "test/test_cart.rb": "Shop::Cart.new.add\n",
    "test/test_other.rb": "Shop::Other0.new\n",
  };
  for (let at = 0; at < 4; at += 1)
    files[`lib/shop/other${at}.rb`] = `module Shop\n  class Other${at}\n  end\nend\n`;
  const { items } = await call(await indexed(files), "lib/shop/cart.rb", "tests");
  expect(items.map((item) => item.replace(/:.*/, ""))).toEqual(["test/test_cart.rb"]);
});

test("tests in the file itself are found, as in Rust", async () => {
  const index = await indexed({
    "src/pool.rs":
      "pub fn open_pool() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn opens() {\n        super::open_pool();\n    }\n}\n",
  });
  const { items } = await call(index, "src/pool.rs", "tests");
  expect(items[0]).toBe("src/pool.rs:3-9: `tests` in the same file");
});

test("without a grammar the words of a test count", async () => {
  const index = await indexed({
    "lib/tool.pl": "sub frobnicate_all {\n  return 1;\n}\n",
    "t/other.t": "use Test::More;\nok(frobnicate_all());\n",
  });
  const { items } = await call(index, "lib/tool.pl", "tests");
  expect(items).toEqual(["t/other.t:2: uses frobnicate_all"]);
});

test("docs are ranked by the form of their mentions, and release notes come last", async () => {
  const { items } = await call(await indexed(), "src/store/session-cache.ts", "docs");
  expect(items).toEqual([
    "docs/cache.md:5 Caches > SessionCache: names SessionCache (in a heading)",
    "src/store/README.md:3 The store: names session-cache.ts; in the same folder",
    "CHANGELOG.md:3 Changes: names SessionCache (as code)",
  ]);
});

test("docs are read in their current state", async () => {
  const index = await indexed();
  plant(index.root, { "docs/cache.md": "# Caches\n\nNothing.\n" });
  rmSync(join(index.root, "CHANGELOG.md"));
  const { items } = await call(index, "SessionCache", "docs");
  expect(items.map((item) => item.split(":")[0])).toEqual(["src/store/README.md"]);
});

test("an ordinary word in running text is no mention", async () => {
  const index = await indexed({
    "src/run.ts": "export function open(): void {}\n",
    "docs/a.md": "# A\n\nThe doors open at nine.\n",
    "docs/b.md": "# B\n\nCall `open` first.\n",
    "docs/c.md": "# C\n\n```ts\nopen();\n```\n",
  });
  const { items } = await call(index, "open", "docs");
  expect(items).toEqual([
    "docs/b.md:3 B: names open (as code)",
    "docs/c.md:4 C: names open (in code)",
  ]);
});

test("similar code is found, without the target itself", async () => {
  const index = await indexed();
  const { items } = await call(index, "src/store/session-cache.ts", "similar");
  expect(items).toHaveLength(1);
  expect(items[0]).toMatch(/^src\/store\/page-cache\.ts:1-14 PageCache: similarity .*; shares /);
  const lines = await call(index, "src/store/session-cache.ts:9-13", "similar");
  expect(lines.items[0]).toMatch(/^src\/store\/page-cache\.ts/);
});

test("code moved after indexing is shown at its current position", async () => {
  const index = await indexed();
  plant(index.root, { "src/store/page-cache.ts": `// New.\n\n${cache("Page", "keepPage")}` });
  const { items } = await call(index, "SessionCache", "similar");
  expect(items[0]).toMatch(/^src\/store\/page-cache\.ts:1-16 PageCache/);
});

test("files that change together have the number of shared commits", async () => {
  const repository = gitRepository();
  const index = indexOf(repository.path, { memory: true }, repository.dispose);
  onTestFinished(index.dispose);
  const first = {
    "a.ts": "export const a = 1;\n",
    "b.ts": "export const b = 1;\n",
    "c.ts": "1;\n",
  };
  repository.commit(first);
  repository.commit({ "a.ts": "export const a = 2;\n", "b.ts": "export const b = 2;\n" });
  repository.commit({ "a.ts": "export const a = 3;\n", "gone.ts": "1;\n" });
  repository.commit({ "a.ts": "export const a = 4;\n", "gone.ts": undefined });
  await index.run();
  expect(await call(index, "a.ts", "changed_together")).toEqual({
    items: ["b.ts: 2 of 4 commits, last 2026-01-02"],
    problem: undefined,
  });
  expect(await call(index, "a", "changed_together")).toMatchObject({
    items: [expect.stringMatching(/^b\.ts/)],
  });
  plant(repository.path, { "new.ts": "1;\n" });
  const { items, problem } = await call(index, "new.ts", "changed_together");
  expect(items).toEqual([]);
  expect(problem).toBe("None of the last 4 relevant commits changed it.");
});

test("without a repository the other relations are still answered", async () => {
  const { groups, path, startLine, endLine, symbol } = await related(
    await indexed(),
    "SessionCache",
  );
  expect({ path, startLine, endLine, symbol }).toEqual({
    path: "src/store/session-cache.ts",
    startLine: 1,
    endLine: 14,
    symbol: "SessionCache",
  });
  expect(groups.map(({ relation, items }) => [relation, items.length > 0])).toEqual([
    ["similar", true],
    ["tests", true],
    ["docs", true],
    ["changed_together", false],
  ]);
  expect(groups.at(-1)?.problem).toBe("This is not a git repository.");
});

test("other definitions of the name are listed, code before tests and headings", async () => {
  const index = await indexed({
    "docs/a.md": "# Session\n\nText.\n",
    "src/b.ts": "export class Session {}\n",
    "src/a.test.ts": "class Session {}\n",
    "src/c.ts": "export class Session {}\n",
  });
  const { path, others } = await related(index, "Session", "docs");
  expect(path).toBe("src/b.ts");
  expect(others.map((one) => one.path)).toEqual(["src/c.ts", "src/a.test.ts"]);
});

test.each<[string, string]>([
  ["src/nothing.ts", "PATH_NOT_FOUND"],
  ["src/paint.ts:400", "PATH_NOT_FOUND"],
  ["paintPolygn", "SYMBOL_NOT_FOUND"],
  ["../paint.ts", "PATH_OUTSIDE_SOURCE"],
  [".env", "PATH_NOT_FOUND"],
])("%s is %s", async (target, code) => {
  const index = await indexed({ ...FILES, ".env": "KEY=1\n" });
  await expect(related(index, target)).rejects.toThrow(expect.objectContaining({ code }));
});
