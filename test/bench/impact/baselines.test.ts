import { expect, test } from "vitest";

import { changedTogether, sameFolder } from "../../../bench/impact/baselines.ts";
import { GitHistory } from "../../../src/sources/git-history.ts";

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "src/http": ["client.ts", "client.test.ts", "old.ts", "server.ts"],
  src: ["index.ts", "client.ts", "main.ts"],
  "": ["README.md"],
};

const LISTING = {
  filesIn: (folder: string) => FOLDERS[folder] ?? [],
  changedAt: (path: string) => ({ "src/http/server.ts": 20, "src/main.ts": 30 })[path] ?? 10,
};

test("the same folder comes before the one above: called alike first, then changed last", () => {
  expect(sameFolder("src/http/client.ts", LISTING)).toEqual([
    "src/http/client.test.ts",
    "src/http/server.ts",
    "src/http/old.ts",
    "src/client.ts",
    "src/main.ts",
    "src/index.ts",
  ]);
  expect(sameFolder("README.md", LISTING)).toEqual([]);
});

test("what changed together most often comes first; without a history there is nothing", () => {
  const paths = ["a.ts", "b.ts", "c.ts"];
  const history = new GitHistory(paths, [
    { time: 3, files: [0, 2] },
    { time: 2, files: [0, 1] },
    { time: 1, files: [0, 1] },
  ]);
  expect(changedTogether("a.ts", history)).toEqual(["b.ts", "c.ts"]);
  expect(changedTogether("a.ts", undefined)).toEqual([]);
});
