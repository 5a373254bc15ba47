import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { CommitIndexer, type SearchedCommits } from "../../../src/engine/why/commit-indexer.ts";
import { diskCommits } from "../../../src/index/commits/disk-commits.ts";
import { memoryCommits } from "../../../src/index/commits/memory-commits.ts";
import { findCandidates } from "../../../src/index/scoring/find-candidates.ts";
import { COMMIT_WEIGHTS } from "../../../src/search/weights.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { tree } from "../../helpers/tree.ts";

const { signal } = new AbortController();
const WAITING = { signal, waitMs: 60_000 };

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

function indexer(open = memoryCommits()): CommitIndexer {
  const created = new CommitIndexer(open);
  onTestFinished(() => created.close());
  return created;
}

function idsIn({ index }: SearchedCommits): readonly string[] {
  return [...index.ids].toSorted();
}

test("all commits are read at first, and then the new ones", async () => {
  const { path, commit } = repository();
  const first = commit({ a: "1" });
  const second = commit({ a: "2" });
  const commits = indexer();
  const source = sourceAt(path);
  const seen: number[] = [];
  const onProgress = ({ read }: { readonly read: number }): void => void seen.push(read);
  const found = await commits.of("project", source, { ...WAITING, onProgress });
  expect([idsIn(found), found.problem]).toEqual([[first, second].toSorted(), undefined]);
  expect(seen).toEqual([2]);
  const third = commit({ a: "3" });
  const later = await commits.of("project", source, { ...WAITING, onProgress });
  expect([idsIn(later).includes(third), later.index.head]).toEqual([true, third]);
  expect(seen).toEqual([2, 3]);
});

test("a shallow clone is named with each question, also when nothing is left to read", async () => {
  const { path, commit } = repository();
  commit({ a: "1" });
  commit({ a: "2" });
  const clone = tree();
  onTestFinished(clone.dispose);
  const root = join(clone.path, "c");
  execFileSync("git", ["clone", "-q", "--depth=1", `file://${path}`, root], { stdio: "ignore" });
  const commits = indexer();
  for (const _ of [1, 2]) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const { problem } = await commits.of("project", sourceAt(root), WAITING);
    expect(problem).toContain("git fetch --unshallow");
  }
});

test("a namespace and a source have commits of their own", async () => {
  const [one, other] = [repository(), repository()];
  one.commit({ a: "1" });
  other.commit({ b: "1" });
  const commits = indexer();
  const ofOne = await commits.of("project", sourceAt(one.path), WAITING);
  const ofOther = await commits.of("project", sourceAt(other.path), WAITING);
  const elsewhere = await commits.of("secret", sourceAt(one.path), WAITING);
  expect(idsIn(ofOne)).not.toEqual(idsIn(ofOther));
  expect(elsewhere.index).not.toBe(ofOne.index);
});

test("a source below the top level has only the commits of its folder", async () => {
  const { path, commit } = repository();
  const inside = commit({ "lib/a": "1" });
  commit({ "private/b": "1" });
  const found = await indexer().of("project", sourceAt(join(path, "lib")), WAITING);
  expect(idsIn(found)).toEqual([inside]);
});

test("commits of another branch are no longer searched", async () => {
  const { path, git, commit } = repository();
  commit({ a: "1" }, "otter");
  git("checkout", "-q", "-b", "side");
  commit({ a: "2" }, "zebra");
  const commits = indexer();
  const source = sourceAt(path);
  const found = async (word: string): Promise<number> => {
    const { index } = await commits.of("project", source, WAITING);
    const shards = [index.begin([word], () => false)];
    const query = { terms: new Map([[word, 1]]), weights: COMMIT_WEIGHTS, limit: 5 };
    return (await findCandidates(shards, query)).files.length;
  };
  expect([await found("zebra"), await found("otter")]).toEqual([1, 1]);
  git("checkout", "-q", "main");
  expect([await found("zebra"), await found("otter")]).toEqual([0, 1]);
});

test("files that are kept are used by the next process, and damaged ones are made again", async () => {
  const { path, commit } = repository();
  const id = commit({ a: "1" });
  const data = tree();
  onTestFinished(data.dispose);
  const source = sourceAt(path);
  const reads = async (): Promise<number> => {
    const commits = new CommitIndexer(diskCommits(data.path));
    let read = 0;
    const onProgress = (): void => void (read += 1);
    const found = await commits.of("project", source, { ...WAITING, onProgress });
    expect(idsIn(found)).toEqual([id]);
    await commits.close();
    return read;
  };
  expect(await reads()).toBe(1);
  expect(await reads()).toBe(0);
  const folder = join(data.path, "namespaces/project/commits");
  const own = join(folder, readdirSync(folder).find((name) => !name.includes(".")) ?? "");
  const segment = (): string => readdirSync(own).find((name) => name !== "commits.json") ?? "";
  for (const name of ["commits.json", segment]) {
    writeFileSync(join(own, typeof name === "string" ? name : name()), "damage");
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await reads()).toBe(1);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await reads()).toBe(0);
  }
  rmSync(join(own, "commits.json"));
  expect(await reads()).toBe(1);
  expect(readdirSync(own)).toHaveLength(2);
});

test("a question that does not wait gets what is there, and says how much is missing", async () => {
  const { path, commit } = repository();
  commit({ a: "1" });
  const commits = indexer();
  const source = sourceAt(path);
  const early = await commits.of("project", source, { signal, waitMs: 0 });
  expect(early.problem).toContain("ask again");
  const late = await commits.of("project", source, WAITING);
  expect(late.problem).toBeUndefined();
});

test("while another process reads, nothing is written", async () => {
  const { path, commit } = repository();
  commit({ a: "1" });
  const open = memoryCommits();
  const locked = Object.assign(
    (...given: Parameters<typeof open>) => ({ ...open(...given), lock: () => undefined }),
    { has: open.has },
  );
  const found = await indexer(locked).of("project", sourceAt(path), WAITING);
  expect(found.index.ids.size).toBe(0);
});

test("a cancelled question ends, and a closed indexer stops reading", async () => {
  const { path, commit } = repository();
  commit({ a: "1" });
  const commits = indexer();
  const cancelled = { signal: AbortSignal.abort(), waitMs: 1000 };
  await expect(commits.of("project", sourceAt(path), cancelled)).rejects.toMatchObject({
    code: "TIMEOUT",
  });
  const running = commits.of("project", sourceAt(path), WAITING).catch(() => "ended");
  await commits.close();
  expect(["ended", "object"]).toContain(
    await running.then((one) => (one === "ended" ? one : typeof one)),
  );
});

test("a commit with more text than one read takes is there with a part of it", async () => {
  const { path, commit } = repository();
  const huge = Array.from({ length: 40_000 }, (_, at) => `value ${at} ${"x".repeat(1400)}`);
  const big = commit({ "big.txt": `${huge.join("\n")}\n` }, "Add everything");
  const small = commit({ a: "1" }, "small");
  const found = await indexer().of("project", sourceAt(path), WAITING);
  expect(idsIn(found)).toEqual([big, small].toSorted());
});

test("in a partial clone without the contents of files, messages are searched", async () => {
  const { path, git, commit } = repository();
  git("config", "uploadpack.allowFilter", "true");
  const ids = [commit({ a: "1" }, "one"), commit({ a: "2" }, "two"), commit({ a: "3" }, "three")];
  const clone = tree();
  onTestFinished(clone.dispose);
  const root = join(clone.path, "c");
  const args = ["clone", "-q", "--no-checkout", "--filter=blob:none", `file://${path}`, root];
  execFileSync("git", args, { stdio: "ignore" });
  const found = await indexer().of("project", sourceAt(root), WAITING);
  expect(idsIn(found)).toEqual(ids.toSorted());
});
