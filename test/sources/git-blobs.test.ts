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
  const read = await readBlobs({ root }, { commit: id, paths }, limits);
  const texts = Object.fromEntries([...read].map(([path, bytes]) => [path, String(bytes)]));
  const { "sub/large.txt": _, ...rest } = files;
  expect(texts).toEqual(rest);
  const below = await readBlobs({ root: `${root}/sub` }, { commit: id, paths: ["ü.txt"] }, limits);
  expect(String(below.get("ü.txt"))).toBe("no line end");
});
