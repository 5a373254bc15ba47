import { expect, test } from "vitest";

import {
  listCommits,
  listMissingCommits,
  listNewCommits,
  readPatches,
} from "../../src/sources/commit-patches.ts";
import { historyRepository, LIMITS, linesOf } from "./history-repository.ts";

test("patches of many commits come in their order, with the first commit and without merges", async () => {
  const { git, commit, read } = historyRepository();
  const first = commit({ "a.ts": linesOf("one();") });
  git("checkout", "-q", "-b", "side");
  const side = commit({ "b.ts": linesOf("side();") });
  git("checkout", "-q", "main");
  const main = commit({ "a.ts": linesOf("two();") });
  git("merge", "-q", "--no-ff", "-m", "merge", "side");
  const merge = git("rev-parse", "HEAD");
  const { commits, outcome } = await read((run) =>
    readPatches(run, { ids: [merge, main, side, first], below: "" }, LIMITS),
  );
  expect(outcome).toBe("whole");
  expect(commits.map(({ id }) => id)).toEqual([main, side, first]);
  expect(commits[0]?.files[0]?.hunks[0]?.lines).toEqual(["-one();", "+two();"]);
  expect(commits[2]?.files[0]?.oldPath).toBeUndefined();
});

test("only files of the folder are read", async () => {
  const { commit, read } = historyRepository();
  const id = commit({ "lib/a.ts": "x\n", "secret/b.ts": "y\n" });
  const { commits } = await read((run) => readPatches(run, { ids: [id], below: "lib" }, LIMITS));
  expect(commits[0]?.files.map(({ path }) => path)).toEqual(["lib/a.ts"]);
});

test("binary files and submodules have no hunks", async () => {
  const { git, commit, read } = historyRepository();
  commit({ "a.ts": "x\n" });
  git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`);
  const id = commit({ "picture.png": "\u0000\u0001binary" });
  const { commits } = await read((run) => readPatches(run, { ids: [id], below: "" }, LIMITS));
  expect((commits[0]?.files ?? []).flatMap(({ hunks }) => hunks)).toEqual([]);
});

test("commits are listed newest first, up to a number, and only those of a folder", async () => {
  const { git, commit, read } = historyRepository();
  const first = commit({ "lib/a.ts": "1\n" });
  const second = commit({ "b.ts": "1\n" });
  const third = commit({ "lib/a.ts": "2\n" });
  git("merge", "-q", "--allow-unrelated-histories", "-m", "no merge", "HEAD");
  const limits = { signal: LIMITS.signal, timeoutMs: LIMITS.timeoutMs };
  const list = (below: string, max: number): ReturnType<typeof listCommits> =>
    read((run) => listCommits(run, { head: third, below, max }, limits));
  expect(await list("", 10)).toEqual({ ids: [third, second, first], isWhole: true });
  expect(await list("", 2)).toEqual({ ids: [third, second], isWhole: false });
  expect(await list("lib", 10)).toEqual({ ids: [third, first], isWhole: true });
});

test("new commits are those since an earlier one, of this history only", async () => {
  const { git, commit, read } = historyRepository();
  const first = commit({ "lib/a.ts": "1\n" });
  const second = commit({ "b.ts": "1\n" });
  const third = commit({ "lib/a.ts": "2\n" });
  git("checkout", "-q", "-b", "side", first);
  const side = commit({ "c.ts": "1\n" });
  const limits = { signal: LIMITS.signal, timeoutMs: LIMITS.timeoutMs };
  const list = (old: string, below = "", max = 10): ReturnType<typeof listNewCommits> =>
    read((run) => listNewCommits(run, { head: third, old, below, max }, limits));
  expect(await list(first)).toEqual([third, second]);
  expect(await list(first, "lib")).toEqual([third]);
  expect(await list(third)).toEqual([]);
  expect(await list(side)).toBeUndefined();
  const missing = (old: string): ReturnType<typeof listNewCommits> =>
    read((run) => listMissingCommits(run, { head: third, old, below: "", max: 10 }, limits));
  expect(await missing(side)).toEqual([third, second]);
  expect(await missing("f".repeat(40))).toBeUndefined();
  expect(await missing("")).toBeUndefined();
  expect(await list(first, "", 1)).toBeUndefined();
});
