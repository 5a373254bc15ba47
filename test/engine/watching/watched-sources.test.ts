import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { wordedIn } from "../../helpers/picture.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { promise } from "../../trust/promise.ts";
import { watchedTree, type WatchedTree } from "../../helpers/watched-tree.ts";

async function watchedUntilEnd(
  root: string,
  options: Parameters<typeof watchedTree>[1] = {},
): Promise<WatchedTree> {
  const watched = await watchedTree(root, options);
  onTestFinished(watched.dispose);
  return watched;
}

function files(...args: Parameters<typeof tree>): string {
  const { path, dispose } = tree(...args);
  onTestFinished(dispose);
  return path;
}

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

/** Waits until the condition is true, without a time limit of its own. */
function eventually(check: () => unknown): Promise<void> {
  return vi.waitFor(async () => void (await check()), { timeout: 60_000, interval: 20 });
}

function numbered(count: number, folder = ""): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`${folder}f${at}/one.md`, `wombat${at}\n`]),
  );
}

test("a save is a run over only its folder", async () => {
  const root = files({ "a/one.md": "wombat\n", "b/two.md": "wombat\n" });
  const watched = await watchedUntilEnd(root);
  writeFileSync(join(root, "a/one.md"), "quokka\n");
  await eventually(async () => expect(await wordedIn(watched, "quokka")).toEqual(["a/one.md"]));
  expect(new Set(watched.runs.flat())).toEqual(new Set(["a"]));
});

test("excluded files are not watched and cause no run", async () => {
  const root = files({
    ".gitignore": "*.log\nout/\n",
    "out/deep/one.md": "x\n",
    "node_modules/p/one.md": "x\n",
    "a/one.md": "wombat\n",
  });
  mkdirSync(join(root, ".git"));
  const watched = await watchedUntilEnd(root);
  expect(watched.folders()).toBe(2);
  writeFileSync(join(root, "a/server.log"), "noise\n");
  writeFileSync(join(root, "out/deep/one.md"), "noise\n");
  writeFileSync(join(root, "node_modules/p/one.md"), "noise\n");
  // Events arrive in order: after this one, all earlier ones have been handled.
  writeFileSync(join(root, "b.md"), "quokka\n");
  await eventually(async () => expect(await wordedIn(watched, "quokka")).toEqual(["b.md"]));
  expect(new Set(watched.runs.flat())).toEqual(new Set([""]));
});

test("new folders with files, moved and removed folders are followed", async () => {
  const root = files({ "a/one.md": "wombat\n" });
  const watched = await watchedUntilEnd(root);
  plant(root, { "new/deep/er/two.md": "wombat\n" });
  await watched.converged(["wombat"]);
  renameSync(join(root, "new"), join(root, "a/moved"));
  await watched.converged(["wombat"]);
  writeFileSync(join(root, "a/moved/deep/er/two.md"), "quokka\n");
  await watched.converged(["wombat", "quokka"]);
  rmSync(join(root, "a"), { recursive: true });
  plant(root, { "a/one.md": "numbat\n" });
  await watched.converged(["wombat", "quokka", "numbat"]);
  expect(watched.limits).toEqual([]);
});

test("recursive watches of the system are followed, too", async () => {
  const root = files({ "a/one.md": "wombat\n", ".svcignore": "out/\n" });
  // On Linux, Node implements them.
  const watched = await watchedUntilEnd(root, { isRecursive: true });
  plant(root, { "new/deep/two.md": "wombat\n", "out/three.md": "wombat\n" });
  await watched.converged(["wombat"]);
  writeFileSync(join(root, "a/one.md"), "quokka\n");
  await watched.converged(["wombat", "quokka"]);
  rmSync(join(root, "new"), { recursive: true });
  await watched.converged(["wombat", "quokka"]);
  expect(watched.limits).toEqual([]);
});

test("changed rules apply: ignore files, also above the root, and git's own", async () => {
  const { path, git } = repository();
  plant(path, { "sub/root/one.md": "wombat\n", "sub/root/two.txt": "wombat\n" });
  const root = join(path, "sub/root");
  const watched = await watchedUntilEnd(root);
  const found = async (): Promise<readonly string[]> => wordedIn(watched, "wombat");
  writeFileSync(join(root, ".svcignore"), "one.md\n");
  await eventually(async () => expect(await found()).toEqual(["two.txt"]));
  writeFileSync(join(path, ".gitignore"), "*.txt\n");
  await eventually(async () => expect(await found()).toEqual([]));
  git("add", "-f", "sub/root/two.txt");
  await eventually(async () => expect(await found()).toEqual(["two.txt"]));
  git("rm", "-q", "--cached", "sub/root/two.txt");
  await eventually(async () => expect(await found()).toEqual([]));
  rmSync(join(path, ".gitignore"));
  await eventually(async () => expect(await found()).toEqual(["two.txt"]));
  writeFileSync(join(path, ".git/info/exclude"), "two.txt\n");
  await eventually(async () => expect(await found()).toEqual([]));
  writeFileSync(join(root, ".ignore"), "!two.txt\n");
  await eventually(async () => expect(await found()).toEqual(["two.txt"]));
  writeFileSync(join(path, ".ignore"), "!two.txt\n");
  rmSync(join(root, ".ignore"));
  await watched.converged(["wombat"]);
  expect(await found()).toEqual(["two.txt"]);
  rmSync(join(path, ".ignore"));
  await eventually(async () => expect(await found()).toEqual([]));
});

test("changes while git holds its lock are one batch; a stale lock delays nothing", async () => {
  const { path, commit } = repository();
  commit(numbered(5));
  const watched = await watchedUntilEnd(path);
  const lock = join(path, ".git/index.lock");
  writeFileSync(lock, "");
  plant(path, { "f1/one.md": "quokka\n" });
  await new Promise((resolve) => void setTimeout(resolve, 300));
  plant(path, { "f3/one.md": "quokka\n" });
  expect(watched.runs).toEqual([]);
  rmSync(lock);
  await eventually(async () => expect(await wordedIn(watched, "quokka")).toHaveLength(2));
  expect(watched.runs).toEqual([["f1", "f3"]]);
  writeFileSync(lock, "");
  utimesSync(lock, 1_700_000_000, 1_700_000_000);
  plant(path, { "f4/one.md": "quokka\n" });
  await eventually(async () => expect(await wordedIn(watched, "quokka")).toHaveLength(3));
});

test("branches of a linked work tree with a submodule are followed", async () => {
  const library = repository();
  library.commit({ "lib.md": "wombat\n" });
  const { git, commit } = repository();
  commit({ "one.md": "wombat\n" });
  git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "sub");
  commit({ "two.md": "wombat\n" });
  git("branch", "other");
  const place = files();
  const root = join(place, "linked");
  git("worktree", "add", "-q", root, "other");
  const watched = await watchedUntilEnd(root);
  const inRoot = (...args: readonly string[]) =>
    void execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  inRoot("submodule", "update", "-q", "--init");
  await watched.converged(["wombat"]);
  expect(await wordedIn(watched, "wombat")).toEqual(["one.md", "sub/lib.md", "two.md"]);
  inRoot("checkout", "-q", "--detach", "HEAD~1");
  await watched.converged(["wombat"]);
  expect(await wordedIn(watched, "wombat")).not.toContain("two.md");
});

test("a storm over many folders causes a full scan", async () => {
  const root = files(numbered(400));
  const watched = await watchedUntilEnd(root);
  for (const name of readdirSync(root)) writeFileSync(join(root, name, "one.md"), "quokka\n");
  await watched.converged();
  expect(watched.runs).toContain(undefined);
  expect(watched.runs.length).toBeLessThan(40);
});

test("a missing root keeps its index, and is watched again when it returns", async () => {
  const place = files({ "root/a/one.md": "wombat\n" });
  const root = join(place, "root");
  const watched = await watchedUntilEnd(root);
  renameSync(root, join(place, "away"));
  await eventually(() => expect(watched.folders()).toBe(0));
  expect(await wordedIn(watched, "wombat")).toEqual(["a/one.md"]);
  writeFileSync(join(place, "away/a/one.md"), "quokka\n");
  renameSync(join(place, "away"), root);
  await watched.converged(["wombat", "quokka"]);
  writeFileSync(join(root, "a/one.md"), "numbat\n");
  await watched.converged(["numbat", "quokka"]);
  rmSync(root, { recursive: true });
  plant(place, { "root/b/one.md": "numbat\n" });
  await watched.converged(["numbat"]);
});

promise([13], "with more folders than the watch limit, svc releases every watch", async () => {
  const root = files(numbered(20));
  const watched = await watchedUntilEnd(root, { maxFolders: 10 });
  expect(watched.limits).toEqual([expect.stringMatching(/more than 10 folders.*\.svcignore/)]);
  expect(watched.folders()).toBe(0);
  return 1;
});

promise([13], "the watch limit also counts folders that are created later", async () => {
  const root = files(numbered(5));
  const watched = await watchedUntilEnd(root, { maxFolders: 10 });
  expect(watched.folders()).toBe(6);
  plant(root, numbered(10, "more/"));
  await eventually(() => expect(watched.limits).toHaveLength(1));
  expect(watched.folders()).toBe(0);
  return 1;
});
