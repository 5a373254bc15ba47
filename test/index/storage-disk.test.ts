import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { diskStorage } from "../../src/index/storage-disk.ts";
import type { Storage } from "../../src/index/storage.ts";
import { storageContract } from "../contract/storage.ts";
import { tree } from "../helpers/tree.ts";

function call(): { storage: Storage; directory: string } {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const directory = join(path, "namespaces", "a", "segments");
  return { storage: diskStorage(directory), directory };
}

storageContract(() => call().storage);

function permissions(path: string): number {
  return statSync(path).mode & 0o777;
}

test("the directory and its files are the owner's alone", () => {
  const { storage, directory } = call();
  storage.write("a.words", [Uint8Array.of(1)]);
  expect(permissions(directory)).toBe(0o700);
  expect(permissions(join(directory, "a.words"))).toBe(0o600);
});

test("a write that fails leaves the old file and nothing beside it", () => {
  const { storage, directory } = call();
  storage.write("a.words", [Uint8Array.of(1, 2)]);
  // A folder that is not empty cannot be replaced by a file.
  mkdirSync(join(directory, "taken", "inside"), { recursive: true });
  expect(() => storage.write("taken", [Uint8Array.of(9)])).toThrow(/taken/);
  expect(readdirSync(directory).toSorted()).toEqual(["a.words", "taken"]);
  const file = storage.open("a.words");
  expect([...file.read(0, 2)]).toEqual([1, 2]);
  file.close();
});
