import { expect, onTestFinished, test } from "vitest";

import { readRemovals, type ReadRemovals } from "../../../src/engine/drift/removal-reader.ts";
import { memoryCommits } from "../../../src/index/commits/memory-commits.ts";
import type { OpenCommitStorage } from "../../../src/index/commits/port.ts";
import { openHistory } from "../../../src/sources/open-history.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";

const { signal } = new AbortController();

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

interface Reading extends ReadRemovals {
  /** Progress of each batch. */
  readonly seen: readonly string[];
}

async function read(
  path: string,
  open: OpenCommitStorage,
  limits: { readonly maxMs?: number; readonly maxNew?: number } = {},
): Promise<Reading> {
  const source = sourceAt(path);
  const history = await openHistory(source, signal);
  const seen: string[] = [];
  const removals = await readRemovals(
    open,
    { namespace: "project", source, history },
    {
      signal,
      maxMs: 60_000,
      ...limits,
      onProgress: (one) => void seen.push(`${one.read} of ${one.total}`),
    },
  );
  return { ...removals, seen };
}

test("all commits are read at first, then only the new ones, and the newest removal counts", async () => {
  const { path, commit } = repository();
  const open = memoryCommits();
  commit({ "a.py": "def read_blobs():\n    pass\n" });
  const first = commit({ "a.py": "x = 1\n" });
  const one = await read(path, open);
  expect([one.byKey.get("read_blobs")?.commit, one.seen, one.problem]).toEqual([
    first,
    ["2 of 2"],
    undefined,
  ]);
  commit({ "a.py": "def read_blobs():\n    pass\n" });
  const second = commit({ "a.py": "def read_all():\n    pass\n" });
  const two = await read(path, open);
  expect([two.byKey.get("read_blobs"), two.seen]).toEqual([
    { commit: second, path: "a.py", became: "read_all", certainty: "sure" },
    ["2 of 2"],
  ]);
  expect((await read(path, open)).seen).toEqual([]);
});

test("of a rewritten history the new commits are read, and what the others removed is forgotten", async () => {
  const { path, commit, git } = repository();
  const open = memoryCommits();
  commit({ "a.py": "def read_blobs():\n    pass\n" });
  const first = commit({ "a.py": "x = 1\n" });
  const base = commit({ "a.py": "def read_blobs():\n    pass\ndef read_all():\n    pass\n" });
  const left = commit({ "a.py": "x = 1\n" });
  const before = await read(path, open);
  expect(["read_blobs", "read_all"].map((key) => before.byKey.get(key)?.commit)).toEqual([
    left,
    left,
  ]);
  git("reset", "-q", "--hard", base);
  commit({ "b.py": "y = 1\n" });
  const { byKey, seen } = await read(path, open);
  // The same as after reading all commits.
  expect(byKey).toEqual((await read(path, memoryCommits())).byKey);
  expect([byKey.get("read_blobs")?.commit, byKey.has("read_all"), seen]).toEqual([
    first,
    false,
    ["1 of 1"],
  ]);
});

test("with more new commits than are wanted, nothing is read", async () => {
  const { path, commit } = repository();
  const open = memoryCommits();
  commit({ "a.py": "def read_blobs():\n    pass\n" });
  await read(path, open);
  commit({ "a.py": "x = 1\n" });
  commit({ "a.py": "x = 2\n" });
  const one = await read(path, open, { maxNew: 1 });
  expect([one.byKey.size, one.seen, one.problem]).toEqual([0, [], expect.any(String)]);
  const two = await read(path, open, { maxNew: 2 });
  expect([two.byKey.has("read_blobs"), two.problem]).toEqual([true, undefined]);
  // Nothing is known about another source.
  const other = await read(path, memoryCommits(), { maxNew: 9 });
  expect([other.seen, other.problem]).toEqual([[], expect.any(String)]);
});

test("without time it says how much is missing, and goes on the next time", async () => {
  const { path, commit } = repository();
  const open = memoryCommits();
  commit({ "a.py": "def read_blobs():\n    pass\n" });
  commit({ "a.py": "x = 1\n" });
  const none = await read(path, open, { maxMs: -1 });
  expect([none.byKey.size, none.problem]).toEqual([
    0,
    "svc has read 0 of 2 commits, the newest first; ask again to continue.",
  ]);
  expect((await read(path, open)).byKey.has("read_blobs")).toBe(true);
  commit({ "a.py": "y = 1\n" });
  const late = await read(path, open, { maxMs: -1 });
  expect([late.byKey.has("read_blobs"), late.problem]).toEqual([
    true,
    "svc has read 0 of 1 commits, the newest first; ask again to continue.",
  ]);
});

test("while another process reads, what is stored is the answer, after a while", async () => {
  const { path, commit } = repository();
  commit({ "a.py": "x = 1\n" });
  const open = memoryCommits();
  const locked = Object.assign(
    (...given: Parameters<OpenCommitStorage>) => ({ ...open(...given), lock: () => undefined }),
    { has: open.has },
  );
  const { byKey, problem } = await read(path, locked, { maxMs: 50 });
  expect([byKey.size, problem]).toEqual([
    0,
    "Another svc is reading the commits; ask again in a minute.",
  ]);
  let tries = 0;
  const briefly = Object.assign(
    (...given: Parameters<OpenCommitStorage>) => {
      const { storage, lock } = open(...given);
      return { storage, lock: () => ((tries += 1) < 3 ? undefined : lock()) };
    },
    { has: open.has },
  );
  expect((await read(path, briefly)).problem).toBeUndefined();
});

test("a shallow clone says that older commits are missing", async () => {
  const origin = repository();
  origin.commit({ "a.py": "x = 1\n" });
  origin.commit({ "a.py": "x = 2\n" });
  const { path, dispose } = tree();
  onTestFinished(dispose);
  origin.git("clone", "-q", "--depth", "1", `file://${origin.path}`, path);
  const { problem, seen } = await read(path, memoryCommits());
  expect([problem, seen]).toEqual([expect.stringContaining("shallow"), ["1 of 1"]]);
});
