import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import {
  remoteNames,
  repositoryName,
  workspaceRemoteNames,
} from "../../src/sources/repository-name.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { plant, tree } from "../helpers/tree.ts";

const NAME = "github.com/owner/project";

test.each([
  "https://github.com/owner/project",
  "https://github.com/Owner/Project.git",
  "https://ann:secret@github.com/owner/project.git/",
  "ssh://git@github.com:22/owner/project.git",
  "git@github.com:owner/project.git",
  "git@github.com:/owner/project",
])("%s is github.com/owner/project", (url) => {
  expect(repositoryName(url)).toBe(NAME);
});

test.each(["/srv/project.git", "../project", "", "https://github.com/"])(
  "%j names no repository of another machine",
  (url) => {
    expect(repositoryName(url)).toBeUndefined();
  },
);

test("the remotes of a repository come in the order of their likelihood, each once", () => {
  const { path, git, dispose } = gitRepository();
  onTestFinished(dispose);
  git("remote", "add", "backup", "https://example.org/backup.git");
  git("remote", "add", "upstream", "git@github.com:team/project.git");
  git("remote", "add", "mirror", "https://github.com/team/project");
  git("remote", "add", "origin", "git@github.com:ann/project.git");
  git("remote", "add", "local", "/srv/project.git");
  plant(path, { "src/a.ts": "" });
  const wanted = ["github.com/ann/project", "github.com/team/project", "example.org/backup"];
  expect(remoteNames({ root: path })).toEqual(wanted);
  expect(workspaceRemoteNames(join(path, "src"))).toEqual(wanted);
});

test("a linked worktree that the user named has the remotes of its repository", () => {
  const { path, git, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ "a.ts": "a" });
  git("remote", "add", "origin", "git@github.com:owner/project.git");
  const other = tree({ "parent/empty": "" });
  onTestFinished(other.dispose);
  const worktree = join(other.path, "parent/worktree");
  git("worktree", "add", "-q", worktree);
  expect(workspaceRemoteNames(worktree)).toEqual([NAME]);
  // Without the user's permission, svc does not leave the folder.
  expect(remoteNames({ root: worktree })).toEqual([]);
  expect(path).not.toBe(worktree);
});

test("a folder whose .git points to the repository of somebody else has no remotes", () => {
  const secret = gitRepository();
  onTestFinished(secret.dispose);
  secret.git("remote", "add", "origin", "https://example.org/secret.git");
  const { path, dispose } = tree({ ".git": `gitdir: ${join(secret.path, ".git")}\n` });
  onTestFinished(dispose);
  expect(workspaceRemoteNames(path)).toEqual([]);
});

test("a folder without a repository has none", () => {
  const { path, dispose } = tree({ "a.ts": "" });
  onTestFinished(dispose);
  expect(workspaceRemoteNames(path)).toEqual([]);
});
