import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { pathFromBytes } from "../../src/base/path-bytes.ts";
import type { TrackedPaths } from "../../src/sources/git-index.ts";
import { linkedGitDirectory } from "../../src/sources/git-location.ts";
import {
  gitTopLevel,
  repositoryAbove,
  repositoryAt,
  repositoryProblem,
  trackedPaths,
} from "../../src/sources/git.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { plant, tree } from "../helpers/tree.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

function git(directory: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...identity, "-c", "protocol.file.allow=always", ...args], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** The paths that git lists. */
function listedByGit(directory: string): string[] {
  const output = execFileSync("git", ["ls-files", "-z"], { cwd: directory });
  const paths = output.toString("latin1").split("\0").slice(0, -1);
  return [...new Set(paths.map((path) => pathFromBytes(Buffer.from(path, "latin1"))))].toSorted();
}

function trackedIn(directory: string, outsideGit?: string): TrackedPaths | undefined {
  const repository = repositoryAbove({ root: directory, outsideGit });
  return repository && trackedPaths(repository);
}

function tracked(directory: string, outsideGit?: string): string[] | undefined {
  const paths = trackedIn(directory, outsideGit);
  return paths && [...new Set(paths)].toSorted();
}

/** An entry of a version 4 index: its path is the previous one with `rest` appended. */
function version4Entry(rest: string): Buffer {
  return Buffer.concat([Buffer.alloc(63), Buffer.from(`${rest}\0`)]);
}

const FILES = {
  "a.ts": "",
  "a/b.ts": "",
  "a/b/c.ts.d/e": "",
  "é/ü.md": "",
  "line\nbreak": "",
  "sp ace": "",
  "-dash": "",
  [`${"long-".repeat(40)}/${"name-".repeat(40)}/${"x".repeat(200)}`]: "",
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, length) => [`pad/${"p".repeat(length + 1)}`, ""]),
  ),
};

test.each(["2", "3", "4"])("an index of version %s gives the paths that git lists", (version) => {
  const { "a/b.ts": _clash, ...files } = FILES;
  const root = folder(files);
  plantPaths(root, { "caf\u{10FFE9}/\u{10FFFF}.ts": "", "\u{10FEFF}": "" });
  git(root, "init", "-q");
  git(root, "add", ".");
  if (version === "3") {
    plant(root, { "later.ts": "" });
    git(root, "add", "-N", "later.ts");
  } else {
    git(root, "update-index", "--index-version", version);
  }
  expect(readFileSync(join(root, ".git/index")).readUInt32BE(4)).toBe(Number(version));
  const paths = listedByGit(root);
  expect(tracked(root)).toEqual(paths);
  expect(paths).toContain("caf\u{10FFE9}/\u{10FFFF}.ts");
  const index = trackedIn(root);
  for (const path of paths) {
    expect([path, index?.has(path), index?.hasBelow(path)]).toEqual([path, true, true]);
    // Shorter and longer names that are not in the list, and every folder above.
    expect([index?.has(`${path}!`), index?.has(`${path}/x`)]).toEqual([false, false]);
    expect([index?.has(path.slice(0, -1)), index?.hasBelow(`${path}/`)]).toEqual([
      paths.includes(path.slice(0, -1)),
      false,
    ]);
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const above = path.slice(0, slash);
      expect([above, index?.hasBelow(above), index?.has(above)]).toEqual([above, true, false]);
      expect(index?.hasBelow(above.slice(0, -1))).toBe(
        paths.some((one) => one.startsWith(`${above.slice(0, -1)}/`)),
      );
    }
  }
});

test("paths longer than the length field of an entry are read completely", () => {
  const long = `${`${"d".repeat(200)}/`.repeat(25)}f`;
  const root = folder();
  git(root, "init", "-q");
  const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], {
    cwd: root,
    input: "",
    encoding: "utf8",
  });
  for (const version of ["2", "4"]) {
    git(
      root,
      "update-index",
      "--index-version",
      version,
      "--add",
      "--cacheinfo",
      `100644,${blob.trim()},${long}`,
    );
    expect(tracked(root)).toEqual([long]);
  }
});

test("a SHA-256 repository is read", () => {
  const root = folder({ "a.ts": "", "b/c.ts": "" });
  git(root, "init", "-q", "--object-format=sha256");
  git(root, "add", ".");
  expect(tracked(root)).toEqual(["a.ts", "b/c.ts"]);
});

test("a split index is read without git and without the repository's configuration", () => {
  const root = folder({ "a.ts": "", "b.ts": "", "c.ts": "" });
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "update-index", "--split-index");
  git(root, "rm", "-q", "--cached", "b.ts");
  const ran = join(root, "ran");
  git(root, "config", "core.fsmonitor", `touch ${ran}; false`);
  // A pipe without a writer: git would wait for the rest of its configuration.
  execFileSync("mkfifo", [join(root, ".git/pipe")]);
  git(root, "config", "include.path", "pipe");
  expect(readFileSync(join(root, ".git/index")).includes("link")).toBe(true);
  expect(tracked(root)).toEqual(["a.ts", "c.ts"]);
  expect(() => readFileSync(ran)).toThrow("ENOENT");
});

test.each(["2", "4"])("a split index of version %s gives the paths that git lists", (version) => {
  const names = Array.from({ length: 300 }, (_, at) => `d${at % 7}/f${at}.ts`);
  const root = folder(Object.fromEntries(names.map((name) => [name, ""])));
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "config", "splitIndex.maxPercentChange", "100");
  git(root, "update-index", "--index-version", version);
  git(root, "update-index", "--split-index");
  expect(readFileSync(join(root, ".git/index")).includes("link")).toBe(true);
  expect(tracked(root)).toEqual(listedByGit(root));
  // Deleted, replaced and added entries, single and in runs longer than a word of the bit map.
  git(root, "rm", "-q", "--cached", ...names.slice(3, 150), "d2/f296.ts");
  plant(root, { [names[0] ?? ""]: "another", "added.ts": "", "d1/added.ts": "" });
  git(root, "add", names[0] ?? "", "added.ts", "d1/added.ts");
  expect(tracked(root)).toEqual(listedByGit(root));
  const index = trackedIn(root);
  const listed = new Set(listedByGit(root));
  for (const name of [...names, "added.ts"]) {
    expect([name, index?.has(name)]).toEqual([name, listed.has(name)]);
  }
});

test("conflicted entries are one path", () => {
  const root = folder({ "a.ts": "1" });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", ".");
  git(root, "commit", "-qm", "1");
  for (const [branch, text] of [
    ["other", "2"],
    ["main", "3"],
  ] as const) {
    git(root, "checkout", "-q", ...(branch === "other" ? ["-b"] : []), branch);
    plant(root, { "a.ts": text });
    git(root, "commit", "-qam", text);
  }
  expect(() => git(root, "merge", "-q", "other")).toThrow("Command failed");
  expect(git(root, "ls-files", "-s").trim().split("\n")).toHaveLength(3);
  expect(tracked(root)).toEqual(["a.ts"]);
});

test("submodules are listed by their folder, and have their own list", () => {
  const library = folder({ "lib.ts": "" });
  git(library, "init", "-q");
  git(library, "add", ".");
  git(library, "commit", "-qm", "1");
  const root = folder();
  git(root, "init", "-q");
  git(root, "submodule", "add", "-q", library, "deps/library");
  expect(tracked(root)).toEqual([".gitmodules", "deps/library"]);
  const module = join(root, "deps/library");
  expect(tracked(module)).toBeUndefined();
  const allowed = linkedGitDirectory(module);
  expect(allowed).toBe(join(root, ".git/modules/deps/library"));
  expect(tracked(module, allowed)).toEqual(["lib.ts"]);
  const within = [root];
  expect(repositoryAt(module, within)).toMatchObject({ gitDirectory: allowed, within });
  expect(gitTopLevel(join(root, "deps/library"))).toBe(join(root, "deps/library"));
});

test("a sub-folder belongs to the repository above it", () => {
  const root = folder({ "a.ts": "", "pkg/c/d.ts": "" });
  git(root, "init", "-q");
  git(root, "add", ".");
  expect(tracked(join(root, "pkg"))).toEqual(["a.ts", "pkg/c/d.ts"]);
  expect(gitTopLevel(join(root, "pkg/c"))).toBe(root);
});

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

test("without a repository, or with one that is not valid, nothing is tracked", () => {
  const root = folder({
    "a.ts": "",
    "b/.git/config": "",
    "c/.git": "gitdir: ../nowhere\n",
    "d/.git": "nonsense",
  });
  for (const name of ["", "b", "c", "d"]) {
    expect(gitTopLevel(join(root, name))).toBeUndefined();
    expect(tracked(join(root, name))).toBeUndefined();
  }
});

test("a new repository tracks nothing", () => {
  const root = folder({ "a.ts": "" });
  git(root, "init", "-q");
  expect(tracked(root)).toEqual([]);
});

test("an index that is truncated anywhere, or of another kind, is ignored without an error", () => {
  const root = folder(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}.ts`, ""])));
  git(root, "init", "-q");
  git(root, "add", ".");
  for (const version of ["2", "4"]) {
    git(root, "update-index", "--index-version", version);
    const path = join(root, ".git/index");
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      expect(() => tracked(root)).not.toThrow();
    }
    writeFileSync(path, whole);
  }
  writeFileSync(join(root, ".git/index"), "no index at all, but long enough to be read as one");
  expect(tracked(root)).toBeUndefined();
});

test("an index that claims more entries or longer paths than it has is ignored", () => {
  const root = folder({ "a.ts": "" });
  git(root, "init", "-q");
  git(root, "add", ".");
  const path = join(root, ".git/index");
  const whole = readFileSync(path);
  const forged = Buffer.from(whole);
  forged.writeUInt32BE(0xffff_ffff, 8);
  writeFileSync(path, forged);
  expect(tracked(root)).toBeUndefined();
  const long = Buffer.from(whole);
  long.writeUInt16BE(0xffe, 12 + 40 + 20);
  writeFileSync(path, long);
  expect(tracked(root)).toBeUndefined();
});

test("version 4 paths that expand beyond the memory limit are ignored", () => {
  const root = folder({ "a.ts": "" });
  git(root, "init", "-q");
  const head = Buffer.alloc(12);
  head.write("DIRC");
  head.writeUInt32BE(4, 4);
  const entries = [
    version4Entry("x".repeat(1 << 20)),
    ...Array.from({ length: 300 }, () => version4Entry("y")),
  ];
  head.writeUInt32BE(entries.length, 8);
  writeFileSync(join(root, ".git/index"), Buffer.concat([head, ...entries, Buffer.alloc(20)]));
  expect(tracked(root)).toBeUndefined();
});

test("a repository in a folder whose name is not UTF-8 is read", () => {
  const parent = folder();
  plantPaths(parent, { "r\u{10FFE9}/a.ts": "", "r\u{10FFE9}/b\u{10FFFF}": "" });
  execFileSync("sh", ["-c", "cd r* && git init -q && git add ."], { cwd: parent });
  const root = join(parent, "r\u{10FFE9}");
  expect(repositoryAt(root)?.topLevel).toBe(root);
  expect(tracked(root)).toEqual(["a.ts", "b\u{10FFFF}"]);
});
