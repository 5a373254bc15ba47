import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  openHistory,
  pathOfRepository,
  pathOfSource,
  shallowProblem,
} from "../../src/sources/open-history.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { plant, tree } from "../helpers/tree.ts";

const { signal } = new AbortController();

test("a source below the top level of a repository has the history of its folder", async () => {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  const head = commit({ "lib/a.ts": "1" });
  const history = await openHistory({ root: join(path, "lib") }, signal);
  expect(history).toMatchObject({ head, below: "lib" });
  expect(history.shallow.size).toBe(0);
  expect(pathOfRepository(history, "a.ts")).toBe("lib/a.ts");
  expect(pathOfSource(history, "lib/a.ts")).toBe("a.ts");
  expect(pathOfSource(history, "library/a.ts")).toBeUndefined();
});

test("a shallow clone names the commits whose parents are missing", async () => {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ a: "1" });
  const head = commit({ a: "2" });
  const clone = tree();
  onTestFinished(clone.dispose);
  const args = ["clone", "-q", "--depth=1", `file://${path}`, join(clone.path, "c")];
  execFileSync("git", args, { stdio: "ignore" });
  const history = await openHistory({ root: join(clone.path, "c") }, signal);
  expect([...history.shallow]).toEqual([head]);
  expect(shallowProblem(history)).toContain("run `git fetch --unshallow`");
  // svc would make its own clone shallow again.
  const url = "https://git.example.org/a.git";
  expect(shallowProblem({ ...history, url })).toContain("`svc index` of your own clone");
  expect(shallowProblem({ shallow: new Set(), url })).toBeUndefined();
});

test("a folder without a repository, and one without a commit, are refused with a remedy", async () => {
  const folder = tree({ a: "1" });
  onTestFinished(folder.dispose);
  await expect(openHistory({ root: folder.path }, signal)).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: expect.stringContaining("is not in a git repository"),
    hint: expect.stringContaining("svc index URL"),
  });
  const empty = gitRepository();
  onTestFinished(empty.dispose);
  await expect(openHistory({ root: empty.path }, signal)).rejects.toMatchObject({
    message: expect.stringContaining("has no commit"),
    hint: expect.stringContaining("Commit something"),
  });
});

test("a git directory outside of the folder is refused", async () => {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ a: "1" });
  const folder = tree();
  onTestFinished(folder.dispose);
  plant(folder.path, { ".git": `gitdir: ${path}/.git\n` });
  await expect(openHistory({ root: folder.path }, signal)).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: expect.stringContaining("outside the folder"),
  });
});
