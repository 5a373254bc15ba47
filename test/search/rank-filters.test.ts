import { expect, test } from "vitest";

import type { SearchRequest } from "../../src/engine/api/search.ts";
import { MIXED, pathsOf, sharedIndexes, TOKENS, type Files } from "./searchable.ts";

const indexOfShared = sharedIndexes();

/** Returns the paths of the answer to a query over these files, best first. */
async function rankedPaths(
  files: Files,
  query: string,
  limits: Partial<SearchRequest> = {},
): Promise<readonly string[]> {
  return pathsOf(await (await indexOfShared(files)).search(query, limits));
}

test.each<[string, Partial<SearchRequest>, string[]]>([
  [
    "a glob without a slash, in any folder",
    { path: "*.ts" },
    ["src/a.ts", "src/deep/b.ts", "test/f.test.ts"],
  ],
  ["a glob with a slash, from the root", { path: "src/*.ts" }, ["src/a.ts"]],
  ["two stars", { path: "src/**/*.ts" }, ["src/a.ts", "src/deep/b.ts"]],
  ["a folder", { path: "src" }, ["src/a.ts", "src/c.py", "src/deep/b.ts"]],
  ["a folder with a slash", { path: "src/" }, ["src/a.ts", "src/c.py", "src/deep/b.ts"]],
  ["./ before a folder", { path: "./src/deep/" }, ["src/deep/b.ts"]],
  ["a folder anywhere", { path: "deep/" }, ["src/deep/b.ts"]],
  ["one file", { path: "src/c.py" }, ["src/c.py"]],
  ["braces", { path: "*.{py,js}" }, ["lib/d.js", "src/c.py"]],
  [
    "braces within braces",
    { path: "{src/{c.py,deep/*},lib/*}" },
    ["lib/d.js", "src/c.py", "src/deep/b.ts"],
  ],
  ["not", { path: "!*.ts" }, ["docs/e.md", "lib/d.js", "needle.yaml", "src/c.py"]],
  ["not a folder", { path: "!{src,test}/" }, ["docs/e.md", "lib/d.js", "needle.yaml"]],
  ["nothing that matches", { path: "nowhere/" }, []],
  ["a language, in any case", { language: "Python" }, ["src/c.py"]],
  ["a kind", { kinds: ["docs"] }, ["docs/e.md"]],
  ["several kinds", { kinds: ["tests", "config"] }, ["needle.yaml", "test/f.test.ts"]],
  [
    "all of them at once",
    { path: "src/", language: "typescript", kinds: ["code"] },
    ["src/a.ts", "src/deep/b.ts"],
  ],
])("the answer is limited to %s", async (_, limits, expected) => {
  expect((await rankedPaths(MIXED, "needle", limits)).toSorted()).toEqual(expected);
});

test("a glob of many braces is expanded quickly", async () => {
  const path = `${"{a,b}".repeat(100)}*.ts`;
  expect(await rankedPaths(MIXED, "needle", { path })).toEqual([]);
});

const BOTH = { ...TOKENS, ...MIXED };

test("a filter removes results and keeps their order", async () => {
  const indexed = await indexOfShared(BOTH);
  for (const question of ["revoke token", "needle", "session"]) {
    const all = await indexed.search(question, { limit: 50, maxTokens: 20_000 });
    const some = await indexed.search(question, { limit: 50, maxTokens: 20_000, path: "src/" });
    expect(pathsOf(some)).toEqual(pathsOf(all).filter((path) => path.startsWith("src/")));
  }
});
