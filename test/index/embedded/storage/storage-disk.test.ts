import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { diskStorage } from "../../../../src/index/embedded/storage/storage-disk.ts";
import type { Storage } from "../../../../src/index/embedded/storage/storage.ts";
import { storageContract } from "../../../contract/storage.ts";
import { tree } from "../../../helpers/tree.ts";

function call(): { storage: Storage; directory: string } {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const directory = join(path, "namespaces", "a", "segments");
  return { storage: diskStorage(directory), directory };
}

storageContract(() => call().storage);

/** The error for a refused operation, with the file and a hint. */
function errorWithHint(what: string): unknown {
  return expect.objectContaining({
    code: "INDEX_UNAVAILABLE",
    message: expect.stringContaining(what),
    hint: expect.stringMatching(/SERVICE_HOME|--rebuild/),
  });
}

function permissions(path: string): number {
  return statSync(path).mode & 0o777;
}

test("only the owner can access the directory and its files", () => {
  const { storage, directory } = call();
  storage.write("a.words", [Uint8Array.of(1)]);
  expect(permissions(directory)).toBe(0o700);
  expect(permissions(join(directory, "a.words"))).toBe(0o600);
});

test("a failed write leaves only the old file, and the error has a hint", () => {
  const { storage, directory } = call();
  storage.write("a.words", [Uint8Array.of(1, 2)]);
  // A non-empty folder cannot be replaced by a file.
  mkdirSync(join(directory, "taken", "inside"), { recursive: true });
  expect(() => storage.write("taken", [Uint8Array.of(9)])).toThrow(errorWithHint("taken"));
  expect(readdirSync(directory).toSorted()).toEqual(["a.words", "taken"]);
  const file = storage.open("a.words");
  expect([...file.read(0, 2)]).toEqual([1, 2]);
  file.close();
});

test("any operation that the file system refuses is INDEX_UNAVAILABLE", () => {
  const { storage, directory } = call();
  mkdirSync(join(directory, "folder"));
  const folder = storage.open("folder");
  expect(() => folder.read(0, 1)).toThrow(errorWithHint("folder"));
  folder.close();
  expect(() => storage.remove("folder")).toThrow(errorWithHint("folder"));
  rmSync(directory, { recursive: true });
  expect(() => storage.list()).toThrow(errorWithHint("listed"));
  expect(() => storage.write("a.words", [])).toThrow(errorWithHint("a.words"));
});

test("a file that is truncated while it is open is INDEX_UNAVAILABLE, not an endless read", () => {
  const { storage, directory } = call();
  storage.write("a.words", [Uint8Array.of(1, 2, 3)]);
  const file = storage.open("a.words");
  truncateSync(join(directory, "a.words"), 1);
  expect(() => file.read(0, 3)).toThrow(errorWithHint("a.words"));
  file.close();
});

test("two processes remove the same files, and neither fails", async () => {
  const { storage, directory } = call();
  const names = Array.from({ length: 500 }, (_, at) => `${at}.words`);
  for (const name of names) writeFileSync(join(directory, name), "");
  const module = JSON.stringify(
    new URL("../../../../src/index/embedded/storage/storage-disk.ts", import.meta.url),
  );
  const program = `
    const { diskStorage } = await import(${module});
    const storage = diskStorage(${JSON.stringify(directory)});
    const names = storage.list();
    console.log("listed");
    process.stdin.once("data", () => {
      for (const name of names) storage.remove(name);
      process.exit(names.length === 500 ? 0 : 1);
    });`;
  const children = [1, 2].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", program]),
  );
  await Promise.all(children.map((child) => once(child.stdout, "data")));
  const closed = children.map((child) => once(child, "close"));
  for (const child of children) child.stdin.write("now\n");
  expect(await Promise.all(closed)).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(storage.list()).toEqual([]);
}, 20_000);
