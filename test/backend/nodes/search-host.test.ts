import * as v from "valibot";
import { expect, test, vi } from "vitest";

import { SearchHost } from "../../../src/backend/nodes/search-host.ts";
import { STATISTICS, type SearchMessage } from "../../../src/backend/nodes/messages.ts";
import { SvcError } from "../../../src/base/errors.ts";
import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import type { IndexVersion } from "../../../src/index/port.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { openWriter } from "../../contract/index/tested-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { stopTimers } from "../../helpers/stopped-clock.ts";

const FILES = { "a.ts": "alpha", "b.ts": "alpha", "c.ts": "alpha" };

async function hosted() {
  const backend = new MemoryBackend();
  const write = async (files: Readonly<Record<string, string>>): Promise<IndexVersion> => {
    const writer = await openWriter(shardedBackend(backend, { shards: fixedShards(2) }));
    addPlain(writer, files);
    const version = await writer.commit();
    await writer.close();
    return version;
  };
  const version = await write(FILES);
  const host = new SearchHost(backend);
  const ask = (message: SearchMessage) => host.answer(message, async (name) => authorized(name));
  const begin = (search: string, other: Partial<NonNullable<SearchMessage["begin"]>> = {}) =>
    ask({
      search,
      begin: { namespace: "n", version, shard: 0, shards: 2, terms: ["alpha"], ...other },
      calls: [{ method: "statistics" }],
    });
  return { host, ask, begin, write, version };
}

test("a search begins with the version and the shard that it names", async () => {
  const { begin, ask } = await hosted();
  const [first, second] = [await begin("1"), await begin("2", { shard: 1 })];
  const ofShards = [first, second].flatMap((reply) =>
    "results" in reply ? v.parse(v.array(STATISTICS), reply.results) : [],
  );
  expect(ofShards.map(({ files }) => files).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(await ask({ search: "1", calls: [{ method: "end" }] })).toEqual({ results: [undefined] });
  // The search has ended.
  expect(await ask({ search: "1", calls: [{ method: "maxima" }] })).toEqual({ refusal: "unknown" });
});

test("another version, another number of shards, and a shard that is not there are refused", async () => {
  const { begin, write, version } = await hosted();
  const refused = { refusal: "version" };
  expect(await begin("1", { shards: 4 })).toEqual(refused);
  expect(await begin("2", { shard: 2 })).toEqual(refused);
  await write({ "d.ts": "alpha" });
  expect(await begin("3")).toEqual(refused);
  await expect(begin("4", { version: { ...version, at: version.at + 9 } })).rejects.toMatchObject({
    code: "INDEX_UNAVAILABLE",
  });
});

test("more than eight searches at once are refused", async () => {
  const { begin, ask } = await hosted();
  for (let number = 0; number < 8; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await begin(String(number))).toHaveProperty("results");
  }
  expect(await begin("8")).toEqual({ refusal: "busy" });
  await ask({ search: "3", calls: [{ method: "end" }] });
  expect(await begin("8")).toHaveProperty("results");
});

test("an id cannot be used twice", async () => {
  const { begin } = await hosted();
  expect(await begin("same")).toHaveProperty("results");
  expect(await begin("same")).toEqual({ refusal: "busy" });
});

test("a search that nobody goes on with ends by itself", async () => {
  stopTimers();
  const { begin, ask } = await hosted();
  await begin("1");
  vi.advanceTimersByTime(29_000);
  expect(await ask({ search: "1", calls: [{ method: "maxima" }] })).toHaveProperty("results");
  vi.advanceTimersByTime(29_000);
  expect(await ask({ search: "1", calls: [{ method: "maxima" }] })).toHaveProperty("results");
  vi.advanceTimersByTime(31_000);
  expect(await ask({ search: "1", calls: [{ method: "maxima" }] })).toEqual({ refusal: "unknown" });
});

test("a search that fails is over", async () => {
  const { begin, ask } = await hosted();
  await begin("1");
  const maxima = { body: 1, names: 1, file: 1, similarity: 1 };
  // File 1,000 of a shard with three files.
  const files = Buffer.from(Uint32Array.of(1000).buffer).toString("base64");
  const scores = Buffer.from(Float64Array.of(1).buffer).toString("base64");
  await expect(
    ask({ search: "1", calls: [{ method: "results", found: { files, scores }, maxima }] }),
  ).rejects.toThrow("no file 1000");
  expect(await ask({ search: "1", calls: [{ method: "maxima" }] })).toEqual({ refusal: "unknown" });
});

test("a namespace that the nodes do not have is refused before the index is opened", async () => {
  const backend = new MemoryBackend();
  const host = new SearchHost(backend);
  const missing = new SvcError("NAMESPACE_NOT_FOUND", "There is no such namespace.");
  await expect(
    host.answer(
      {
        search: "1",
        begin: {
          namespace: "secret",
          version: { epoch: "e", at: 1 },
          shard: 0,
          shards: 2,
          terms: [],
        },
        calls: [],
      },
      async () => {
        throw missing;
      },
    ),
  ).rejects.toBe(missing);
});

test("after its end a host knows no search", async () => {
  const { host, begin, ask } = await hosted();
  await begin("1");
  host.close();
  expect(await ask({ search: "1", calls: [{ method: "maxima" }] })).toEqual({ refusal: "unknown" });
});
