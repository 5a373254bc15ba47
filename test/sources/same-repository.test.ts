import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { repositoryAbove } from "../../src/sources/git.ts";
import { linkedGitDirectory } from "../../src/sources/git-location.ts";
import { isSameRepository, repositoryPlace } from "../../src/sources/same-repository.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { sourceAt } from "../helpers/indexed-tree.ts";
import { tree } from "../helpers/tree.ts";

/** With the permission of the owner of the machine. */
function placeOf(root: string) {
  const place = repositoryPlace(sourceAt(root, { outsideGit: linkedGitDirectory(root) }));
  if (place === undefined) throw new Error(`${root} is in no repository`);
  return place;
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
}

function repository() {
  const main = gitRepository();
  const { path, dispose } = tree();
  onTestFinished(main.dispose);
  onTestFinished(dispose);
  main.commit({ "a.md": "a\n", "sub/b.md": "b\n" });
  return { main, in: (name: string) => join(path, name) };
}

test("worktrees and clones of a folder are of one repository, others are not", () => {
  const one = repository();
  one.main.git("worktree", "add", "-q", "--detach", one.in("linked"));
  for (const [name, address] of [
    ["clone", one.main.path],
    ["url", `file://${one.main.path}`],
  ] as const)
    execFileSync("git", ["clone", "-q", address, one.in(name)]);
  const main = placeOf(one.main.path);
  const same = ["linked", "clone", "url"].map((name) =>
    isSameRepository(main, placeOf(one.in(name))),
  );
  expect(same).toEqual([true, true, true]);
  expect(isSameRepository(main, placeOf(repository().main.path))).toBe(false);
});

test("clones that share objects are of one repository, without any remote, and with any other", () => {
  const one = repository();
  const [shared, borrowed] = [one.in("shared"), one.in("borrowed")];
  git(one.main.path, "clone", "-q", "--shared", one.main.path, shared);
  git(
    one.main.path,
    "clone",
    "-q",
    "--reference",
    one.main.path,
    `file://${one.main.path}`,
    borrowed,
  );
  git(shared, "remote", "remove", "origin");
  git(borrowed, "remote", "set-url", "origin", "https://example.org/fork/animals");
  const [main, ...clones] = [one.main.path, shared, borrowed].map(placeOf);
  if (main === undefined) throw new Error("no repository");
  expect(clones.map((clone) => isSameRepository(main, clone))).toEqual([true, true]);
  // Two clones that share the objects of a third belong to one repository, too.
  expect(isSameRepository(placeOf(shared), placeOf(borrowed))).toBe(true);
  // Its objects are outside, so git is not started on it.
  expect(repositoryAbove(sourceAt(shared))).toBeUndefined();
});

test.each([
  ["lines that are no folders", "#x\n\nnothing\n"],
  ["a quoted name", '"/x"\n'],
  ["too much", "x".repeat(2 << 20)],
])("of alternates with %s, a repository keeps its own names", (_what, text) => {
  const { main } = repository();
  const info = join(main.path, ".git/objects/info");
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, "alternates"), text);
  expect(placeOf(main.path).names).toContain(join(main.path, ".git"));
  expect(isSameRepository(placeOf(main.path), placeOf(repository().main.path))).toBe(false);
});

test("a link in place of alternates is not followed", () => {
  const [one, other] = [repository(), repository()];
  const list = join(other.main.path, "list");
  writeFileSync(list, `${join(other.main.path, ".git/objects")}\n`);
  mkdirSync(join(one.main.path, ".git/objects/info"), { recursive: true });
  symlinkSync(list, join(one.main.path, ".git/objects/info/alternates"));
  expect(isSameRepository(placeOf(one.main.path), placeOf(other.main.path))).toBe(false);
});

test("a shared remote makes two repositories one, in any spelling of its address", () => {
  const [one, other, third] = [repository(), repository(), repository()];
  one.main.git("remote", "add", "origin", "https://example.org/zoo/animals.git");
  other.main.git("remote", "add", "upstream", "git@example.org:zoo/animals");
  third.main.git("remote", "add", "origin", "https://example.org/zoo/plants");
  expect(isSameRepository(placeOf(one.main.path), placeOf(other.main.path))).toBe(true);
  expect(isSameRepository(placeOf(one.main.path), placeOf(third.main.path))).toBe(false);
});

test("another folder of the same repository is another one", () => {
  const { main } = repository();
  mkdirSync(join(main.path, "more"));
  const [sub, more] = [placeOf(join(main.path, "sub")), placeOf(join(main.path, "more"))];
  expect(isSameRepository(sub, more)).toBe(false);
  expect(isSameRepository(placeOf(main.path), sub)).toBe(false);
  expect(isSameRepository(sub, sub)).toBe(true);
});

test("a worktree whose git directory the owner has not allowed is of no repository", () => {
  const { main, in: at } = repository();
  main.git("worktree", "add", "-q", "--detach", at("linked"));
  expect(repositoryPlace(sourceAt(at("linked")))).toBeUndefined();
  const plain = tree();
  onTestFinished(plain.dispose);
  expect(repositoryPlace(sourceAt(plain.path))).toBeUndefined();
});
