import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { changedFiles } from "../../../scripts/check/changed-files.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  created.commit({ "a.ts": "1\n", "b.ts": "1\n", "c.ts": "1\n", ".gitignore": "ignored\n" });
  created.git("branch", "-M", "main");
  return created;
}

test("on main the files changed since the last commit are listed", () => {
  const { path, commit } = repository();
  expect(changedFiles(path)).toEqual([]);
  commit({ "b.ts": "2\n" });
  writeFileSync(join(path, "a.ts"), "2\n");
  writeFileSync(join(path, "new file.ts"), "1\n");
  writeFileSync(join(path, "ignored"), "1\n");
  rmSync(join(path, "c.ts"));
  expect(changedFiles(path)).toEqual(["a.ts", "c.ts", "new file.ts"]);
});

test("on a branch those of its commits are listed too, and not those of later commits to main", () => {
  const { path, git, commit } = repository();
  git("checkout", "-q", "-b", "topic");
  commit({ "b.ts": "2\n" });
  git("mv", "c.ts", "d.ts");
  git("checkout", "-q", "main");
  git("stash", "-q");
  commit({ "a.ts": "2\n" });
  git("checkout", "-q", "topic");
  git("stash", "pop", "-q");
  expect(changedFiles(path)).toEqual(["b.ts", "c.ts", "d.ts"]);
});

test("without a branch called main the files changed since the last commit are listed", () => {
  const { path, git, commit } = repository();
  git("branch", "-M", "trunk");
  commit({ "b.ts": "2\n" });
  writeFileSync(join(path, "a.ts"), "2\n");
  expect(changedFiles(path)).toEqual(["a.ts"]);
});

test("a folder that is no repository is an error", () => {
  expect(() => changedFiles("/")).toThrow(/git/);
});
