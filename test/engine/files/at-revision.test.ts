import { expect, onTestFinished, test } from "vitest";

import { atRevision } from "../../../src/engine/files/at-revision.ts";
import { readTargets } from "../../../src/engine/files/read-targets.ts";
import { searchText } from "../../../src/engine/text-search/search-text.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { indexOf, sourceAt, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { LOCAL } from "../../helpers/rpc.ts";

const { signal } = new AbortController();
const OLD = "export function first() {\n  return oldCall();\n}\n";
const NOW = "// head\n\nexport function first() {\n  return newCall();\n}\n";

function opened(): GitRepository & { readonly index: IndexedTree } {
  const created = gitRepository();
  const index = indexOf(created.path, { memory: true }, created.dispose);
  onTestFinished(index.dispose);
  return { ...created, index };
}

async function contextAt(
  { index }: { readonly index: IndexedTree },
  revision: string,
  sources = index.sources,
) {
  await index.run();
  return atRevision({ ...(await index.queryContext()), sources }, revision, signal);
}

test("files, lines and definitions are read as they were", async () => {
  const repository = opened();
  const { git, commit } = repository;
  commit({ "src/a.js": OLD, "gone.js": "gone();\n" });
  git("tag", "old");
  commit({ "src/a.js": NOW, "gone.js": undefined });
  const context = await contextAt(repository, "old");
  const targets = ["src/a.js:2", "first", "src/a.js#first", "gone.js", "none.js"];
  const request = { targets, maxTokens: 2000, principal: LOCAL, signal };
  const { parts, problems } = await readTargets(context, request);
  expect(parts.map(({ startLine, lines }) => [startLine, lines.join("|")])).toEqual([
    [2, "  return oldCall();"],
    [1, OLD.trimEnd().replaceAll("\n", "|")],
    [1, OLD.trimEnd().replaceAll("\n", "|")],
    [1, "gone();"],
  ]);
  expect(parts[0]?.enclosing).toEqual(["function first (1-3)"]);
  expect(problems.map(({ target, code }) => [target, code])).toEqual([
    ["none.js", "PATH_NOT_FOUND"],
  ]);
});

test("text is searched in the files of the commit, page by page", async () => {
  const repository = opened();
  const files = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [`f${at}.js`, "oldCall();\n"]),
  );
  repository.commit({ ...files, ".env": "oldCall=1\n", "package-lock.json": '"oldCall"\n' });
  repository.commit(Object.fromEntries(Object.keys(files).map((name) => [name, "newCall();\n"])));
  const context = await contextAt(repository, "HEAD~1");
  const request = {
    pattern: "oldCall",
    isRegex: true,
    caseSensitive: true,
    wholeWord: false,
    contextLines: 0,
    output: "matches" as const,
    limit: 3,
    principal: LOCAL,
    signal,
  };
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before ends
    const page = await searchText(context, { ...request, cursor });
    found.push(...page.matches.map(({ path, line }) => `${path}:${line}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(Object.keys(files).map((name) => `${name}:1`));
  const now = await searchText(await contextAt(repository, "HEAD"), request);
  expect(now.matches).toEqual([]);
});

test("secrets are masked, files of secrets are not read, and the owner's globs hold", async () => {
  const repository = opened();
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
  repository.commit({ "a.js": `token("${secret}");\n`, ".env": "KEY=1\n", "skip/b.js": "b();\n" });
  const sources = [sourceAt(repository.path, { exclude: ["skip/"] })];
  const context = await contextAt(repository, "HEAD", sources);
  const targets = ["a.js", ".env"];
  const result = await readTargets(context, { targets, maxTokens: 2000, principal: LOCAL, signal });
  expect(JSON.stringify(result.parts)).not.toContain(secret);
  expect(result.problems.map(({ target }) => target)).toEqual([".env"]);
  const paths: string[] = [];
  for await (const { path } of context.reader.textCandidates({ kind: "all" }, {})) paths.push(path);
  expect(paths).toEqual(["a.js"]);
});
