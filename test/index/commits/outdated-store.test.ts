import { expect, test } from "vitest";

import { memoryCommits } from "../../../src/index/commits/memory-commits.ts";
import {
  loadOutdated,
  saveOutdated,
  type OutdatedStatement,
} from "../../../src/index/commits/outdated-store.ts";

const NONE = { index: "", heads: {}, readMs: 0, statements: [] };
const STATEMENT: OutdatedStatement = {
  path: "docs/page.md",
  hash: "00ff",
  line: 7,
  name: "--dry-run",
  became: "",
  commit: "c".repeat(40),
  authoredAt: "2026-01-31T00:00:00Z",
  words: ["dry-run", "dry_run"],
};

const STORED = {
  index: "epoch 7",
  heads: { "/src/project": "d".repeat(40) },
  readMs: 5,
  statements: [STATEMENT],
};

test("what is stored of a namespace is loaded again, and replaced as a whole", () => {
  const open = memoryCommits();
  expect(loadOutdated(open, "team")).toEqual(NONE);
  expect(open.has("team")).toBe(false);
  saveOutdated(open, "team", STORED);
  expect(loadOutdated(open, "team")).toEqual(STORED);
  expect(loadOutdated(open, "other")).toEqual(NONE);
  saveOutdated(open, "team", NONE);
  expect(loadOutdated(open, "team")).toEqual(NONE);
});

test("another version, a damaged file and a held lock are no error", () => {
  const open = memoryCommits();
  saveOutdated(open, "team", STORED);
  const { storage, lock } = open("team", "outdated");
  const release = lock();
  saveOutdated(open, "team", NONE);
  expect(loadOutdated(open, "team")).toEqual(STORED);
  release?.();
  for (const text of ['{"version":0,"statements":[1]}', "{", ""]) {
    storage.write("outdated.json", [Buffer.from(text)]);
    expect(loadOutdated(open, "team")).toEqual(NONE);
  }
});
