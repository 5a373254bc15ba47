import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { pathFromBytes } from "../../src/base/path-bytes.ts";
import { objectNumbers } from "../../src/sources/git-index.ts";
import { plantPaths } from "../helpers/plant-paths.ts";
import { plant } from "../helpers/tree.ts";
import { folder, git, tracked, trackedIn } from "./tracked.ts";

/** The paths that git lists. */
function listedByGit(directory: string): string[] {
  const output = execFileSync("git", ["ls-files", "-z"], { cwd: directory });
  const paths = output.toString("latin1").split("\0").slice(0, -1);
  return [...new Set(paths.map((path) => pathFromBytes(Buffer.from(path, "latin1"))))].toSorted();
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

test.each(["2", "4"])("in version %s, each path has the beginning of its blob's id", (version) => {
  const { "a/b.ts": _clash, ...files } = FILES;
  const root = folder(files);
  plant(root, Object.fromEntries(Object.keys(files).map((path) => [path, `of ${path}`])));
  git(root, "init", "-q");
  git(root, "add", ".");
  git(root, "update-index", "--index-version", version);
  const listed = execFileSync("git", ["ls-files", "-s", "-z"], { cwd: root, encoding: "utf8" });
  const expected = listed
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const [, id = "", path = ""] = /^\d+ (\w+) 0\t(.*)$/s.exec(line) ?? [];
      return [path, Number.parseInt(id.slice(0, 12), 16)] as const;
    });
  const found = objectNumbers(readFileSync(join(root, ".git/index")), 20);
  expect([...(found ?? [])]).toEqual(expected);
  expect(new Set(found?.values()).size).toBe(expected.length);
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
