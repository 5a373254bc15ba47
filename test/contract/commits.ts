// What every storage for the words of commits promises.

import { expect, test } from "vitest";

import type { OpenCommitStorage } from "../../src/index/commits/port.ts";

export function commitStorageContract(open: () => OpenCommitStorage): void {
  test("what one opening writes, another reads, and other sources and namespaces do not", () => {
    const commits = open();
    expect(commits.has("one")).toBe(false);
    commits("one", "source").storage.write("a", [Buffer.from("text")]);
    const file = commits("one", "source").storage.open("a");
    expect(Buffer.from(file.read(0, file.sizeBytes)).toString()).toBe("text");
    file.close();
    expect(commits.has("one")).toBe(true);
    expect(commits("one", "other").storage.list()).toEqual([]);
    expect(commits("two", "source").storage.list()).toEqual([]);
  });

  test("one process at a time holds the lock of a source", () => {
    const commits = open();
    const release = commits("one", "source").lock();
    expect(release).toBeTypeOf("function");
    expect(commits("one", "source").lock()).toBeUndefined();
    const other = commits("one", "other").lock();
    expect(other).toBeTypeOf("function");
    other?.();
    release?.();
    const again = commits("one", "source").lock();
    expect(again).toBeTypeOf("function");
    again?.();
  });
}
