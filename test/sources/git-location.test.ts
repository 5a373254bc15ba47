import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { linkedGitDirectory } from "../../src/sources/git-location.ts";
import { repositoryAbove, repositoryProblem } from "../../src/sources/git.ts";
import { plant } from "../helpers/tree.ts";
import { folder, git, tracked } from "./tracked.ts";

test("a linked work tree has its own index and shares the configuration", () => {
  const main = folder({ "a.ts": "" });
  git(main, "init", "-q");
  git(main, "add", ".");
  git(main, "commit", "-qm", "1");
  const linked = join(folder(), "linked");
  git(main, "worktree", "add", "-q", linked);
  git(linked, "rm", "-q", "a.ts");
  const outsideGit = join(main, ".git/worktrees/linked");
  expect(linkedGitDirectory(linked)).toBe(outsideGit);
  expect(tracked(linked, outsideGit)).toEqual([]);
  expect(repositoryAbove({ root: linked, outsideGit })).toMatchObject({
    topLevel: linked,
    commonDirectory: join(main, ".git"),
    gitDirectory: outsideGit,
  });
  plant(linked, { "sub/b.ts": "" });
  expect(repositoryAbove({ root: join(linked, "sub"), outsideGit })?.topLevel).toBe(linked);
});

test("a linked work tree without permission, or with permission for another one, has no repository", () => {
  const main = folder({ "a.ts": "" });
  git(main, "init", "-q");
  git(main, "add", ".");
  git(main, "commit", "-qm", "1");
  const [linked, other] = [join(folder(), "linked"), join(folder(), "other")];
  git(main, "worktree", "add", "-q", linked);
  git(main, "worktree", "add", "-q", other);
  const outsideGit = join(main, ".git/worktrees/linked");
  expect(repositoryAbove({ root: linked })).toBeUndefined();
  expect(repositoryProblem({ root: linked })?.detail).toContain("outside");
  expect(repositoryProblem({ root: linked, outsideGit })).toBeUndefined();
  // The tree names another git directory, or one that belongs to another tree.
  for (const target of [join(main, ".git"), join(main, ".git/worktrees/other")]) {
    writeFileSync(join(linked, ".git"), `gitdir: ${target}\n`);
    expect(repositoryAbove({ root: linked, outsideGit })).toBeUndefined();
    expect(repositoryAbove({ root: linked, outsideGit: target })).toBeUndefined();
    expect(linkedGitDirectory(linked)).toBeUndefined();
  }
});

test("the error for a .git that leads outside does not reveal what exists there", () => {
  const root = folder({
    "here/.git": "gitdir: ../there/.git\n",
    "gone/.git": "gitdir: ../nothing/.git\n",
  });
  git(root, "init", "-q", "there");
  const problems = ["here", "gone"].map((name) => repositoryProblem({ root: join(root, name) }));
  expect(problems[0]).toEqual(problems[1]);
  expect(problems[0]?.detail).not.toContain("there");
});
