import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createTokenizer } from "../../src/chunk/words.ts";
import { Catalog } from "../../src/index/catalog.ts";
import { SegmentWriter } from "../../src/index/segment-writer.ts";
import { factsOf, SnapshotSource } from "../../src/index/snapshot.ts";
import { memoryStorage } from "../../src/index/storage-memory.ts";
import type { Storage } from "../../src/index/storage.ts";
import { tree } from "../helpers/tree.ts";

interface Watched extends Storage {
  readonly opened: string[];
  readonly closed: string[];
}

function watched(): Watched {
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
      return { ...file, close: () => void closed.push(name) };
    },
  };
}

/** A namespace to write to, and the source of its snapshots. */
function call() {
  const { path, dispose } = tree();
  const catalog = Catalog.openToWrite(join(path, "catalog.db"));
  const reading = Catalog.openToRead(join(path, "catalog.db"));
  if (reading === undefined) throw new Error("the catalogue was made above");
  const storage = watched();
  const source = new SnapshotSource(reading, storage);
  onTestFinished(() => {
    source.close();
    reading.close();
    catalog.close();
    dispose();
  });
  return { catalog, storage, source };
}

/** A segment with one file of `chunkCount` chunks for each path. */
function addSegment(
  { catalog, storage }: { catalog: Catalog; storage: Storage },
  name: string,
  files: Readonly<Record<string, number>>,
): number {
  const writer = new SegmentWriter(createTokenizer());
  for (const [path, chunkCount] of Object.entries(files)) {
    const chunks = Array.from({ length: chunkCount }, (_, at) => ({
      startLine: at + 1,
      endLine: at + 1,
      symbol: `${path}#${at}`,
      names: [],
      kind: "text" as const,
    }));
    const text = chunks.map(({ symbol }) => symbol).join("\n");
    writer.add({ path, language: "", role: "docs", flags: 0, text, chunks });
  }
  storage.write(name, writer.finish());
  return catalog.addSegment({ name, files: writer.files, chunks: writer.chunks, bytes: 1 });
}

test("a snapshot numbers the chunks of all segments through", () => {
  const { catalog, storage, source } = call();
  catalog.publish(() => {
    addSegment({ catalog, storage }, "one", { "a.md": 2, "b.md": 0, "c.md": 1 });
    addSegment({ catalog, storage }, "two", { "d.md": 2 });
  });
  const snapshot = source.current();
  expect([snapshot.generation, snapshot.files, snapshot.chunks]).toEqual([1, 4, 5]);
  const symbols = [0, 1, 2, 3, 4].map((at) => factsOf(snapshot, at).chunk.symbol);
  expect(symbols).toEqual(["a.md#0", "a.md#1", "c.md#0", "d.md#0", "d.md#1"]);
  expect(factsOf(snapshot, 2).file.path).toBe("c.md");
  expect(() => factsOf(snapshot, -1)).toThrow(RangeError);
});

test("the same generation is the same snapshot; the next opens only what is new", () => {
  const { catalog, storage, source } = call();
  let first = 0;
  catalog.publish(() => void (first = addSegment({ catalog, storage }, "one", { "a.md": 1 })));
  const before = source.current();
  expect(source.current()).toBe(before);
  catalog.publish(() => void addSegment({ catalog, storage }, "two", { "b.md": 1 }));
  expect(source.current().generation).toBe(2);
  expect(storage.opened).toEqual(["one", "two"]);
  catalog.publish(() => catalog.removeSegment(first));
  expect(source.current().files).toBe(1);
  expect(storage.closed).toEqual(["one"]);
  expect(before.files).toBe(1);
});

test("files that a later segment replaced are marked dead in the snapshot that follows", () => {
  const { catalog, storage, source } = call();
  let first = 0;
  catalog.publish(
    () => void (first = addSegment({ catalog, storage }, "one", { "a.md": 1, "b.md": 1 })),
  );
  const before = source.current();
  catalog.publish(() => catalog.setDead(first, Uint8Array.of(0, 1)));
  expect([...(source.current().segments[0]?.dead ?? [])]).toEqual([0, 1]);
  expect([...(before.segments[0]?.dead ?? [])]).toEqual([0, 0]);
});

test("a segment that a writer retires while the list is being read is looked for once more", () => {
  const { catalog, storage, source } = call();
  let first = 0;
  catalog.publish(() => void (first = addSegment({ catalog, storage }, "one", { "a.md": 1 })));
  const { open } = storage;
  let isRetired = false;
  const racing: Storage = {
    ...storage,
    open(name) {
      if (!isRetired) {
        isRetired = true;
        catalog.publish(() => {
          catalog.removeSegment(first);
          addSegment({ catalog, storage }, "two", { "b.md": 1 });
        });
        storage.remove("one");
      }
      return open(name);
    },
  };
  Object.assign(storage, { open: racing.open });
  expect(source.current()).toMatchObject({ generation: 2, files: 1 });
});

test("a segment that is missing for good is INDEX_UNAVAILABLE, however often it is asked for", () => {
  const { catalog, storage, source } = call();
  catalog.publish(() => void addSegment({ catalog, storage }, "one", { "a.md": 1 }));
  storage.remove("one");
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(() => source.current()).toThrow(expect.objectContaining({ code: "INDEX_UNAVAILABLE" }));
  }
});
