import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { pathToBytes } from "../../src/base/path-bytes.ts";
import { walk, type WalkOptions } from "../../src/scan/walk.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { plant, tree } from "../helpers/tree.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A directory that is removed after the test. */
function folder(files: Files = {}): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

function taken(root: string, options?: WalkOptions): string[] {
  return walk(root, options).files.map(({ path }) => path);
}

function git(directory: string, ...args: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  execFileSync("git", [...identity, "-c", "protocol.file.allow=always", ...args], {
    cwd: directory,
    stdio: "ignore",
  });
}

test("exclude globs exclude files, include globs include only matching ones, both in ignore-file syntax", () => {
  const root = folder({
    "src/a.ts": "",
    "src/a.js": "",
    "src/gen/b.ts": "",
    "docs/c.md": "",
    "d.ts": "",
  });
  expect(taken(root, { exclude: ["gen/", "*.js"] })).toEqual(["d.ts", "docs/c.md", "src/a.ts"]);
  expect(taken(root, { include: ["/src", "*.md"] })).toEqual([
    "docs/c.md",
    "src/a.js",
    "src/a.ts",
    "src/gen/b.ts",
  ]);
  expect(taken(root, { include: ["src/**/*.ts"], exclude: ["gen"] })).toEqual(["src/a.ts"]);
  expect(walk(root, { exclude: ["gen/", "*.js"] }).ignored).toEqual({ git: 0, svc: 0, options: 2 });
});

test("ignored entries are counted, not listed", () => {
  const root = folder({
    ".gitignore": "*.log\nout/\n",
    ".svcignore": "data\n",
    "a.log": "",
    "out/b.ts": "",
    "out/c.ts": "",
    "data/d.ts": "",
    "e.ts": "",
  });
  const { files, skipped: left, ignored } = walk(root);
  expect(files.map(({ path }) => path)).toEqual([".gitignore", ".svcignore", "e.ts"]);
  expect({ left, ignored }).toEqual({ left: [], ignored: { git: 2, svc: 1, options: 0 } });
});

test("a .svcignore excludes files that git tracks and includes no file that git ignores", () => {
  const root = folder({
    ".gitignore": "*.log\n",
    ".svcignore": "tracked.ts\n!a.log\n",
    "a.log": "",
    "tracked.ts": "",
    "b.ts": "",
  });
  git(root, "init", "-q");
  git(root, "add", ".");
  expect(taken(root)).toEqual([".gitignore", ".svcignore", "b.ts"]);
});

test("a nested .svcignore can override a .svcignore above it", () => {
  const root = folder({
    ".svcignore": "*.txt\n",
    "a/.svcignore": "!keep.txt\n",
    "a/keep.txt": "",
    "a/no.txt": "",
  });
  expect(taken(root)).toEqual([".svcignore", "a/.svcignore", "a/keep.txt"]);
});

test("files that git tracks are included even if a rule or their folder's name excludes them", () => {
  const root = folder({
    ".gitignore": "*.log\nout/\n/*\n",
    "a.log": "",
    "b.log": "",
    "out/deep/c.ts": "",
    "out/d.ts": "",
    "node_modules/own/e.ts": "",
    "node_modules/dep/f.ts": "",
    "g.ts": "",
  });
  git(root, "init", "-q");
  git(root, "add", "-f", "a.log", "out/deep/c.ts", "node_modules/own/e.ts");
  const { files, skipped: left } = walk(root);
  expect(files.map(({ path }) => path)).toEqual([
    "a.log",
    "node_modules/own/e.ts",
    "out/deep/c.ts",
  ]);
  expect(left).toEqual([]);
});

test("rules and git's list match names that are not UTF-8 byte by byte", () => {
  const root = folder();
  plantPaths(root, {
    ".gitignore": pathToBytes("*.log\n/b\u{10FFE9}?\nd\u{10FFE9}/\n"),
    "d\u{10FFE8}/.gitignore": pathToBytes("\u{10FFFF}*\n"),
    "d\u{10FFE8}/.svcignore": pathToBytes("own\u{10FFE9}\n"),
    "d\u{10FFE8}/\u{10FFFF}.ts": "",
    "d\u{10FFE8}/own\u{10FFE9}": "",
    "d\u{10FFE8}/own\u{10FFE8}": "",
    "a\u{10FFE9}.log": "",
    "a\u{10FFE8}.log": "",
    "b\u{10FFE9}\u{10FFFF}": "",
    "b\u{10FFE9}é": "",
    "d\u{10FFE9}/forced\u{10FFE9}.ts": "",
    "d\u{10FFE9}/left.ts": "",
    "n\u{10FFE9}/node_modules/own.ts": "",
    "n\u{10FFE9}/node_modules/left.ts": "",
  });
  git(root, "init", "-q");
  const forced = [
    "a\u{10FFE9}.log",
    "d\u{10FFE9}/forced\u{10FFE9}.ts",
    "n\u{10FFE9}/node_modules/own.ts",
  ];
  execFileSync("git", ["add", "-f", "--pathspec-from-file=-", "--pathspec-file-nul"], {
    cwd: root,
    input: pathToBytes(forced.join("\0")),
  });
  expect(taken(root)).toEqual(
    [
      ".gitignore",
      ...forced,
      // `?` matches one byte; this name has two.
      "b\u{10FFE9}é",
      "d\u{10FFE8}/.gitignore",
      "d\u{10FFE8}/.svcignore",
      "d\u{10FFE8}/own\u{10FFE8}",
    ].toSorted(),
  );
});

test("in a sub-folder of a repository the rules above it apply, and tracked files are included", () => {
  const root = folder({
    ".gitignore": "*.log\n/pkg/app/tmp\n",
    "pkg/.gitignore": "app/*.bak\n",
    "pkg/.svcignore": "app/data/\n",
    ".git/info/exclude": "",
    "pkg/app/a.ts": "",
    "pkg/app/b.log": "",
    "pkg/app/forced.log": "",
    "pkg/app/c.bak": "",
    "pkg/app/tmp/d.ts": "",
    "pkg/app/data/e.ts": "",
    "pkg/app/private.txt": "",
  });
  git(root, "init", "-q");
  plant(root, { ".git/info/exclude": "private.txt\n" });
  git(root, "add", "-f", "pkg/app/forced.log");
  expect(taken(join(root, "pkg/app"))).toEqual(["a.ts", "forced.log"]);
});

test("a root that git ignores is walked, because the user chose it", () => {
  const root = folder({
    ".gitignore": "out/\n*.ts\n",
    "out/a.ts": "",
    "out/.gitignore": "b.md\n",
    "out/b.md": "",
    "out/c.md": "",
  });
  git(root, "init", "-q");
  expect(taken(join(root, "out"))).toEqual([".gitignore", "a.ts", "c.md"]);
});

test("without a repository nothing above the root counts", () => {
  const root = folder({ ".gitignore": "*.ts\n", "sub/a.ts": "" });
  expect(taken(join(root, "sub"))).toEqual(["a.ts"]);
});

test("submodules and nested repositories have their own rules and tracked files", () => {
  const library = folder({ ".gitignore": "*.tmp\n", "lib.ts": "", "forced.tmp": "" });
  git(library, "init", "-q");
  git(library, "add", "-f", ".");
  git(library, "commit", "-qm", "x");
  const root = folder({ ".gitignore": "lib.ts\n/ignored-clone\n/vendored\n", "a.ts": "" });
  git(root, "init", "-q");
  git(root, "submodule", "add", "-q", "-f", library, "vendored");
  for (const name of ["clone", "ignored-clone"]) git(root, "clone", "-q", library, name);
  plant(root, { "clone/x.tmp": "", "vendored/y.tmp": "" });
  expect(taken(root)).toEqual([
    ".gitignore",
    ".gitmodules",
    "a.ts",
    "clone/.gitignore",
    "clone/forced.tmp",
    "clone/lib.ts",
    "vendored/.gitignore",
    "vendored/forced.tmp",
    "vendored/lib.ts",
  ]);
});

test("a linked work tree uses its own index and the main repository's info/exclude", () => {
  const main = folder({ "a.ts": "", "b.log": "" });
  git(main, "init", "-q");
  git(main, "add", "-f", "b.log");
  git(main, "commit", "-qm", "x");
  plant(main, { ".git/info/exclude": "*.log\n" });
  const parent = folder();
  const linked = join(parent, "linked");
  git(main, "worktree", "add", "-q", linked);
  plant(linked, { "c.log": "", "d.ts": "" });
  const outsideGit = join(main, ".git/worktrees/linked");
  expect(taken(linked, { outsideGit })).toEqual(["b.log", "d.ts"]);
  // Without the owner's permission, git's own lists are not read.
  expect(taken(linked)).toEqual(["b.log", "c.log", "d.ts"]);
});

test("the insides of .git, .hg and .svn are never walked, nor is a .git file", () => {
  const root = folder({
    ".hg/a.ts": "",
    ".svn/b.ts": "",
    "x/.git/c.ts": "",
    "y/.git": "gitdir: ../nowhere\n",
    "y/d.ts": "",
  });
  expect(taken(root)).toEqual(["y/d.ts"]);
});

test("an ignore file that is a link or a pipe excludes all files that it may name", () => {
  const root = folder({
    rules: "*.ts\n",
    "a.ts": "",
    "sub/b.ts": "",
    "svc/c.ts": "",
    "d/e.ts": "",
  });
  execFileSync("mkfifo", [join(root, "sub/.gitignore")]);
  symlinkSync("../rules", join(root, "svc/.svcignore"));
  expect(taken(root)).toEqual(["a.ts", "d/e.ts", "rules"]);
  expect(walk(root).skipped).toEqual([
    { path: "sub/.gitignore", reason: "ignore-rules" },
    { path: "svc/.svcignore", reason: "ignore-rules" },
  ]);
  symlinkSync("rules", join(root, ".gitignore"));
  expect(taken(root)).toEqual([]);
  git(root, "init", "-q");
  git(root, "add", "-f", "a.ts", "sub/b.ts", "svc/c.ts");
  expect(taken(root)).toEqual(["a.ts", "sub/b.ts"]);
});

test("unreadable rules above the root exclude files that git does not track, with a warning", () => {
  const root = folder({ "sub/a.ts": "", "sub/b.ts": "" });
  git(root, "init", "-q");
  git(root, "add", "sub/a.ts");
  symlinkSync("nowhere", join(root, ".gitignore"));
  expect(taken(join(root, "sub"))).toEqual(["a.ts"]);
  const { warnings, skipped: left } = walk(join(root, "sub"));
  expect(left).toEqual([]);
  expect(warnings).toEqual([
    `"${root}/.gitignore" is a symbolic link, so svc skips files there that git does not track; replace it with a readable file of up to 1 MiB, or remove it.`,
  ]);
  expect(walk(join(root, "sub"), { folders: [""] }).files.map(({ path }) => path)).toEqual([
    "a.ts",
  ]);
});

test("there is a warning if ignore rules leave less than 5 % of the entries", () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.ts`, ""]));
  const root = folder({ ...files, ".gitignore": "/*\n" });
  expect(walk(root).warnings).toEqual([
    "Ignore rules leave 0 of 41 files and folders; check .gitignore, .ignore and .svcignore (.gitignore excludes no file that git tracks).",
  ]);
  plant(root, { ".gitignore": "1*.ts\n" });
  expect(walk(root).warnings).toEqual([]);
});
