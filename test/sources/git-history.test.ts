import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { GitHistoryCache, GitHistory } from "../../src/sources/git-history.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { tree } from "../helpers/tree.ts";

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

function opened(): GitHistoryCache {
  const histories = new GitHistoryCache();
  onTestFinished(() => histories.close());
  return histories;
}

async function historyOf(root: string, histories = opened()): Promise<GitHistory> {
  const { history, problem } = await histories.of({ root }, new AbortController().signal);
  if (history === undefined) throw new Error(problem);
  return history;
}

/** `path shared/total`, the strongest first. */
function partners(history: GitHistory, ...paths: readonly string[]): readonly string[] {
  return history
    .changedWith(paths)
    .map(({ path, sharedCommits, subjectCommits }) => `${path} ${sharedCommits}/${subjectCommits}`);
}

test("files that change together have the number and the time of shared commits", async () => {
  const { path, commit } = repository();
  commit({ "a.ts": "1", "b.ts": "1", "c.ts": "1" });
  commit({ "a.ts": "2", "b.ts": "2" });
  commit({ "a.ts": "3", "b.ts": "3" });
  commit({ "c.ts": "2", "d.ts": "1" });
  const history = await historyOf(path);
  expect(history.commits).toBe(4);
  expect(history.commitsOf("a.ts")).toBe(3);
  expect(partners(history, "a.ts")).toEqual(["b.ts 3/3", "c.ts 1/3"]);
  expect(history.changedWith(["a.ts"])[0]).toMatchObject({ last: "2026-01-03T00:00:00.000Z" });
  expect(partners(history, "a.ts", "b.ts")).toEqual(["c.ts 1/3"]);
  expect(partners(history, "nothing.ts")).toEqual([]);
});

test("a history is whole, although its reader has other work for seconds", async () => {
  const { path, commit } = repository();
  commit({ "a.ts": "1", "b.ts": "1" });
  commit({ "a.ts": "2", "b.ts": "2" });
  const reading = historyOf(path);
  await new Promise((resolve) => void setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  expect((await reading).commits).toBe(2);
});

test("commitsSince counts the commits after the last one of a file", async () => {
  const { path, commit } = repository();
  commit({ "a.ts": "1", "b.ts": "1" });
  commit({ "a.ts": "2" });
  commit({ "c.ts": "1" });
  const history = await historyOf(path);
  expect(["c.ts", "a.ts", "b.ts", "d.ts"].map((one) => history.commitsSince(one))).toEqual([
    0,
    1,
    2,
    undefined,
  ]);
});

test("a commit of many files weighs less than one of two files", () => {
  const many = Array.from({ length: 30 }, (_, at) => at + 3);
  const paths = ["a", "b", "c", ...many.map((number) => `many${number}`)];
  const history = new GitHistory(paths, [
    { time: 3, files: [0, ...many] },
    { time: 2, files: [0, 1] },
  ]);
  expect(history.changedWith(["a"])[0]?.path).toBe("b");
});

test("of two equal partners, the one that changes less often comes first", () => {
  const history = new GitHistory(
    ["a", "b", "always"],
    [
      { time: 3, files: [0, 1, 2] },
      { time: 2, files: [2] },
      { time: 1, files: [2] },
    ],
  );
  expect(partners(history, "a")).toEqual(["b 1/1", "always 1/1"]);
});

test("commits of more than 50 files and merges are ignored", async () => {
  const { path, commit, git } = repository();
  const files = Array.from({ length: 51 }, (_, at) => [`f${at}.ts`, "1"] as const);
  commit(Object.fromEntries(files));
  commit({ "a.ts": "1", "f0.ts": "2" });
  git("switch", "-q", "-c", "side");
  commit({ "side.ts": "1" });
  git("switch", "-q", "main");
  commit({ "main.ts": "1" });
  git("merge", "-q", "--no-ff", "-m", "both", "side");
  const history = await historyOf(path);
  expect(history.commits).toBe(3);
  expect(partners(history, "f0.ts")).toEqual(["a.ts 1/1"]);
  expect(partners(history, "main.ts")).toEqual([]);
});

test("the history of a folder has only the files inside it", async () => {
  const { path, commit } = repository();
  commit({ "packages/é/a.ts": "1", "packages/é/b.ts": "1", "secret/c.ts": "1" });
  const history = await historyOf(join(path, "packages/é"));
  expect(partners(history, "a.ts")).toEqual(["b.ts 1/1"]);
});

test("names with any bytes are preserved", async () => {
  const { path, git, commit } = repository();
  const names = ["caf\u{10FFE9}.ts", "line\nbreak", "\x01 1", "\x01 2", 'quo"te', "\n"];
  plantPaths(path, Object.fromEntries(names.map((name) => [name, "x"])));
  commit({ "a.ts": "1" });
  expect(git("ls-files", "-z").split("\0").length).toBe(names.length + 2);
  const found = (await historyOf(path)).changedWith(["a.ts"]).map(({ path: name }) => name);
  expect(found.toSorted()).toEqual(names.toSorted());
});

test("a history is read once for each HEAD", async () => {
  const { path, commit, git } = repository();
  commit({ "a.ts": "1", "b.ts": "1" });
  const histories = opened();
  const first = await historyOf(path, histories);
  expect(await historyOf(path, histories)).toBe(first);
  commit({ "a.ts": "2", "b.ts": "2" });
  const second = await historyOf(path, histories);
  expect(partners(second, "a.ts")).toEqual(["b.ts 2/2"]);
  git("pack-refs", "--all");
  expect(await historyOf(path, histories)).toBe(second);
  git("checkout", "-q", "HEAD~1");
  expect((await historyOf(path, histories)).commits).toBe(1);
});

test("a linked work tree and a shallow clone have a history", async () => {
  const { path, commit, git } = repository();
  commit({ "a.ts": "1", "b.ts": "1" });
  commit({ "a.ts": "2", "b.ts": "2" });
  const place = tree();
  onTestFinished(place.dispose);
  const root = join(place.path, "linked");
  git("worktree", "add", "-q", root);
  const histories = opened();
  const { signal } = new AbortController();
  const outsideGit = join(path, ".git/worktrees/linked");
  expect((await histories.of({ root, outsideGit }, signal)).history?.commits).toBe(2);
  expect((await histories.of({ root }, signal)).problem).toContain("outside");
  const clone = join(place.path, "clone");
  execFileSync("git", ["clone", "-q", "--depth=1", `file://${path}`, clone], { stdio: "ignore" });
  expect((await historyOf(clone)).commits).toBe(1);
});

test("a folder without a repository, or without a commit, gives that as the reason", async () => {
  const { path, dispose } = tree({ "a.ts": "" });
  onTestFinished(dispose);
  await expect(historyOf(path)).rejects.toThrow("not a git repository");
  await expect(historyOf(repository().path)).rejects.toThrow("no commit");
});

test("an aborted call gets no history, and the next one does", async () => {
  const { path, commit } = repository();
  commit({ "a.ts": "1", "b.ts": "1" });
  const histories = opened();
  await expect(histories.of({ root: path }, AbortSignal.abort())).rejects.toThrow(/abort/i);
  expect((await historyOf(path, histories)).commits).toBe(1);
});
