import { expect, onTestFinished, test } from "vitest";

import { readBlobs } from "../../src/sources/git-blobs.ts";
import { gitRepository } from "../helpers/git-repository.ts";
import { plant } from "../helpers/tree.ts";

test("files are read from a commit, except missing ones, too large ones and folders", async () => {
  const { path: root, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  const files = {
    "a b.txt": "one\n",
    "empty.txt": "",
    "two\nlines.txt": "2",
    "sub/ü.txt": "no line end",
    "sub/large.txt": "x".repeat(200),
    "huge.txt": "y".repeat(5 << 20),
    "z.txt": `${"f".repeat(40)} blob 3\nabc\n`,
  };
  const id = commit(files);
  plant(root, { "a b.txt": "another\n" });
  const paths = [
    "a b.txt",
    "none.txt",
    "empty.txt",
    "sub",
    "sub/large.txt",
    "sub/ü.txt",
    "z.txt",
    "two\nlines.txt",
  ];
  const limits = { signal: new AbortController().signal, maxBytes: 100 };
  const read = async (some: readonly string[]): Promise<object> => {
    const blobs = await readBlobs({ root }, { commit: id, paths: some }, limits);
    return Object.fromEntries([...blobs].map(([path, bytes]) => [path, String(bytes)]));
  };
  const { "sub/large.txt": _, "huge.txt": _huge, ...rest } = files;
  expect(await read(paths)).toEqual(rest);
  // More than svc reads without checking the sizes.
  expect(await read(["huge.txt", ...paths])).toEqual(rest);
  const below = await readBlobs({ root: `${root}/sub` }, { commit: id, paths: ["ü.txt"] }, limits);
  expect(String(below.get("ü.txt"))).toBe("no line end");
});
