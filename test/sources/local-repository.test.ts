import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { requireOwnRepository } from "../../src/sources/local-repository.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { tree } from "../helpers/tree.ts";

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  created.commit({ "a.ts": "" });
  return created;
}

function folder(): string {
  const { path, dispose } = tree({ "a.ts": "" });
  onTestFinished(dispose);
  return path;
}

/** A clone without a work tree. */
function bareClone(...flags: readonly string[]): string {
  const { path, git } = repository();
  const clone = join(folder(), "bare.git");
  git("clone", "-q", "--bare", ...flags, path, clone);
  return clone;
}

const NONE = /no git repository in that folder/;
const LEADS_OUT = /leads to another one|outside/;

test("a folder with a .git directory is a repository, and so is a bare one", () => {
  expect(() => requireOwnRepository(repository().path)).not.toThrow();
  expect(() => requireOwnRepository(bareClone())).not.toThrow();
});

test("a folder without one is none, even next to a repository of its name, which git would take", () => {
  const clone = bareClone();
  expect(() => requireOwnRepository(clone.replace(/\.git$/, ""))).toThrow(NONE);
  expect(() => requireOwnRepository(folder())).toThrow(NONE);
});

test("a work tree whose repository is elsewhere is refused", () => {
  const { git } = repository();
  const linked = join(folder(), "linked");
  git("worktree", "add", "-q", linked);
  expect(() => requireOwnRepository(linked)).toThrow(LEADS_OUT);
});

test("a bare repository that names another one is refused", () => {
  const clone = bareClone();
  writeFileSync(join(clone, "commondir"), `${join(repository().path, ".git")}\n`);
  expect(() => requireOwnRepository(clone)).toThrow(LEADS_OUT);
});

test("a repository that borrows objects from another one is refused", () => {
  expect(() => requireOwnRepository(bareClone("--shared"))).toThrow(/objects/);
});
