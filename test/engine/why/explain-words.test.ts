import { expect, onTestFinished, test } from "vitest";

import { CommitIndexer } from "../../../src/engine/why/commit-indexer.ts";
import { explainWords } from "../../../src/engine/why/explain-words.ts";
import { memoryCommits } from "../../../src/index/commits/memory-commits.ts";
import { createTokenizer } from "../../../src/parse/tokenizer.ts";
import type { Source } from "../../../src/sources/registry/records.ts";
import { LOCAL } from "../../helpers/rpc.ts";
import { tree } from "../../helpers/tree.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { linesOf, signal } from "./why-repository.ts";

type Answer = Awaited<ReturnType<typeof explainWords>>;

function asker(sources: readonly Source[]): (question: string, limit?: number) => Promise<Answer> {
  const indexer = new CommitIndexer(memoryCommits());
  onTestFinished(() => indexer.close());
  const context = { namespace: "project", sources, indexer, tokenizer: createTokenizer() };
  return (question, limit = 5) =>
    explainWords(context, { question, limit, signal, waitMs: 60_000, principal: LOCAL });
}

function repository(): ReturnType<typeof gitRepository> {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

const UPLOAD = ["export function sendUpload(file) {", "  retry(() => post(file));", "}"];

test("a question finds the commit by its message, with its hunk and the definitions it touched", async () => {
  const { path, commit } = repository();
  commit({ "src/upload.js": linesOf(...UPLOAD) }, "Send files");
  const stop = commit(
    { "src/upload.js": linesOf(...UPLOAD.with(1, "  post(file);")), "b.js": "b();\n" },
    "Do not retry uploads any more\n\nThe server does that (#7).",
  );
  commit({ "b.js": "c();\n" }, "Unrelated work");
  const { commits, partial } = await asker([sourceAt(path)])("when did we stop retrying uploads?");
  expect(partial).toEqual(['No commit has the word "stop".']);
  expect(commits[0]).toMatchObject({
    id: stop,
    issues: ["#7"],
    path: "src/upload.js",
    touched: [{ path: "src/upload.js", symbol: "sendUpload" }],
    why: [],
  });
  expect(commits[0]?.hunk).toContain("-  retry(() => post(file));");
});

test("words that no commit has are named, if others are found", async () => {
  const { path, commit } = repository();
  commit({ "a.js": "start();\n" }, "Upload files");
  const ask = asker([sourceAt(path)]);
  const one = await ask("why do we upload by carrierPigeon");
  expect([one.commits.length, one.partial]).toEqual([
    1,
    ['No commit has the word "carrierPigeon".'],
  ]);
  expect((await ask("uploading files with pigeons, submarines")).partial).toEqual([
    'No commit has the words "pigeons", "submarines".',
  ]);
  expect((await ask("uploading a file")).partial).toEqual([]);
  expect(await ask("pigeons")).toEqual({ commits: [], partial: [] });
});

test("a commit that says nothing is found by the lines that it changed", async () => {
  const { path, commit } = repository();
  commit({ "a.js": linesOf("start();") }, "one");
  const id = commit({ "a.js": linesOf("start();", "configureExponentialBackoff();") }, "wip");
  commit({ "a.js": linesOf("start();", "x();") }, "two");
  const { commits } = await asker([sourceAt(path)])("exponential backoff");
  expect(commits.map((one) => one.subject).toSorted()).toEqual(["two", "wip"]);
  expect(commits.map((one) => one.id)).toContain(id);
});

test("a revert among the found commits is named", async () => {
  const { path, git, commit } = repository();
  commit({ "a.js": "a();\n" });
  const cache = commit({ "a.js": "cache();\n" }, "Cache the parsed tables");
  git("revert", "--no-edit", "HEAD");
  const { commits } = await asker([sourceAt(path)])("cache parsed tables");
  expect(commits.find(({ id }) => id === cache)?.revertedBy).toBe(git("rev-parse", "HEAD"));
});

test("several sources are searched together, and paths have their prefixes", async () => {
  const [one, other] = [repository(), repository()];
  one.commit({ "a.js": "a();\n" }, "Teach the parser about commas");
  other.commit({ "b.js": "b();\n" }, "Teach the parser about semicolons");
  const sources = [sourceAt(one.path), sourceAt(other.path, { id: 2, prefix: "lib/" })];
  const { commits } = await asker(sources)("parser semicolons");
  expect(commits.map(({ path }) => path)).toEqual(["lib/b.js", "a.js"]);
});

test("files with secrets are neither found nor shown", async () => {
  const { path, commit } = repository();
  commit({ ".env": "WORD=unmistakable\n", "a.js": "a();\n" }, "Configure");
  const ask = asker([sourceAt(path)]);
  expect((await ask("unmistakable")).commits).toEqual([]);
  const { commits } = await ask("configure");
  expect([commits[0]?.path, commits[0]?.hunk.includes("unmistakable")]).toEqual(["a.js", false]);
});

test("a word that no commit has finds none, and no repository is an error with a remedy", async () => {
  const { path, commit } = repository();
  commit({ a: "1" }, "Something");
  expect(await asker([sourceAt(path)])("xylophone")).toEqual({ commits: [], partial: [] });
  const folder = tree({ a: "1" });
  onTestFinished(folder.dispose);
  await expect(asker([sourceAt(folder.path)])("anything")).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: expect.stringContaining("not in a git repository"),
  });
});
