import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import {
  scanFingerprint,
  scanSources,
  type SourceScan,
} from "../../../src/engine/indexing/source-scan.ts";
import type { Source } from "../../../src/sources/registry/records.ts";
import { countedListings } from "../../helpers/counted-listings.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { plant, tree } from "../../helpers/tree.ts";

function call(sources: readonly Source[]): SourceScan {
  return scanSources(sources, { maxFileBytes: 1000, onSource: () => {} });
}

function folder(files: Parameters<typeof tree>[0]): string {
  const { path, dispose } = tree(files);
  onTestFinished(dispose);
  return path;
}

test("files have the prefix of their source, and are read from its root", () => {
  const one = folder({
    "a.md": "one\n",
    "src/b.ts": "two\n",
    "big.md": "x".repeat(2000),
    ".env": "A=1\n",
  });
  const other = folder({ "c.md": "three\n" });
  const sources = [sourceAt(one), sourceAt(other, { id: 2, prefix: "other/" })];
  const { files, skipped, completeSources, warnings } = call(sources);
  expect(files.map(({ path, source, record }) => [path, source.id, record.path])).toEqual([
    ["a.md", 1, "a.md"],
    ["src/b.ts", 1, "src/b.ts"],
    ["other/c.md", 2, "c.md"],
  ]);
  const { size, mtimeMs, ino } = statSync(join(one, "a.md"));
  expect(files[0]?.record).toMatchObject({ sizeBytes: size, mtimeMs, inode: ino });
  expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
    [".env", "secret"],
    ["big.md", "too-large"],
  ]);
  expect([[...completeSources], warnings]).toEqual([[1, 2], []]);
});

test("a path in two sources belongs to the one with the longest prefix", () => {
  const outer = folder({
    "a.md": "1\n",
    "lib/b.md": "2\n",
    "lib/.env": "A=1\n",
    "library.md": "3\n",
  });
  const inner = folder({ "b.md": "4\n", "deep/c.md": "5\n" });
  const deep = folder({ "c.md": "6\n" });
  const sources = [
    sourceAt(inner, { id: 2, prefix: "lib/" }),
    sourceAt(outer),
    sourceAt(deep, { id: 3, prefix: "lib/deep/" }),
  ];
  const { files, skipped } = call(sources);
  expect(files.map(({ path, source }) => `${source.id} ${path}`).toSorted()).toEqual([
    "1 a.md",
    "1 library.md",
    "2 lib/b.md",
    "3 lib/deep/c.md",
  ]);
  expect(skipped).toEqual([]);
});

test("the number of files so far is reported after each source", () => {
  const sources = [
    sourceAt(folder({ "a.md": "1\n", "b.md": "2\n" })),
    sourceAt(folder({}), { id: 2, prefix: "empty/" }),
    sourceAt(folder({ "c.md": "3\n" }), { id: 3, prefix: "third/" }),
  ];
  const counts: number[] = [];
  scanSources(sources, { maxFileBytes: 1000, onSource: (files) => counts.push(files) });
  expect(counts).toEqual([2, 2, 3]);
});

test("the globs of a source apply only to it", () => {
  const one = folder({ "a.md": "1\n", "b.ts": "2\n", "c/d.md": "3\n" });
  const other = folder({ "a.md": "1\n", "b.ts": "2\n" });
  const { files } = call([
    sourceAt(one, { include: ["*.md"], exclude: ["c/"] }),
    sourceAt(other, { id: 2, prefix: "other/" }),
  ]);
  expect(files.map(({ path }) => path)).toEqual(["a.md", "other/a.md", "other/b.ts"]);
});

test.each<[string, (root: string) => void]>([
  ["a file is new", (root) => plant(root, { "new.md": "new\n" })],
  ["a file is gone", (root) => rmSync(join(root, "b.md"))],
  ["a file has another name", (root) => renameSync(join(root, "b.md"), join(root, "c.md"))],
  ["a file has another size", (root) => plant(root, { "b.md": "longer than before\n" })],
  ["a file has another time", (root) => utimesSync(join(root, "b.md"), 2000, 2000)],
  [
    "a file has another inode",
    (root) => {
      plant(root, { "copy.md": "two\n" });
      utimesSync(join(root, "copy.md"), 1000, 1000);
      renameSync(join(root, "copy.md"), join(root, "b.md"));
    },
  ],
  ["another file is skipped", (root) => plant(root, { ".env.local": "A=1\n" })],
  ["a file is skipped no more", (root) => plant(root, { "big.md": "\0".repeat(10) })],
])("a scan has another fingerprint when %s", (_, change) => {
  const root = folder({ "a.md": "one\n", "b.md": "two\n", "big.md": "x".repeat(2000) });
  for (const name of ["a.md", "b.md"]) utimesSync(join(root, name), 1000, 1000);
  const before = scanFingerprint(call([sourceAt(root)]));
  expect(scanFingerprint(call([sourceAt(root)]))).toBe(before);
  change(root);
  expect(scanFingerprint(call([sourceAt(root)]))).not.toBe(before);
});

test("a complete and an incomplete scan have different fingerprints", () => {
  const scan = call([sourceAt(folder({ "a.md": "one\n" }))]);
  expect(scanFingerprint({ ...scan, completeSources: new Set() })).not.toBe(scanFingerprint(scan));
});

test("a source in which no folder has changed is not listed again, and the scan is the same", () => {
  const one = folder({ "a.md": "one\n", "src/b.ts": "two\n", "big.md": "x".repeat(2000) });
  const other = folder({ "c.md": "three\n" });
  const sources = [sourceAt(one), sourceAt(other, { id: 2, prefix: "other/" })];
  const options = { maxFileBytes: 1000, onSource: () => {} };
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const remembered = { ...options, isRemembered: true };
  const { memories, ...scan } = scanSources(sources, remembered);
  const listed = countedListings(dirname(one));
  const again = scanSources(sources, { ...remembered, memories });
  expect(again).toEqual({ ...scan, memories });
  expect(listed()).toBe(0);
  for (const [source, memory] of memories ?? []) expect(again.memories?.get(source)).toBe(memory);
  // A scan of some folders has other results.
  const some = { ...options, folders: [{ source: 1, path: "src" }] };
  expect(scanSources(sources, { ...some, memories })).toEqual(scanSources(sources, some));
  writeFileSync(join(one, "src/b.ts"), "a longer text\n");
  writeFileSync(join(other, "d.md"), "four\n");
  const before = listed();
  const now = scanSources(sources, { ...remembered, memories });
  // Only the second source: once to check for changes, and once for the walk.
  expect(listed() - before).toBe(2);
  expect({ ...now, memories: undefined }).toEqual({ ...call(sources), memories: undefined });
  expect(now.memories?.get(1)).toBe(memories?.get(1));
  expect(now.memories?.get(2)).not.toEqual(memories?.get(2));
  expect(scanFingerprint(now)).not.toBe(scanFingerprint(scan));
});

test("walks are remembered for all sources or for none", () => {
  const root = folder({ "a.md": "one\n", "repository/.git/HEAD": "ref: refs/heads/main\n" });
  const other = folder({ "c.md": "three\n" });
  const options = { maxFileBytes: 1000, isRemembered: true, onSource: () => {} };
  const both = [sourceAt(other), sourceAt(root, { id: 2, prefix: "other/" })];
  expect(scanSources([sourceAt(other)], options).memories?.size).toBe(1);
  expect(scanSources(both, options).memories).toBeUndefined();
});
