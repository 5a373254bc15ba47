import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  isGitChange,
  readChangedNames,
  readDiffering,
  readGitChange,
  type ChangedFile,
} from "../../src/sources/git-change.ts";
import type { ChangedName } from "../../src/sources/diff-output.ts";
import { gitRepository, type GitRepository } from "../helpers/git-repository.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { plant, tree } from "../helpers/tree.ts";

const LINES = ["a", "b", "c", "d", "e", "f", "g", "h"];

function text(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function windows(lines: readonly string[]): string {
  return text(...lines).replaceAll("\n", "\r\n");
}

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

const LIMITS = { signal: new AbortController().signal };

/** Each file as `status path lines`; lines removed between two others as `3><4`. */
async function changed(root: string, change: string): Promise<readonly string[]> {
  const { files } = await readGitChange({ root }, change, LIMITS);
  const commit = change === "working" ? "HEAD" : change;
  if (/^HEAD(?:~\d)?$/.test(commit) && hasCommit(root)) await requireSameNames(root, commit, files);
  return files.map(({ path, oldPath, status, lines }) => {
    const from = oldPath === undefined ? "" : ` from ${oldPath}`;
    const places = lines?.map(({ startLine, endLine, isGap }) =>
      isGap ? `${startLine}><${endLine}` : `${startLine}-${endLine}`,
    );
    return `${status} ${path}${from} ${places?.join(",") ?? "?"}`.trimEnd();
  });
}

/** Checks that readChangedNames and readDiffering return the same files as the diff with lines. */
async function requireSameNames(
  root: string,
  commit: string,
  files: readonly ChangedFile[],
): Promise<void> {
  const names = await readChangedNames({ root }, commit, LIMITS);
  const differing = await readDiffering({ root }, names, LIMITS);
  expect(differing.map(nameOf)).toEqual(files.map(nameOf));
}

function nameOf({ path, oldPath, status }: Omit<ChangedName, "differs">): readonly unknown[] {
  return [status, path, oldPath];
}

function hasCommit(root: string): boolean {
  return spawnSync("git", ["rev-parse", "--verify", "HEAD"], { cwd: root }).status === 0;
}

function failure(hint: RegExp): unknown {
  return expect.objectContaining({ code: "INVALID_PARAMS", hint: expect.stringMatching(hint) });
}

test("changes of the work tree, of the index, and since a commit", async () => {
  const { path, git, commit } = repository();
  commit({ "a.txt": text(...LINES), "gone.txt": text("x", "y") });
  plant(path, { "a.txt": text("a", "B", ...LINES.slice(2)) });
  git("add", "a.txt");
  plant(path, { "a.txt": text("0", "a", "B", "c", "d", "f", "g", "h"), "new.txt": "n\n" });
  git("rm", "-q", "gone.txt");
  expect(await changed(path, "working")).toEqual([
    "modified a.txt 1-1,3-3,5><6",
    "deleted gone.txt",
    "added new.txt ?",
  ]);
  // Line 2 of the index is line 3 of the work tree.
  expect(await changed(path, "staged")).toEqual(["modified a.txt 3-3", "deleted gone.txt"]);
  git("commit", "-q", "-m", "second");
  expect(await changed(path, "staged")).toEqual([]);
  expect(await changed(path, "HEAD")).toEqual(["modified a.txt 1-1,5><6", "added new.txt ?"]);
  expect(await changed(path, "HEAD~1")).toEqual([
    "modified a.txt 1-1,3-3,5><6",
    "deleted gone.txt",
    "added new.txt ?",
  ]);
  expect(await changed(path, "HEAD^!")).toEqual(["modified a.txt 3-3", "deleted gone.txt"]);
});

test("a range has the changes of one side, with current line numbers", async () => {
  const { path, git, commit } = repository();
  commit({ "a.txt": text(...LINES) });
  git("switch", "-q", "-c", "side");
  commit({ "a.txt": text(...LINES.slice(0, 7), "H") });
  git("switch", "-q", "main");
  commit({ "b.txt": text("b") });
  expect(await changed(path, "main..side")).toEqual(["modified a.txt 8-8", "deleted b.txt"]);
  expect(await changed(path, "main...side")).toEqual(["modified a.txt 8-8"]);
  expect(await changed(path, "...side")).toEqual(["modified a.txt 8-8"]);
  expect(await changed(path, "HEAD~1..")).toEqual(["added b.txt 1-1"]);
  git("merge", "-q", "side");
  plant(path, { "a.txt": text("0", ...LINES.slice(2, 7), "H") });
  expect(await changed(path, "side^!")).toEqual(["modified a.txt 7-7"]);
  git("mv", "a.txt", "moved.txt");
  expect(await changed(path, "side^!")).toEqual(["modified moved.txt from a.txt 7-7"]);
  git("rm", "-qf", "moved.txt");
  expect(await changed(path, "side^!")).toEqual(["deleted a.txt"]);
});

test("the first commit is a change, and so is the work tree before it", async () => {
  const { path, git, commit } = repository();
  plant(path, { "a.txt": text("a"), "b.txt": "b" });
  git("add", "a.txt");
  expect(await changed(path, "working")).toEqual(["added a.txt 1-1", "added b.txt ?"]);
  expect(await changed(path, "staged")).toEqual(["added a.txt 1-1"]);
  const first = commit({});
  expect(await changed(path, `${first.slice(0, 12)}^!`)).toEqual([
    "added a.txt 1-1",
    "added b.txt 1-1",
  ]);
});

test("renamed, binary, linked and conflicting files, and names of any bytes", async () => {
  const { path, git, commit } = repository();
  commit({ "old name.txt": text(...LINES), bin: "\0\u0001", link: "x\n", "run.sh": "x\n" });
  const odd = { "caf\u{10FFE9}.txt": text("a"), "line\nbreak": text("a"), 'quo"te\\': text("a") };
  plantPaths(path, odd);
  commit({});
  git("mv", "old name.txt", "new name.txt");
  plant(path, { "new name.txt": text(...LINES.slice(0, 7), "H"), bin: "\0\u0002" });
  plantPaths(path, Object.fromEntries(Object.keys(odd).map((name) => [name, text("b")])));
  rmSync(join(path, "link"));
  symlinkSync("bin", join(path, "link"));
  git("update-index", "--chmod=+x", "run.sh");
  const files = await changed(path, "working");
  expect(files.toSorted()).toEqual(
    [
      "modified bin ?",
      "modified caf\u{10FFE9}.txt 1-1",
      "modified line\nbreak 1-1",
      "modified link ?",
      "modified new name.txt from old name.txt 8-8",
      'modified quo"te\\ 1-1',
    ].toSorted(),
  );
});

test("a conflict is a change of the file", async () => {
  const { path, git, commit } = repository();
  commit({ "a.txt": text("a"), "z.txt": text("z") });
  git("switch", "-q", "-c", "side");
  commit({ "a.txt": text("b") });
  git("switch", "-q", "main");
  commit({ "a.txt": text("c") });
  expect(() => git("merge", "-q", "side")).toThrow("side");
  plant(path, { "z.txt": text("y") });
  const files = await changed(path, "working");
  expect(files.map((file) => file.split(" ")[1])).toContain("a.txt");
  expect(files).toContain("modified z.txt 1-1");
});

test("lines that look like a patch are treated as text", async () => {
  const { path, commit } = repository();
  const lines = [
    "diff --git a/x b/x",
    "@@ -1,9 +1,9 @@",
    "Binary files a and b differ",
    "-- a",
    "",
  ];
  commit({ "a.txt": text(...lines, "end"), "b.txt": text("b") });
  plant(path, { "a.txt": text(...lines.toReversed(), "end"), "b.txt": text("c") });
  const [first, ...rest] = await changed(path, "working");
  expect(first).toMatch(/^modified a\.txt \d/);
  expect(rest).toEqual(["modified b.txt 1-1"]);
  const { files } = await readGitChange({ root: path }, "working", {
    signal: new AbortController().signal,
  });
  expect(files[1]?.removed).toEqual(["b"]);
});

test("line ends of another system are no change", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": text(...LINES), "b.txt": text(...LINES), "c.txt": text("c") });
  plant(path, {
    "a.txt": windows(LINES),
    "b.txt": windows(LINES.with(1, "B")),
    "c.txt": text("C"),
  });
  expect(await changed(path, "working")).toEqual(["modified b.txt 2-2", "modified c.txt 1-1"]);
});

test("files that were only touched are no change, and do not hide others", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": text("a"), "b.txt": text("b"), "empty.txt": "" });
  for (const name of ["a.txt", "empty.txt"]) utimesSync(join(path, name), 1_000_000, 1_000_000);
  plant(path, { "b.txt": text("B"), "c.txt": "" });
  expect(await changed(path, "working")).toEqual(["modified b.txt 1-1", "added c.txt ?"]);
});

test("a folder of a repository has only its own changes, with paths relative to it", async () => {
  const { path, git, commit } = repository();
  commit({ "packages/one/a.txt": text("a"), "b.txt": text("b"), "c.txt": text(...LINES) });
  plant(path, { "packages/one/a.txt": text("A"), "b.txt": text("B"), "packages/one/n.txt": "n" });
  git("mv", "c.txt", "packages/one/c.txt");
  const root = join(path, "packages/one");
  expect(await changed(root, "working")).toEqual([
    "modified a.txt 1-1",
    "added c.txt 1-8",
    "added n.txt ?",
  ]);
});

test("files that git ignores are no change, nor are those inside other repositories", async () => {
  const { path, git, commit } = repository();
  commit({ ".gitignore": "*.log\n" });
  plant(path, {
    "a.log": "",
    "inner/a.txt": "",
    "kept.txt": "",
    ".git/info/exclude": "secret.txt\n",
  });
  plant(path, { "secret.txt": "" });
  git("init", "-q", "inner");
  expect(await changed(path, "working")).toEqual(["added kept.txt ?"]);
});

test.each([
  "nope",
  "-x",
  "--output=x",
  ":/a",
  "^main",
  "",
  "main:a.txt",
  "a\nb",
  "x".repeat(300),
  "nope..",
])("%j is no commit", async (name) => {
  const { path, commit } = repository();
  commit({ "a.txt": "a\n" });
  await expect(changed(path, name)).rejects.toThrow(failure(/branch/));
});

test("the error for an impossible comparison has the reason", async () => {
  const { path, git, commit } = repository();
  const { path: folder, dispose } = tree({ "a.txt": "" });
  onTestFinished(dispose);
  await expect(changed(folder, "working")).rejects.toThrow(failure(/Name files/));
  commit({ "a.txt": "a\n" });
  git("checkout", "-q", "--orphan", "other");
  commit({ "b.txt": "b\n" });
  await expect(changed(path, "main...other")).rejects.toThrow(failure(/two dots/));
  expect(await changed(path, "main..other")).toEqual(["added b.txt 1-1"]);
});

test.each<[string, boolean]>([
  ["working", true],
  ["staged", true],
  ["HEAD", true],
  ["HEAD~3", true],
  ["HEAD@{1}", true],
  ["main~2", true],
  ["v1.0^!", true],
  ["main..side", true],
  ["...side", true],
  ["main...", true],
  ["main", false],
  ["src/a.ts", false],
  ["src/../a.ts", false],
  ["../a.ts", false],
  ["Session.open", false],
  ["HEADER", false],
])("%j can only be a change: %s", (name, expected) => {
  expect(isGitChange(name)).toBe(expected);
});
