import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { linkedGitDirectory } from "../../src/sources/git-location.ts";
import { isSameRepository, repositoryPlace } from "../../src/sources/same-repository.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { sourceAt } from "../helpers/indexed-tree.ts";
import { tree } from "../helpers/tree.ts";

/** As the owner of the machine has allowed it. */
function placeOf(root: string) {
  const place = repositoryPlace(sourceAt(root, { outsideGit: linkedGitDirectory(root) }));
  if (place === undefined) throw new Error(`${root} is in no repository`);
  return place;
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
