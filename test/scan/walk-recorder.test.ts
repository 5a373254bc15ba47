// Which walks are recorded. The tests of incremental walks check whether a record is correct.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { optionsText, type WalkMemory } from "../../src/scan/walk-memory.ts";
import { WalkRecorder } from "../../src/scan/walk-recorder.ts";
import { walk } from "../../src/scan/walk.ts";
import { tree } from "../helpers/tree.ts";

function folder(files: Parameters<typeof tree>[0]): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

function remembered(root: string, signal?: () => boolean): WalkMemory | undefined {
  const recorder = new WalkRecorder(root);
  return recorder.finish(optionsText({}), walk(root, { recorder, ...(signal && { signal }) }));
}

test("a memory has the folders, ignore files and answers of git that a walk used", () => {
  const root = folder({
    ".gitignore": "*.log\n",
    "a.log": "",
    "src/b.ts": "",
    "out/.svcignore": "*",
  });
  execFileSync("git", ["init", "-q"], { cwd: root });
  const memory = remembered(root);
  expect(memory?.folders.map(({ relative }) => relative)).toEqual(["", "out/", "src/"]);
  expect(memory?.ruleFiles.map(([path]) => path.replace(root, ""))).toEqual([
    "/.git/info/exclude",
    "/.gitignore",
    "/out/.svcignore",
  ]);
  expect(memory?.checks).toEqual([
    { path: join(root, "a.log"), isFolder: false, isTracked: false },
  ]);
});

test("a tree with an unusable ignore file is not remembered", () => {
  const root = folder({ ".gitignore": "*.log\n", "src/b.ts": "" });
  expect(remembered(root)).toBeDefined();
  symlinkSync("../.gitignore", join(root, "src/.gitignore"));
  expect(remembered(root)).toBeUndefined();
});

test("a tree with a repository in it is not remembered", () => {
  const root = folder({ "src/b.ts": "" });
  mkdirSync(join(root, "src/.git"));
  expect(remembered(root)).toBeUndefined();
  rmSync(join(root, "src/.git"), { recursive: true });
  expect(remembered(root)).toBeDefined();
});

test("a walk that was ended, and one with too many answers of git, are not remembered", () => {
  const root = folder({ "src/b.ts": "" });
  let calls = 0;
  expect(remembered(root, () => ++calls > 1)).toBeUndefined();
  const recorder = new WalkRecorder(root);
  const found = walk(root, { recorder });
  const check = { path: "a", isFolder: false, isTracked: false };
  for (let at = 0; at < 5000; at += 1) recorder.check(check);
  expect(recorder.finish("", found)?.checks).toHaveLength(5000);
  recorder.check(check);
  expect(recorder.finish("", found)).toBeUndefined();
});

test("a tree on a file system that is not known to keep time stamps is not remembered", () => {
  const recorder = new WalkRecorder("/proc/self/task");
  expect(recorder.finish("", walk("/proc/self/task", { recorder }))).toBeUndefined();
});
