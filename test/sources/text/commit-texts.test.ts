import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { openCommitTexts } from "../../../src/sources/text/commit-texts.ts";
import type { TextResult } from "../../../src/sources/text/port.ts";
import { gitRepository, type GitRepository } from "../../helpers/git-repository.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { tree } from "../../helpers/tree.ts";

const { signal } = new AbortController();

function repository(): GitRepository {
  const created = gitRepository();
  onTestFinished(created.dispose);
  return created;
}

function textIn(result: TextResult): string {
  return "problem" in result ? result.problem : result.text;
}

test("files have the text that they had, and files of other commits are gone", async () => {
  const { path, commit } = repository();
  const first = commit({ "a.txt": "one\n", "gone.txt": "x\n" });
  commit({ "a.txt": "two\n", "gone.txt": undefined, "new.txt": "y\n" });
  const texts = await openCommitTexts([sourceAt(path)], first, signal);
  expect(await texts.paths()).toEqual(["a.txt", "gone.txt"]);
  const { reader } = texts;
  expect(textIn(await reader.read("a.txt"))).toBe("one\n");
  expect(textIn(await reader.read("gone.txt"))).toBe("x\n");
  expect(textIn(await reader.read("new.txt"))).toBe("gone");
  expect(textIn(await reader.read("../a.txt"))).toBe("gone");
  const readNow = await reader.prefetch(["a.txt", "new.txt"]);
  expect(["a.txt", "new.txt"].map((one) => textIn(readNow(one)))).toEqual(["one\n", "gone"]);
  expect(await reader.stampOf("a.txt")).toContain(first);
});

test("what was got ready is read without git, in any order and at once", async () => {
  const { path, commit } = repository();
  commit({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" });
  const { reader } = await openCommitTexts([sourceAt(path)], "main", signal);
  await reader.prefetch(["a.txt", "b.txt", "none.txt"]);
  expect(textIn(await reader.read("c.txt"))).toBe("three\n");
  rmSync(join(path, ".git"), { recursive: true });
  const all = ["c.txt", "none.txt", "a.txt", "b.txt"];
  const read = await Promise.all(all.map((one) => reader.read(one)));
  expect(read.map(textIn)).toEqual(["three\n", "gone", "one\n", "two\n"]);
});

test("links are no files, and a source below the top level has only its own", async () => {
  const { path, commit } = repository();
  commit({ "lib/a.txt": "one\n", "private.txt": "x\n" });
  symlinkSync("../private.txt", join(path, "lib/link.txt"));
  commit({});
  const source = sourceAt(join(path, "lib"), { prefix: "lib/" });
  const texts = await openCommitTexts([source], "main", signal);
  expect(await texts.paths()).toEqual(["lib/a.txt"]);
  expect(textIn(await texts.reader.read("lib/../private.txt"))).toBe("gone");
});

test("a source without the commit is left out, and if all are, the error says why", async () => {
  const [one, other] = [repository(), repository()];
  one.commit({ a: "1\n" });
  one.git("tag", "v1");
  other.commit({ b: "1\n" });
  const sources = [sourceAt(one.path), sourceAt(other.path, { id: 2, prefix: "other/" })];
  expect(await (await openCommitTexts(sources, "v1", signal)).paths()).toEqual(["a"]);
  await expect(openCommitTexts(sources, "v2", signal)).rejects.toMatchObject({
    code: "INVALID_PARAMS",
    message: 'The repository has no commit "v2".',
  });
  await expect(openCommitTexts(sources, "--output=x", signal)).rejects.toMatchObject({
    code: "INVALID_PARAMS",
  });
  const folder = tree({ a: "1" });
  onTestFinished(folder.dispose);
  await expect(openCommitTexts([sourceAt(folder.path)], "v1", signal)).rejects.toMatchObject({
    message: expect.stringContaining("not in a git repository"),
  });
  const elsewhere = sourceAt(join(folder.path, "elsewhere"));
  await expect(openCommitTexts([elsewhere], "v1", signal)).rejects.toMatchObject({
    code: "PATH_NOT_FOUND",
    message: expect.stringContaining("elsewhere is not on this machine"),
  });
});
