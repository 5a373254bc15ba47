import { expect, onTestFinished, test } from "vitest";

import {
  described,
  mergedRequests,
  revertsAmong,
} from "../../../src/engine/why/describe-commit.ts";
import { readCommits, type Commit } from "../../../src/sources/commit-objects.ts";
import { repositoryAbove } from "../../../src/sources/git.ts";
import { withGit } from "../../../src/sources/run-git.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";

function commit(id: string, subject: string, body = ""): Commit {
  return { id: id.repeat(40), parents: [], author: "A", authoredAt: "", subject, body };
}

test("a revert is known by the beginning of an id, and also when its commit is not there", () => {
  const first = commit("a", "Retry");
  const second = commit("b", "Undo", `This reverts commit ${"a".repeat(12)}.`);
  const third = commit("c", "Undo more", `This reverts commit ${"d".repeat(40)}.`);
  const reverts = revertsAmong([third, second, first]);
  expect(described(first, reverts)).toMatchObject({ reverts: undefined, revertedBy: second.id });
  expect(described(second, reverts)).toMatchObject({ reverts: first.id, revertedBy: undefined });
  expect(described(third, reverts).reverts).toBe("d".repeat(40));
});

test("the body has no trailers and is cut, and issues come from all of the message", () => {
  const long = commit("a", "Fix (#1)", `${"word ".repeat(2000)}\n\nCloses #2\nSigned-off-by: a`);
  const { body, issues } = described(long, revertsAmong([long]));
  expect(body.length).toBeLessThanOrEqual(4001);
  expect(issues).toEqual(["#1", "#2"]);
});

test("a merge that names a pull request is that of its commits", async () => {
  const { path, git, commit: committed, dispose } = gitRepository();
  onTestFinished(dispose);
  const root = committed({ a: "1" });
  const ids = [root];
  for (const [branch, message] of [
    ["one", "Merge pull request #12 from user/one"],
    ["two", "Merge branch two"],
  ] as const) {
    git("checkout", "-q", "-b", branch);
    ids.push(committed({ [branch]: "1" }));
    git("checkout", "-q", "main");
    git("merge", "-q", "--no-ff", "-m", message, branch);
  }
  const repository = repositoryAbove(sourceAt(path));
  if (repository === undefined) throw new Error("no repository");
  const limits = {
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    maxBytes: 1 << 20,
  };
  const found = await withGit(repository, async (run) => {
    const commits = [...(await readCommits(run, ids, limits)).values()];
    return mergedRequests(run, { head: git("rev-parse", "HEAD"), commits }, limits);
  });
  expect([...found]).toEqual([[ids[1], { request: "#12", commit: git("rev-parse", "HEAD~1") }]]);
});
