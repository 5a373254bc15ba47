// The writer divides an index into shards: whatever step fails, searches still find all files.
import { readdirSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { segmentShard } from "../../../src/index/embedded/segment-name.ts";
import { diskStorage } from "../../../src/index/embedded/storage/storage-disk.ts";
import { faultyStorage, type Fault } from "../../../src/index/embedded/storage/storage-fault.ts";
import type { IndexWriter, WriteOptions } from "../../../src/index/port.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { look, pathsWith, problemsOf } from "../../engine/fixtures/check-index.ts";
import { adding, NAMESPACE, numbered } from "../../engine/fixtures/written-place.ts";
import { tree } from "../../helpers/tree.ts";

/** With this many bytes in each file, each shard has a segment that is stored as a file. */
const LARGE = 300_000;
const FILES = numbered("a", 9);
const PATHS = Object.keys(FILES).toSorted();

interface Divided {
  readonly write: <T>(
    change: (writer: IndexWriter) => Promise<T>,
    options?: Partial<WriteOptions> & { readonly faults?: Fault[] },
  ) => Promise<T>;
  /** The files that words find, and any inconsistency. */
  readonly paths: () => Promise<readonly string[]>;
  /** Shards of the live segments, as "shard of number". */
  readonly shards: () => Promise<readonly string[]>;
  readonly files: () => readonly string[];
}

/** An index with one segment of nine files, as before it was divided. */
async function undivided(): Promise<Divided> {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const write: Divided["write"] = async (change, { faults = [], ...options } = {}) => {
    const backend = new EmbeddedBackend(path, (directory) =>
      faultyStorage(diskStorage(directory), faults),
    );
    const writer = await backend.writer(NAMESPACE, { waitMs: 0, ...options });
    if (writer === undefined) throw new Error("another is writing");
    try {
      return await change(writer);
    } finally {
      await writer.close();
      backend.close();
    }
  };
  await write(adding(FILES, LARGE));
  return {
    write,
    paths: async () =>
      (await look(path, NAMESPACE, async (seen) => {
        const problems = await problemsOf(seen);
        return [...problems, ...(await pathsWith(seen.reader, "function"))].toSorted();
      })) ?? [],
    shards: async () =>
      (await look(path, NAMESPACE, async ({ catalog }) =>
        catalog.segments
          .all()
          .map(({ name }) => segmentShard(name))
          .map(({ shard, of }) => `${shard} of ${of}`)
          .toSorted(),
      )) ?? [],
    files: () => readdirSync(new EmbeddedBackend(path).layout(NAMESPACE).segments).toSorted(),
  };
}

const SHARDS = { shards: fixedShards(3) };

async function addOne(writer: IndexWriter): Promise<void> {
  await adding({ "b0.ts": "b0" })(writer);
}

async function mergeAll(writer: IndexWriter): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one merge after the other
  while (await writer.merge());
  await writer.collect();
}

test("a commit writes into the shards of its files, and merges divide what was there", async () => {
  const { write, paths, shards, files } = await undivided();
  expect(await shards()).toEqual(["0 of 1"]);
  await write(addOne, SHARDS);
  expect(await shards()).toHaveLength(2);
  expect(await paths()).toEqual([...PATHS, "b0.ts"]);
  await write(mergeAll, SHARDS);
  expect(new Set(await shards())).toEqual(new Set(["0 of 3", "1 of 3", "2 of 3"]));
  expect(await paths()).toEqual([...PATHS, "b0.ts"]);
  expect(files().every((name) => segmentShard(name).of === 3)).toBe(true);
});

test("a writer without a number of shards keeps the number of before", async () => {
  const { write, paths, shards } = await undivided();
  await write(addOne, SHARDS);
  await write(async (writer) => {
    await adding(numbered("c", 6))(writer);
    await mergeAll(writer);
  });
  expect(new Set(await shards())).toEqual(new Set(["0 of 3", "1 of 3", "2 of 3"]));
  expect(await paths()).toEqual([...PATHS, "b0.ts", ...Object.keys(numbered("c", 6))].toSorted());
});

test.each<[string, Fault]>([
  ["the first segment cannot be written", { on: "write", nth: 1, fails: "ENOSPC" }],
  ["the last segment cannot be written", { on: "write", nth: 3, fails: "ENOSPC" }],
  ["a segment is torn", { on: "write", nth: 2, tearsAfter: 1 }],
  ["the old segment cannot be read", { on: "read", nth: 1, fails: "EIO" }],
])("if %s, the index stays undivided, and the next merge divides it", async (_, fault) => {
  const { write, paths, shards } = await undivided();
  await write(addOne, SHARDS);
  const before = await shards();
  await expect(write(mergeAll, { ...SHARDS, faults: [fault] })).rejects.toMatchObject({
    hint: expect.any(String),
  });
  expect(await shards()).toEqual(before);
  expect(await paths()).toEqual([...PATHS, "b0.ts"]);
  await write(mergeAll, SHARDS);
  expect(new Set(await shards())).toEqual(new Set(["0 of 3", "1 of 3", "2 of 3"]));
  expect(await paths()).toEqual([...PATHS, "b0.ts"]);
});

test("a commit to several shards that is refused leaves all of them as they were", async () => {
  const { write, paths, shards } = await undivided();
  const refused = write(adding(numbered("d", 9), LARGE), {
    ...SHARDS,
    beforeCommit: async () => {
      throw new Error("refused");
    },
  });
  await expect(refused).rejects.toThrow("refused");
  expect(await shards()).toEqual(["0 of 1"]);
  expect(await paths()).toEqual(PATHS);
  await write(adding(numbered("d", 9), LARGE), SHARDS);
  expect(await paths()).toEqual([...PATHS, ...Object.keys(numbered("d", 9))]);
});
