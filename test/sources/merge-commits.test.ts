import { expect, onTestFinished, test } from "vitest";

import { readCommits } from "../../src/sources/commit-objects.ts";
import { repositoryAbove } from "../../src/sources/git.ts";
import { mergesOf } from "../../src/sources/merge-commits.ts";
import { withGit } from "../../src/sources/run-git.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { sourceAt } from "../helpers/indexed-tree.ts";

const { signal } = new AbortController();

function opened(): GitRepository {
  const repository = gitRepository();
  onTestFinished(repository.dispose);
  return repository;
}

/** The merges of commits at HEAD. */
async function merges(
  { path, git }: GitRepository,
  ids: readonly string[],
  timeoutMs = 60_000,
): Promise<ReadonlyMap<string, string>> {
  const repository = repositoryAbove(sourceAt(path));
  if (repository === undefined) throw new Error("no repository");
  return withGit(repository, async (run) => {
    const limits = { signal, timeoutMs: 60_000, maxBytes: 1 << 20 };
    const commits = [...(await readCommits(run, ids, limits)).values()];
    const head = git("rev-parse", "HEAD");
    return mergesOf(run, { head, commits }, { signal, timeoutMs });
  });
}

test("a commit has the merge that brought it into the branch, not a later or an inner one", async () => {
  const one = opened();
  const { git, commit } = one;
  const merge = (branch: string): string => {
    git("merge", "-q", "--no-ff", "-m", `Merge ${branch}`, branch);
    return git("rev-parse", "HEAD");
  };
  const root = commit({ a: "1" });
  git("checkout", "-q", "-b", "topic");
  const first = commit({ b: "1" });
  git("checkout", "-q", "-b", "inner");
  const inside = commit({ c: "1" });
  git("checkout", "-q", "topic");
  const second = commit({ b: "2" });
  const inner = merge("inner");
  git("checkout", "-q", "main");
  const direct = commit({ a: "2" });
  const outer = merge("topic");
  git("checkout", "-q", "topic");
  const third = commit({ b: "3" });
  git("checkout", "-q", "main");
  const later = merge("topic");
  const all = [root, first, inside, second, inner, direct, outer, third, later];
  const found = await merges(one, all);
  expect(Object.fromEntries(found)).toEqual({
    [first]: outer,
    [inside]: outer,
    [second]: outer,
    [inner]: outer,
    [third]: later,
  });
  // Without the older commits, git reads less, with the same result.
  expect(Object.fromEntries(await merges(one, [third]))).toEqual({ [third]: later });
  expect(Object.fromEntries(await merges(one, [second]))).toEqual({ [second]: outer });
  expect(await merges(one, [])).toEqual(new Map());
});

test("without time nothing is known", async () => {
  const one = opened();
  const id = one.commit({ a: "1" });
  expect(await merges(one, [id], 0)).toEqual(new Map());
});
