import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";
import { linkedGitDirectory } from "../../src/sources/git-location.ts";
import { gitTopLevel, repositoryAt } from "../../src/sources/git.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { folder, git, tracked } from "./tracked.ts";

test("submodules are listed by their folder, and have their own list", () => {
  const library = folder({ "lib.ts": "" });
  git(library, "init", "-q");
  git(library, "add", ".");
  git(library, "commit", "-qm", "1");
  const root = folder();
  git(root, "init", "-q");
  git(root, "submodule", "add", "-q", library, "deps/library");
  expect(tracked(root)).toEqual([".gitmodules", "deps/library"]);
  const module = join(root, "deps/library");
  expect(tracked(module)).toBeUndefined();
  const allowed = linkedGitDirectory(module);
  expect(allowed).toBe(join(root, ".git/modules/deps/library"));
  expect(tracked(module, allowed)).toEqual(["lib.ts"]);
  const within = [root];
  expect(repositoryAt(module, within)).toMatchObject({ gitDirectory: allowed, within });
  expect(gitTopLevel(join(root, "deps/library"))).toBe(join(root, "deps/library"));
});

test("a sub-folder belongs to the repository above it", () => {
  const root = folder({ "a.ts": "", "pkg/c/d.ts": "" });
  git(root, "init", "-q");
  git(root, "add", ".");
  expect(tracked(join(root, "pkg"))).toEqual(["a.ts", "pkg/c/d.ts"]);
  expect(gitTopLevel(join(root, "pkg/c"))).toBe(root);
});

test("without a repository, or with one that is not valid, nothing is tracked", () => {
  const root = folder({
    "a.ts": "",
    "b/.git/config": "",
    "c/.git": "gitdir: ../nowhere\n",
    "d/.git": "nonsense",
  });
  for (const name of ["", "b", "c", "d"]) {
    expect(gitTopLevel(join(root, name))).toBeUndefined();
    expect(tracked(join(root, name))).toBeUndefined();
  }
});

test("a new repository tracks nothing", () => {
  const root = folder({ "a.ts": "" });
  git(root, "init", "-q");
  expect(tracked(root)).toEqual([]);
});

test("a repository in a folder whose name is not UTF-8 is read", () => {
  const parent = folder();
  plantPaths(parent, { "r\u{10FFE9}/a.ts": "", "r\u{10FFE9}/b\u{10FFFF}": "" });
  execFileSync("sh", ["-c", "cd r* && git init -q && git add ."], { cwd: parent });
  const root = join(parent, "r\u{10FFE9}");
  expect(repositoryAt(root)?.topLevel).toBe(root);
  expect(tracked(root)).toEqual(["a.ts", "b\u{10FFFF}"]);
});
