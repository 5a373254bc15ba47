import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { repositoryAt, repositoryProblem, type Repository } from "../../src/sources/git.ts";
import { storeProblem } from "../../src/sources/git-store.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { tree } from "../helpers/tree.ts";

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  created.commit({ "a.ts": "1" });
  return created;
}

function found(root: string): Repository {
  const one = repositoryAt(root);
  if (one === undefined) throw new Error("no repository");
  return one;
}

test("ordinary repositories are used: packed, shallow, sparse, split, SHA-256, with a commit graph", () => {
  const { path, git, commit } = repository();
  expect(storeProblem(found(path))).toBeUndefined();
  commit({ "b/c.ts": "2" });
  git("gc", "-q");
  git("commit-graph", "write", "--reachable", "--split");
  git("update-index", "--split-index");
  expect(storeProblem(found(path))).toBeUndefined();
  git("sparse-checkout", "set", "--sparse-index", "b");
  expect(storeProblem(found(path))).toBeUndefined();
  const place = tree();
  onTestFinished(place.dispose);
  const clone = join(place.path, "clone");
  execFileSync("git", ["clone", "-q", "--depth=1", "--filter=blob:none", `file://${path}`, clone], {
    stdio: "ignore",
  });
  expect(storeProblem(found(clone))).toBeUndefined();
  const sha256 = join(place.path, "sha256");
  execFileSync("git", ["init", "-q", "--object-format=sha256", sha256]);
  expect(storeProblem(found(sha256))).toBeUndefined();
});

test("a link that stays inside is used, as for tools that keep git directories together", () => {
  const { path } = repository();
  mkdirSync(join(path, ".repo"));
  for (const name of ["objects", "refs"]) {
    renameSync(join(path, ".git", name), join(path, ".repo", name));
    symlinkSync(`../.repo/${name}`, join(path, ".git", name));
  }
  renameSync(join(path, ".git"), join(path, ".repo/project.git"));
  for (const name of ["objects", "refs"]) {
    execFileSync("ln", ["-sfn", `../${name}`, join(path, ".repo/project.git", name)]);
  }
  symlinkSync(".repo/project.git", join(path, ".git"));
  expect(storeProblem(found(path))).toBeUndefined();
});

test("alternates inside are used, those outside are not, and both are checked each time", () => {
  const { path } = repository();
  const outside = tree({ "objects/": "" });
  onTestFinished(outside.dispose);
  const alternates = join(path, ".git/objects/info/alternates");
  mkdirSync(join(path, "cache/objects"), { recursive: true });
  for (const inside of [
    "../../cache/objects",
    join(path, "cache/objects"),
    "# none",
    "./nowhere",
  ]) {
    writeFileSync(alternates, `${inside}\n`);
    expect([inside, repositoryProblem({ root: path })]).toEqual([inside, undefined]);
  }
  for (const out of [
    join(outside.path, "objects"),
    "../../../x/objects",
    "/proc/self/cwd",
    '"a"',
  ]) {
    writeFileSync(alternates, `../../cache/objects\n${out}\n`);
    expect([out, repositoryProblem({ root: path })?.detail]).toEqual([
      out,
      expect.stringContaining("outside its folder"),
    ]);
    expect(repositoryAt(path)).toBeUndefined();
  }
});

test("a folder of objects that passed the check is checked again after a change", () => {
  const { path } = repository();
  execFileSync("touch", ["-d", "2020-01-01", join(path, ".git/objects/pack")]);
  expect(storeProblem(found(path))).toBeUndefined();
  expect(storeProblem(found(path))).toBeUndefined();
  symlinkSync("/etc/hostname", join(path, ".git/objects/pack/pack-1.pack"));
  expect(storeProblem(found(path))?.detail).toContain(".git/objects");
});
