import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { SegmentWriter } from "../../../src/index/embedded/segment/segment-writer.ts";
import { SnapshotSource, type IndexSnapshot } from "../../../src/index/embedded/snapshot.ts";
import { memoryStorage } from "../../../src/index/embedded/storage/storage-memory.ts";
import type { Storage } from "../../../src/index/embedded/storage/storage.ts";
import { bytesOf } from "../../helpers/segments.ts";
import { tree } from "../../helpers/tree.ts";

interface CountingStorage extends Storage {
  readonly opened: string[];
  readonly closed: string[];
}

/** Storage that records opened and closed files. Its closed files cannot be read, like those on disk. */
function countingStorage(): CountingStorage {
  const storage = memoryStorage();
  const opened: string[] = [];
  const closed: string[] = [];
  return {
    ...storage,
    opened,
    closed,
    open(name) {
      const file = storage.open(name);
      opened.push(name);
      let isOpen = true;
      return {
        ...file,
        read(offset, length, to) {
          if (!isOpen) throw new Error(`${name} was closed`);
          return file.read(offset, length, to);
        },
        close() {
          isOpen = false;
          closed.push(name);
        },
      };
    },
  };
}

interface Namespace {
  readonly catalog: Catalog;
  readonly storage: CountingStorage;
  readonly source: SnapshotSource;
}

/** A namespace for writing, and the source of its snapshots. */
function call(graceMs?: number): Namespace {
  const { path, dispose } = tree();
  const catalog = Catalog.openToWrite(join(path, "catalog.db"));
  const reading = Catalog.openToRead(join(path, "catalog.db"));
  if (reading === undefined) throw new Error("the catalogue was created above");
  const storage = countingStorage();
  const source = new SnapshotSource(reading, storage, graceMs);
  onTestFinished(() => {
    source.close();
    reading.close();
    catalog.close();
    dispose();
  });
  return { catalog, storage, source };
}

/** Adds a segment with one file of `chunkCount` chunks for each path, as a file of the storage or as a row. */
function addSegment(
  { catalog, storage }: Namespace,
  name: string,
  files: Readonly<Record<string, number>>,
  { isRow = false } = {},
): number {
  const writer = new SegmentWriter();
  for (const [path, chunkCount] of Object.entries(files)) {
    const chunks = Array.from({ length: chunkCount }, (_, at) => ({
      startLine: at + 1,
      endLine: at + 1,
      symbol: `${path}#${at}`,
      names: [],
      kind: "text" as const,
    }));
    const bytes = Buffer.from(chunks.map(({ symbol }) => symbol).join("\n"));
    const facts = { path, language: "", role: "docs", flags: 0, isFinal: true } as const;
    writer.add({ ...facts, bytes, chunks, symbols: [], references: NO_REFERENCES });
  }
  const body = bytesOf(writer.finish());
  if (!isRow) storage.write(name, [body]);
  const row = { name, files: writer.files, bytes: body.length };
  return catalog.segments.add(row, isRow ? body : null);
}

function symbolsIn({ segments }: IndexSnapshot): readonly string[] {
  return segments.flatMap(({ reader }) =>
    Array.from({ length: reader.files }, (_, file) => reader.chunksOf(file)).flatMap((chunks) =>
      chunks.map(({ symbol }) => symbol),
    ),
  );
}

test("a snapshot numbers chunks and files over all segments, both rows and files", () => {
  const namespace = call();
  namespace.catalog.publish(() => {
    addSegment(namespace, "one", { "a.md": 2, "b.md": 0, "c.md": 1 });
    addSegment(namespace, "two", { "d.md": 2 }, { isRow: true });
    addSegment(namespace, "three", { "e.md": 1 });
  });
  const snapshot = namespace.source.current();
  expect([snapshot.generation, snapshot.files, snapshot.chunks]).toEqual([1, 5, 6]);
  expect(snapshot.segments.map(({ chunkBase, fileBase }) => [chunkBase, fileBase])).toEqual([
    [0, 0],
    [3, 3],
    [5, 4],
  ]);
  expect(symbolsIn(snapshot)).toEqual(["a.md#0", "a.md#1", "c.md#0", "d.md#0", "d.md#1", "e.md#0"]);
  expect([...snapshot.fileLengths()]).toEqual([4, 0, 2, 4, 2].map(() => expect.any(Number)));
  expect(snapshot.fileLengths()).toHaveLength(5);
  expect(snapshot.view(2)?.reader.path(0)).toBe("d.md");
  expect(snapshot.view(9)).toBeUndefined();
});

test("what was counted of a segment stays until another of its files is deleted", () => {
  const namespace = call();
  const { catalog, source } = namespace;
  const ids: number[] = [];
  catalog.publish(() => {
    ids.push(addSegment(namespace, "one", { "a.md": 1, "b.md": 1, "c.md": 1 }));
    ids.push(addSegment(namespace, "two", { "d.md": 1, "e.md": 1 }));
  });
  const [one = 0, two = 0] = ids;
  catalog.publish(() => catalog.segments.setTombstones(one, Uint8Array.of(1, 0, 0)));
  const before = source.current();
  catalog.publish(() => catalog.segments.setTombstones(two, Uint8Array.of(0, 1)));
  const after = source.current();
  expect(after.view(one)?.live).toBe(before.view(one)?.live);
  expect(after.view(two)?.live).not.toBe(before.view(two)?.live);
  catalog.publish(() => catalog.segments.setTombstones(one, Uint8Array.of(0, 1, 0)));
  expect(source.current().view(one)?.live).not.toBe(before.view(one)?.live);
});

test("the same generation gives the same snapshot; the next one opens only new segments", () => {
  const namespace = call(0);
  const { catalog, storage, source } = namespace;
  let first = 0;
  catalog.publish(() => void (first = addSegment(namespace, "one", { "a.md": 1 })));
  const before = source.current();
  expect(source.current()).toBe(before);
  catalog.publish(() => void addSegment(namespace, "two", { "b.md": 1 }));
  expect(source.current().generation).toBe(2);
  expect(storage.opened).toEqual(["one", "two"]);
  catalog.publish(() => catalog.segments.remove(first));
  expect(source.current().files).toBe(1);
  expect(source.current().files).toBe(1);
  expect(storage.closed).toEqual(["one"]);
  expect(before.files).toBe(1);
});

test("a snapshot stays readable while later ones no longer have its segments", () => {
  const namespace = call();
  const { catalog, storage, source } = namespace;
  let first = 0;
  catalog.publish(() => void (first = addSegment(namespace, "one", { "a.md": 2 })));
  const before = source.current();
  catalog.publish(() => {
    addSegment(namespace, "two", { "b.md": 1 });
    catalog.segments.remove(first);
  });
  storage.remove("one");
  expect(symbolsIn(source.current())).toEqual(["b.md#0"]);
  expect(symbolsIn(before)).toEqual(["a.md#0", "a.md#1"]);
  source.close();
  expect(storage.closed.toSorted()).toEqual(["one", "two"]);
});

test("replaced files have tombstones in the next snapshot", () => {
  const namespace = call();
  const { catalog, source } = namespace;
  let first = 0;
  catalog.publish(() => void (first = addSegment(namespace, "one", { "a.md": 1, "b.md": 1 })));
  const before = source.current();
  catalog.publish(() => catalog.segments.setTombstones(first, Uint8Array.of(0, 1)));
  expect([...(source.current().segments[0]?.tombstones ?? [])]).toEqual([0, 1]);
  expect([...(before.segments[0]?.tombstones ?? [])]).toEqual([0, 0]);
});

test.each([false, true])(
  "a snapshot is loaded again if a writer deletes a segment during the read (row: %s)",
  (isRow) => {
    const namespace = call();
    const { catalog, storage, source } = namespace;
    let first = 0;
    catalog.publish(() => void (first = addSegment(namespace, "one", { "a.md": 1 })));
    const { open } = storage;
    let isRetired = false;
    Object.assign(storage, {
      open(name: string) {
        if (!isRetired) {
          isRetired = true;
          catalog.publish(() => {
            catalog.segments.remove(first);
            addSegment(namespace, "two", { "b.md": 1 }, { isRow });
          });
          storage.remove("one");
        }
        return open(name);
      },
    });
    expect(source.current()).toMatchObject({ generation: 2, files: 1 });
    expect(symbolsIn(source.current())).toEqual(["b.md#0"]);
  },
);

test("a missing segment is INDEX_UNAVAILABLE on every attempt", () => {
  const namespace = call(0);
  const { catalog, storage, source } = namespace;
  catalog.publish(() => {
    addSegment(namespace, "whole", { "a.md": 1 });
    addSegment(namespace, "gone", { "b.md": 1 });
  });
  storage.remove("gone");
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(() => source.current()).toThrow(expect.objectContaining({ code: "INDEX_UNAVAILABLE" }));
  }
  // The readable segment is opened only once, and is closed in the end.
  expect(storage.opened).toEqual(["whole"]);
  source.close();
  expect(storage.closed).toEqual(["whole"]);
});

test("a truncated segment row is INDEX_UNAVAILABLE", () => {
  const { catalog, source } = call();
  catalog.publish(
    () => void catalog.segments.add({ name: "cut", files: 1, bytes: 4 }, Uint8Array.of(1)),
  );
  expect(() => source.current()).toThrow(expect.objectContaining({ code: "INDEX_UNAVAILABLE" }));
});
