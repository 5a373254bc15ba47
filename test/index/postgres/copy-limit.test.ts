import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import { PostgresIndex } from "../../../src/index/postgres/backend.ts";
import { copiedBytes, makeRoom, markUsed } from "../../../src/index/postgres/copy-limit.ts";
import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { tree } from "../../helpers/tree.ts";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const MINUTE_MS = 60_000;

function folder(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return path;
}

/** A copy of this size that was last used so many minutes ago. */
function plantCopy(cache: string, namespace: string, bytes: number, unusedMinutes: number): void {
  const { catalog, segments } = indexLayout(cache, namespace);
  mkdirSync(segments, { recursive: true });
  writeFileSync(catalog, Buffer.alloc(bytes / 2));
  writeFileSync(join(segments, "a.seg"), Buffer.alloc(bytes / 2));
  markUsed(cache, namespace, NOW - unusedMinutes * MINUTE_MS);
}

async function removedFrom(
  cache: string,
  maxBytes: number,
  isRemoved = true,
): Promise<readonly string[]> {
  const removed: string[] = [];
  const remove = async (namespace: string): Promise<boolean> => {
    removed.push(namespace);
    return isRemoved;
  };
  await makeRoom(cache, maxBytes, remove, NOW);
  return removed;
}

test("the least recently used copies are removed, as few as are needed, and none in use", async () => {
  const cache = folder();
  expect(await removedFrom(cache, 0)).toEqual([]);
  plantCopy(cache, "newest", 100, 0);
  plantCopy(cache, "older", 100, 5);
  plantCopy(cache, "oldest", 100, 60);
  plantCopy(cache, "recent", 100, 1);
  expect(copiedBytes(cache)).toBe(400);
  expect(await removedFrom(cache, 400)).toEqual([]);
  expect(await removedFrom(cache, 399)).toEqual(["oldest"]);
  expect(await removedFrom(cache, 250)).toEqual(["oldest", "older"]);
  // Two copies in use stay, although they have more.
  expect(await removedFrom(cache, 0)).toEqual(["oldest", "older"]);
  // A writer holds the oldest copy, so the next one is removed instead.
  expect(await removedFrom(cache, 399, false)).toEqual(["oldest", "older"]);
});

test("a use is written at most every half minute, and only where there is a copy", () => {
  const cache = folder();
  markUsed(cache, "none", NOW);
  expect(existsSync(indexLayout(cache, "none").directory)).toBe(false);
  plantCopy(cache, "zoo", 10, 0);
  const mark = join(indexLayout(cache, "zoo").directory, "used");
  for (const [seconds, expected] of [
    [10, 0],
    [29, 0],
    [31, 31],
    // A clock that was set back.
    [-300, -300],
  ] as const) {
    markUsed(cache, "zoo", NOW + seconds * 1000);
    expect(statSync(mark).mtimeMs).toBe(NOW + expected * 1000);
  }
});

/** Removed files of a copy that this process has open: they are in the trash, or deleted. */
function openFilesBelow(cache: string): readonly string[] {
  const opened = "/proc/self/fd";
  if (!existsSync(opened)) return [];
  return readdirSync(opened).flatMap((fd) => {
    try {
      const path = readlinkSync(join(opened, fd));
      return path.startsWith(join(cache, "removed")) ? [path] : [];
    } catch {
      return [];
    }
  });
}

needs(["postgres"], () => {
  const server = serverForTests();

  test("a removed copy answers another process that reads it, and is made again for the next question", async () => {
    const url = server.freshUrl();
    const opened: PostgresIndex[] = [];
    onTestFinished(() => {
      for (const index of opened) index.close();
    });
    const node = (cacheDirectory: string, maxCacheBytes?: number): PostgresIndex => {
      const index = new PostgresIndex({
        database: server.open(url),
        cacheDirectory,
        maxCacheBytes,
      });
      opened.push(index);
      return index;
    };
    const writing = node(folder());
    for (const name of ["heron", "trout"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const writer = await writing.writer(name, { waitMs: 0 });
      if (writer === undefined) throw new Error("another is writing");
      addPlain(writer, { [`${name}.ts`]: name });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await writer.commit();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await writer.close();
    }
    const cache = folder();
    const reading = node(cache, 1);
    const otherProcess = node(cache);
    const readerOf = async (name: string, index = reading): Promise<IndexReader> => {
      const reader = await index.reader(authorized(name));
      if (reader === undefined) throw new Error("there is no index");
      return reader;
    };
    const catalogOf = (name: string): string => indexLayout(cache, name).catalog;
    await readerOf("heron");
    const heron = await readerOf("heron", otherProcess);
    expect(await pathsWith(heron, "heron")).toEqual(["heron.ts"]);
    await readerOf("trout");
    // Both are in use.
    expect([existsSync(catalogOf("heron")), existsSync(catalogOf("trout"))]).toEqual([true, true]);

    const earlier = new Date(Date.now() - 10 * MINUTE_MS);
    for (const name of ["heron", "trout"]) {
      utimesSync(join(indexLayout(cache, name).directory, "used"), earlier, earlier);
    }
    await reading.remove("trout");
    const openBefore = openFilesBelow(cache).length;
    const again = await writing.writer("trout", { waitMs: 0 });
    if (again === undefined) throw new Error("another is writing");
    addPlain(again, { "trout.ts": "trout" });
    await again.commit();
    await again.close();
    // The new copy replaces the other.
    expect(await pathsWith(await readerOf("trout"), "trout")).toEqual(["trout.ts"]);
    expect(existsSync(catalogOf("heron"))).toBe(false);
    expect(existsSync(join(cache, "removed"))).toBe(true);
    expect(await pathsWith(heron, "heron")).toEqual(["heron.ts"]);
    otherProcess.close();
    // Only a file that no process has open gives back its space.
    expect(openFilesBelow(cache)).toHaveLength(openBefore);
    expect(await pathsWith(await readerOf("heron"), "heron")).toEqual(["heron.ts"]);
    expect(existsSync(catalogOf("heron"))).toBe(true);
  });
});
