import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { isBareRepository } from "../../src/sources/bare-repository.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { tree } from "../helpers/tree.ts";

/** A clone without a work tree. */
function bare(): string {
  const { path, git, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ "a.ts": "" });
  git("clone", "-q", "--bare", path, join(path, "bare.git"));
  return join(path, "bare.git");
}

test("a repository with a work tree is not bare, nor is its .git, nor any other folder", () => {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  commit({ "a.ts": "" });
  expect([isBareRepository(path), isBareRepository(join(path, ".git"))]).toEqual([false, false]);
  const plain = tree({ HEAD: "ref: refs/heads/main\n", config: "[core]\n\tbare = true\n" });
  onTestFinished(plain.dispose);
  expect(isBareRepository(plain.path)).toBe(false);
  expect(isBareRepository(join(plain.path, "none"))).toBe(false);
});

test("a bare repository is one, also with a detached HEAD", () => {
  const path = bare();
  expect(isBareRepository(path)).toBe(true);
  writeFileSync(join(path, "HEAD"), `${"0a".repeat(20)}\n`);
  expect(isBareRepository(path)).toBe(true);
});

test.each(["objects", "refs", "HEAD", "config"])("without its %s it is none", (name) => {
  const path = bare();
  rmSync(join(path, name), { recursive: true });
  expect(isBareRepository(path)).toBe(false);
});
