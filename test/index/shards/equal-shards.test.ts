// On a real project, shards give the same results as the whole index, to the last bit of each number.
import { expect, onTestFinished, test } from "vitest";

import { packedEmbeddings } from "../../../src/engine/embeddings.ts";
import type { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import { fixedShards, growingShards } from "../../../src/index/shards/shard-count.ts";
import { plainFile } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { differences } from "../../helpers/differences.ts";
import {
  expectEqual,
  NAMESPACE,
  queryOf,
  readerOf,
  resultsOf,
  type Reading,
} from "../../helpers/equal-readers.ts";
import { indexInFiles } from "../../helpers/index-in-files.ts";
import { sourcesOfSvc, writeSources } from "../../helpers/sources-of-svc.ts";

/** Compares a question about each of some definitions, as words and as the exact name. */
async function expectEqualAnswers(one: Reading, other: Reading, least = 200): Promise<void> {
  const parts = await one.reader.segmentSymbols();
  const names = new Set(
    parts.flatMap(({ names: all }) =>
      Array.from({ length: Math.ceil(all.size / 13) }, (_, at) => all.name(at * 13)),
    ),
  );
  const questions = [...names].flatMap((name) => [
    name,
    `where is the ${name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}`,
  ]);
  expect(questions.length).toBeGreaterThan(least);
  let found = 0;
  for (const question of questions) {
    const query = { ...queryOf(question), limit: 60 };
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const expected = await resultsOf(one.reader, query);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(differences(expected, await resultsOf(other.reader, query))).toEqual([]);
    found += 1;
  }
  expect(found).toBe(questions.length);
}

test("the sources of svc in shards, in files and in memory", { timeout: 300_000 }, async () => {
  const sources = await sourcesOfSvc({ every: 6 });
  expect(sources.texts.size).toBeGreaterThan(120);
  const whole = indexInFiles();
  await writeSources(whole, sources);
  const expected = { reader: await readerOf(whole), texts: sources.texts };
  const divided = shardedBackend(indexInFiles(), { shards: fixedShards(3) });
  // Other commits, and other segments.
  await writeSources(divided, sources, { commits: 7, merges: true });
  const actual = { reader: await readerOf(divided), texts: sources.texts };
  await expectEqual(expected, actual);
  await expectEqualAnswers(expected, actual);
  const some = { ...sources, entries: sources.entries.slice(0, 60) };
  const inMemory = shardedBackend(new MemoryBackend(), { shards: fixedShards(3) });
  const wholeOfSome = indexInFiles();
  await writeSources(inMemory, some);
  await writeSources(wholeOfSome, some);
  await expectEqualAnswers(
    { ...expected, reader: await readerOf(wholeOfSome) },
    { ...expected, reader: await readerOf(inMemory) },
    20,
  );
});

async function shardFiles(backend: EmbeddedBackend): Promise<readonly number[]> {
  const namespace = authorized(NAMESPACE);
  const count = (await backend.shardCount(namespace)) ?? 0;
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const shard = await backend.shard(namespace, number);
      return (await shard?.corpusStats())?.files ?? 0;
    }),
  );
}

test("a growing index is divided by merges, and each step gives the answers of before", async () => {
  const sources = await sourcesOfSvc({ every: 7 });
  const { length } = sources.entries;
  const chunks = sources.entries.reduce((sum, { content }) => sum + content.chunks.length, 0);
  const backend = indexInFiles();
  await writeSources(backend, sources, { commits: 5 });
  const sharded = shardedBackend(backend, { shards: growingShards(Math.ceil(chunks / 3)) });
  const answers = async (reader: IndexReader): Promise<unknown> => {
    const found = ["page rank of a file", "merge segments", "IndexReader"].map(async (question) =>
      resultsOf(reader, queryOf(question)),
    );
    const path = sources.entries[7]?.state.path ?? "";
    const ranks = await reader.pageRanks();
    return [
      await Promise.all(found),
      await reader.scopeOf(path),
      sources.entries.map(({ state }) => ranks.fileRank(state.path)),
    ];
  };
  const expected = await answers(await readerOf(sharded));
  expect(await shardFiles(backend)).toEqual([length]);
  const writer = await sharded.writer(NAMESPACE, { waitMs: 0, embeddings: packedEmbeddings });
  if (writer === undefined) throw new Error("another is writing");
  onTestFinished(() => writer.close());
  // A file without content, so that there is something to commit.
  writer.put({ ...plainFile("a.bin", "").state, skipped: "binary" });
  await writer.commit();
  // The number of shards is new, and nothing is divided yet.
  expect(await shardFiles(backend)).toEqual([length, 0, 0, 0]);
  let steps = 0;
  do {
    // oxlint-disable-next-line no-await-in-loop -- one merge after the other
    expect(differences(await answers(await readerOf(sharded)), expected)).toEqual([]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(differences(await answers(await readerOf(backend)), expected)).toEqual([]);
    steps += 1;
    // oxlint-disable-next-line no-await-in-loop -- as above
  } while (await writer.merge());
  expect(steps).toBeGreaterThan(5);
  const files = await shardFiles(backend);
  expect(files.reduce((sum, count) => sum + count)).toBe(length);
  expect(Math.min(...files)).toBeGreaterThan(length / 8);
  expect(await backend.verify(authorized(NAMESPACE))).toEqual([]);
}, 120_000);
