// The results of an index depend on its files, and not on the commits that wrote them or on the files that they
// replaced.
import { join } from "node:path";

import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { MemoryBackend } from "../../src/index/memory/backend.ts";
import type { IndexBackend, IndexReader } from "../../src/index/port.ts";
import { PostgresIndex } from "../../src/index/postgres/backend.ts";
import { shardedBackend } from "../../src/index/shards/backend.ts";
import { fixedShards } from "../../src/index/shards/shard-count.ts";
import type { FileInput } from "../../src/index/types.ts";
import { differences } from "../helpers/differences.ts";
import { readerOf } from "../helpers/equal-readers.ts";
import { indexInFiles } from "../helpers/index-in-files.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { someFiles } from "../helpers/segments.ts";
import { tree } from "../helpers/tree.ts";
import { everythingOf, written, type MadeCommit } from "../helpers/written-index.ts";

/** Commits to the same few paths. */
const commits = fc
  .array(fc.tuple(someFiles(6), fc.array(fc.nat(5), { maxLength: 2 })), {
    minLength: 2,
    maxLength: 4,
  })
  .map((all): Updates => {
    const made: MadeCommit[] = [];
    const present = new Map<string, FileInput>();
    for (const [some, gone] of all) {
      const files = some.map((file, at) => ({ ...file, path: `src/Config${at}/user.ts` }));
      const removed = gone
        .map((at) => `src/Config${at}/user.ts`)
        .filter((path) => present.has(path) && files.every((file) => file.path !== path));
      for (const path of removed) present.delete(path);
      for (const file of files) present.set(file.path, file);
      made.push({ files, removed });
    }
    const files = [...present.values()];
    return { made, files, ever: made.flatMap((one) => one.files) };
  });

interface Updates {
  readonly made: readonly MadeCommit[];
  /** The remaining paths, and all paths that ever existed. */
  readonly files: readonly FileInput[];
  readonly ever: readonly FileInput[];
}

/** Compares a reader with that of a fresh index, also for the words and names of files that were replaced. */
async function unlikeFresh(
  reader: IndexReader,
  { files, ever }: Updates,
): Promise<readonly string[]> {
  const fresh = await written(new MemoryBackend(), [{ files }]);
  return differences(await everythingOf(reader, ever), await everythingOf(fresh, ever));
}

test.each<readonly [string, () => IndexBackend]>([
  ["in files", indexInFiles],
  ["in shards", () => shardedBackend(indexInFiles(), { shards: fixedShards(3) })],
  ["in memory", () => new MemoryBackend()],
])("any updates, %s", { timeout: 60_000 }, async (_, open) => {
  await fc.assert(
    fc.asyncProperty(commits, async (all) => {
      expect(await unlikeFresh(await written(open(), all.made), all)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

needs(["postgres"], () => {
  const server = serverForTests();

  test("updates in a shared database, read by another machine", { timeout: 60_000 }, async () => {
    const { path, dispose } = tree();
    const url = server.freshUrl();
    const [one, other] = ["one", "other"].map(
      (name) => new PostgresIndex({ database: server.open(url), cacheDirectory: join(path, name) }),
    );
    onTestFinished(() => {
      one?.close();
      other?.close();
      dispose();
    });
    if (one === undefined || other === undefined) throw new Error("there are two");
    const [all] = fc.sample(
      commits.filter(({ files, ever }) => files.length > 3 && ever.length > files.length + 3),
      { numRuns: 1, seed: 7 },
    );
    if (all === undefined) throw new Error("there is one");
    await written(one, all.made);
    expect(await unlikeFresh(await readerOf(other), all)).toEqual([]);
  });
});
