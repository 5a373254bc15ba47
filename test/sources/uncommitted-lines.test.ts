import { rmSync } from "node:fs";

import { expect, test } from "vitest";

import { committedFile, oldLineOf } from "../../src/sources/uncommitted-lines.ts";
import { plant } from "../helpers/tree.ts";
import { historyRepository, LIMITS, linesOf } from "./history-repository.ts";

const FILE = linesOf("a();", "b();", "c();", "d();");

test("lines of the work tree are mapped to the commit", async () => {
  const { path, commit, read } = historyRepository();
  const head = commit({ "a.ts": FILE });
  plant(path, { "a.ts": linesOf("new();", "a();", "B();", "c();", "d();") });
  const file = await read((git) => committedFile(git, { head, path: "a.ts" }, LIMITS));
  expect([1, 2, 3, 4, 5].map((line) => file?.lineOf(line))).toEqual([
    undefined,
    1,
    undefined,
    3,
    4,
  ]);
});

test("an unchanged file has the same lines, whatever its line ends are", async () => {
  const { path, commit, read } = historyRepository();
  const head = commit({ "a.ts": FILE });
  plant(path, { "a.ts": FILE.replaceAll("\n", "\r\n") });
  const file = await read((git) => committedFile(git, { head, path: "a.ts" }, LIMITS));
  expect([1, 4].map((line) => file?.lineOf(line))).toEqual([1, 4]);
});

test("a rename that is not committed leads to the old file", async () => {
  const { path, git, commit, read } = historyRepository();
  const head = commit({ "a.ts": FILE });
  git("mv", "a.ts", "b.ts");
  plant(path, { "b.ts": `first();\n${FILE}` });
  const file = await read((run) => committedFile(run, { head, path: "b.ts" }, LIMITS));
  expect([file?.path, file?.lineOf(1), file?.lineOf(2)]).toEqual(["a.ts", undefined, 1]);
});

test("a file that no commit has is undefined", async () => {
  const { path, commit, read } = historyRepository();
  const head = commit({ "a.ts": FILE });
  plant(path, { "new.ts": FILE });
  const fileAt = (name: string): ReturnType<typeof committedFile> =>
    read((git) => committedFile(git, { head, path: name }, LIMITS));
  expect(await fileAt("new.ts")).toBeUndefined();
  expect(await fileAt("\u{10ff80}.ts")).toBeUndefined();
  rmSync(`${path}/new.ts`);
});

test("a deletion moves the lines after it", () => {
  const hunks = [{ oldStart: 2, oldCount: 2, newStart: 1, newCount: 0 }];
  expect([1, 2, 3].map((line) => oldLineOf(hunks, line))).toEqual([1, 4, 5]);
});
