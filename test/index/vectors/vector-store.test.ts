import { expect, onTestFinished, test } from "vitest";

import { Catalog } from "../../../src/index/embedded/catalog/catalog.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { SegmentReader } from "../../../src/index/embedded/segment/segment-reader.ts";
import { SegmentWriter } from "../../../src/index/embedded/segment/segment-writer.ts";
import { SnapshotSource, type IndexSnapshot } from "../../../src/index/embedded/snapshot.ts";
import { diskStorage } from "../../../src/index/embedded/storage/storage-disk.ts";
import { faultyStorage, type Fault } from "../../../src/index/embedded/storage/storage-fault.ts";
import { memoryStorage } from "../../../src/index/embedded/storage/storage-memory.ts";
import { VectorStore } from "../../../src/index/vectors/vector-store.ts";
import { Embedder } from "../../../src/index/vectors/vector-writer.ts";
import { plainFile } from "../../engine/fixtures/plain-file.ts";
import { WEIGHTS } from "../../engine/fixtures/weights.ts";
import { findIn } from "../../helpers/searched-snapshots.ts";
import { segmentOf, textFile } from "../../helpers/segments.ts";
import { tree } from "../../helpers/tree.ts";
import { questionOf, SMALL, smallEmbeddings, vectorsIn } from "../../helpers/vectors.ts";

const NAMESPACE = "n";
const WIDE = smallEmbeddings("wide", 1, 256);
const QUESTION = questionOf("parse token", WIDE);
const CHUNKS = 200;

interface Saved {
  /** Saves one of ten files again, and merges. */
  readonly save: (number: number) => Promise<void>;
  readonly snapshot: () => IndexSnapshot;
}

async function call(): Promise<Saved> {
  const { path, dispose } = tree();
  const backend = new EmbeddedBackend(path);
  const writer = await backend.writer(NAMESPACE, { waitMs: 0, embeddings: WIDE });
  const layout = backend.layout(NAMESPACE);
  const catalog = Catalog.openToRead(layout.catalog);
  if (writer === undefined || catalog === undefined) throw new Error("both were created above");
  // No call reads from retired segments.
  const source = new SnapshotSource(catalog, diskStorage(layout.segments), 0);
  onTestFinished(async () => {
    source.close();
    catalog.close();
    await writer.close();
    dispose();
  });
  return {
    snapshot: () => source.current(),
    async save(number) {
      const { state, content } = plainFile(`${number % 10}.ts`, `parse${number}`);
      const lines = Array.from({ length: CHUNKS }, (_, at) => `parse token${at} user ${number}`);
      const chunks = lines.map((_, at) => {
        return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
      });
      writer.add(state, { ...content, bytes: Buffer.from(lines.join("\n")), chunks });
      await writer.commit();
      // oxlint-disable-next-line no-await-in-loop -- one merge after the other
      while (await writer.merge());
    },
  };
}

/** The maximum cosine of any chunk. */
async function nearest(snapshot: IndexSnapshot): Promise<number> {
  const query = { terms: new Map(), vector: QUESTION, weights: WEIGHTS, limit: 20 };
  return (await findIn([snapshot], query)).maxSimilarity;
}

test("memory does not grow over 200 saves with a query after each", async () => {
  const { save, snapshot } = await call();
  const sizes: number[] = [];
  let live = 0;
  for (let number = 0; number < 200; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one save after the other
    await save(number);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await nearest(snapshot())).toBeGreaterThan(0.3);
    // The second call frees the vectors of segments retired by the first.
    const { segments, vectors } = snapshot();
    sizes.push(vectors.sizeBytes);
    live = Math.max(
      live,
      segments.reduce((sum, { reader }) => sum + reader.vectorsLength, 0),
    );
  }
  const most = Math.max(...sizes);
  expect(most).toBeLessThan(2 * live);
  expect(Math.max(...sizes.slice(0, 60))).toBe(most);
  // Without freeing, it would take this much.
  expect(CHUNKS * 128 * sizes.length).toBeGreaterThan(4 * most);
}, 60_000);

test("a segment is read once, and again after forget", () => {
  const segment = segmentOf([textFile("a.ts", ["parse token"]), textFile("b.ts", ["user"])], SMALL);
  const store = new VectorStore();
  const block = store.allOf(segment, 48);
  expect(store.allOf(segment, 48)).toBe(block);
  const { components } = questionOf("parse user", SMALL);
  const dots = new Int32Array(2);
  block.dots(components, dots);
  store.forget(segment);
  expect(() => block.dots(components, dots)).toThrow("was freed");
  const again = store.allOf(segment, 48);
  expect(again).not.toBe(block);
  const same = new Int32Array(2);
  again.dots(components, same);
  expect(same).toEqual(dots);
  expect(new Set(dots).size).toBe(2);
});

test("someOf returns the segment's vectors of these chunks", () => {
  const words = ["parse", "token", "user", "config", "server"];
  const segment = segmentOf(
    words.map((word) => textFile(`${word}.ts`, [word])),
    SMALL,
  );
  const store = new VectorStore();
  const all = new Int32Array(5);
  const { components } = questionOf("parse user", SMALL);
  store.allOf(segment, 48).dots(components, all);
  for (const [from, count] of [
    [0, 5],
    [1, 2],
    [4, 1],
  ] as const) {
    const some = store.someOf(segment, from, count, 48);
    // Only these are compared, whatever the size of the buffer.
    expect(some.count).toBe(count);
    const dots = new Int32Array(count);
    some.dots(components, dots);
    expect(dots).toEqual(all.subarray(from, from + count));
  }
  expect(vectorsIn(segment, 0)).toHaveLength(1);
});

test("the buffer grows for more vectors, and is reused for fewer", () => {
  const lines = Array.from({ length: 5000 }, () => "token");
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  const segment = segmentOf([textFile("a.ts", lines, { chunks })], SMALL);
  const store = new VectorStore();
  const sizes = [10, 5000, 10, 5000, 300].map((count) => {
    store.someOf(segment, 0, count, 48);
    return store.sizeBytes;
  });
  expect(sizes[1]).toBeGreaterThan(sizes[0] ?? Infinity);
  expect(sizes.slice(2)).toEqual(sizes.slice(1, 4).fill(sizes[1] ?? 0));
});

test("failed reads keep no memory, however many there are", () => {
  const writer = new SegmentWriter(undefined, new Embedder(WIDE));
  const lines = Array.from({ length: 2000 }, () => "parse token");
  const chunks = lines.map((_, at) => {
    return { startLine: at + 1, endLine: at + 1, symbol: "", names: [], kind: "text" as const };
  });
  writer.add(textFile("a.ts", lines, { chunks }));
  const storage = memoryStorage();
  storage.write("s", writer.finish().parts);
  const faults: Fault[] = [];
  const reader = new SegmentReader(faultyStorage(storage, faults).open("s"), "s");
  const store = new VectorStore();
  faults.push({ on: "read", fails: "EIO" });
  for (let times = 0; times < 20; times += 1) {
    expect(() => store.allOf(reader, 256)).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
    );
  }
  faults.length = 0;
  expect(store.allOf(reader, 256).count).toBe(2000);
  expect(store.sizeBytes).toBeLessThan(2 * 2000 * 128);
});
