import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { age, indexedTree, type IndexedTree } from "../../helpers/indexed-tree.ts";
import { wordedIn as found } from "../../helpers/picture.ts";
import { plant, type tree } from "../../helpers/tree.ts";

async function indexedOnce(files: Parameters<typeof tree>[0]): Promise<IndexedTree> {
  const indexed = indexedTree(files);
  onTestFinished(indexed.dispose);
  await indexed.run();
  return indexed;
}

function folders(...paths: readonly string[]): { folders: { source: number; path: string }[] } {
  return { folders: paths.map((path) => ({ source: 1, path })) };
}

const FILES = {
  "top.md": "wombat\n",
  "a/one.md": "wombat\n",
  "a/b/two.md": "wombat\n",
  "a/b/c/three.md": "wombat\n",
  "ab/four.md": "wombat\n",
};

test("a run over one folder sees what was saved, added and removed in it, and nothing elsewhere", async () => {
  const indexed = await indexedOnce(FILES);
  plant(indexed.root, {
    "a/b/two.md": "quokka\n",
    "a/b/new.md": "quokka\n",
    "a/one.md": "quokka\n",
    "top.md": "quokka\n",
  });
  expect(await indexed.run(folders("a/b"))).toMatchObject({ added: 1, changed: 1, removed: 0 });
  expect(await found(indexed, "quokka")).toEqual(["a/b/new.md", "a/b/two.md"]);
  rmSync(join(indexed.root, "a/b/new.md"));
  expect(await indexed.run(folders("a/b"))).toMatchObject({ added: 0, changed: 0, removed: 1 });
  expect(await found(indexed, "quokka")).toEqual(["a/b/two.md"]);
  const unseen = ["a/b/c/three.md", "a/one.md", "ab/four.md", "top.md"];
  expect(await found(indexed, "wombat")).toEqual(unseen);
});

test("the root is a folder, and one run can check several folders", async () => {
  const indexed = await indexedOnce(FILES);
  plant(indexed.root, { "top.md": "quokka\n", "ab/five.md": "quokka\n", "a/one.md": "quokka\n" });
  expect(await indexed.run(folders("", "ab"))).toMatchObject({ added: 1, changed: 1, removed: 0 });
  expect(await found(indexed, "quokka")).toEqual(["ab/five.md", "top.md"]);
});

test("a missing folder removes everything below it, and folders with a similar name stay", async () => {
  const indexed = await indexedOnce(FILES);
  rmSync(join(indexed.root, "a"), { recursive: true });
  expect(await indexed.run(folders("a"))).toMatchObject({ added: 0, changed: 0, removed: 3 });
  expect(await found(indexed, "wombat")).toEqual(["ab/four.md", "top.md"]);
});

test("ignore files above a folder apply", async () => {
  const indexed = await indexedOnce({ ...FILES, ".gitignore": "*.log\nsecret/\n" });
  mkdirSync(join(indexed.root, "a/secret"));
  plant(indexed.root, { "a/secret/five.md": "quokka\n", "a/six.log": "quokka\n" });
  await indexed.run(folders("a", "a/secret"));
  expect(await found(indexed, "quokka")).toEqual([]);
});

test("the next full run sees the other changes, and the one after it none", async () => {
  const indexed = await indexedOnce(FILES);
  age(indexed.root);
  await indexed.run();
  plant(indexed.root, { "a/b/two.md": "a quokka\n", "top.md": "a quokka\n" });
  age(indexed.root);
  await indexed.run(folders("a/b"));
  expect(await indexed.run()).toMatchObject({ added: 0, changed: 1, removed: 0, unchanged: 4 });
  const { generation } = await indexed.run();
  expect(await indexed.run()).toMatchObject({ generation, changed: 0, unchanged: 5 });
});
