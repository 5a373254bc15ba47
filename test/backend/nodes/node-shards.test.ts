// Nodes that share the searches in an index give the same answers as a single node, whatever happens to the others.
import { onTestFinished, expect, test } from "vitest";

import { nodeOf } from "../../../src/backend/nodes/node-shards.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { MemoryIndexes } from "../../../src/index/memory/indexes.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { openWriter } from "../../contract/index/tested-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { differences } from "../../helpers/differences.ts";
import { expectEqual, queryOf, readerOf, resultsOf } from "../../helpers/equal-readers.ts";
import { nodesInProcess } from "../../helpers/search-nodes.ts";
import { sourcesOfSvc, writeSources } from "../../helpers/sources-of-svc.ts";
import { tree } from "../../helpers/tree.ts";

const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`src/file${at}.ts`, `alpha${at % 7}`]),
);
const QUERY = queryOf("alpha1 alpha2 alpha3");

/** Several processes that read one index of five shards. */
async function inMemory(nodes: number): Promise<readonly [MemoryBackend, ...MemoryBackend[]]> {
  const indexes = new MemoryIndexes();
  const open = (): MemoryBackend => new MemoryBackend(indexes);
  const writer = await openWriter(shardedBackend(open(), { shards: fixedShards(5) }));
  addPlain(writer, FILES);
  await writer.commit();
  await writer.close();
  return [open(), ...Array.from({ length: nodes - 1 }, open)];
}

test("two nodes answer about the sources of svc as one does", { timeout: 120_000 }, async () => {
  const sources = await sourcesOfSvc({ every: 12 });
  const { path, dispose } = tree();
  const open = (): EmbeddedBackend => new EmbeddedBackend(path);
  const [alone, first, second] = [open(), open(), open()];
  onTestFinished(() => {
    for (const backend of [alone, first, second]) backend.close();
    dispose();
  });
  await writeSources(shardedBackend(alone, { shards: fixedShards(4) }), sources, { commits: 3 });
  const { asked, sent } = nodesInProcess([first, second]);
  const { texts } = sources;
  await expectEqual(
    { reader: await readerOf(alone), texts },
    { reader: await readerOf(asked), texts },
  );
  const begun = sent.flatMap(({ message: { begin } }) => begin ?? []);
  // The other node has two of the four shards.
  expect(new Set(begun.map(({ shard }) => shard)).size).toBe(2);
  expect(begun.length).toBeGreaterThan(100);
});

test("a search takes five messages to each node", async () => {
  const backends = await inMemory(3);
  const { asked, sent } = nodesInProcess(backends);
  const reader = await readerOf(asked);
  await reader.candidates(QUERY);
  const ofOneSearch = Map.groupBy(sent, ({ message }) => message.search);
  expect(ofOneSearch.size).toBeGreaterThan(2);
  for (const messages of ofOneSearch.values()) {
    const calls = messages.map(({ message }) => message.calls.map(({ method }) => method));
    expect(calls).toEqual([
      ["statistics"],
      ["scoreTerms"],
      ["scoreFiles", "compareAll", "maxima"],
      ["best"],
      ["results"],
    ]);
  }
});

test("more files are asked for until enough of them pass the filter", async () => {
  const [own, other] = await inMemory(2);
  if (other === undefined) throw new Error("there are two");
  const { asked, sent } = nodesInProcess([own, other]);
  const last = { ...QUERY, limit: 2, filter: ({ path }: { path: string }) => path.includes("9") };
  const [alone, together] = [await readerOf(own), await readerOf(asked)];
  const expected = await resultsOf(alone, last);
  expect(differences(await resultsOf(together, last), expected)).toEqual([]);
  const limits = sent.flatMap(({ message: { calls } }) =>
    calls.flatMap((call) => (call.method === "best" ? [call.limit] : [])),
  );
  expect(Math.max(...limits)).toBeGreaterThan(2);
  const some = { ...QUERY, paths: new Set(["src/file1.ts", "src/file2.ts", "src/file9.ts"]) };
  expect(differences(await resultsOf(together, some), await resultsOf(alone, some))).toEqual([]);
});

/** The method whose message the other node does not answer. */
const FAILING = ["statistics", "scoreTerms", "maxima", "best", "results"] as const;

test.each(FAILING)("if %s fails, this node searches in all shards", async (method) => {
  const backends = await inMemory(3);
  const { asked, sent, log } = nodesInProcess(backends, (send) => async (address, message) => {
    const isLost = message.calls.some((call) => call.method === method);
    if (isLost && address === "http://node-2") throw new Error("the connection was cut");
    return send(address, message);
  });
  const [alone, together] = [await readerOf(backends[0]), await readerOf(asked)];
  const expected = await resultsOf(alone, QUERY);
  expect(differences(await resultsOf(together, QUERY), expected)).toEqual([]);
  expect(together.partial).toEqual([]);
  expect(log).toMatchObject([
    { message: "a node does not search", fields: { node: "http://node-2" } },
  ]);
  // The node is not asked again soon, and the third node gets its shards.
  const before = sent.length;
  expect(differences(await resultsOf(together, QUERY), expected)).toEqual([]);
  const askedNow = sent.slice(before).map(({ address }) => address);
  expect(new Set(askedNow)).toEqual(new Set(["http://node-3"]));
});

test.each(["version", "busy"] as const)(
  "a node that refuses with %s is asked again next time",
  async (refusal) => {
    const backends = await inMemory(2);
    let refusals = 0;
    const { asked, sent, log } = nodesInProcess(backends, (send) => async (address, message) => {
      if (refusals > 0) return send(address, message);
      refusals += 1;
      return { refusal };
    });
    const [alone, together] = [await readerOf(backends[0]), await readerOf(asked)];
    const expected = await resultsOf(alone, QUERY);
    expect(differences(await resultsOf(together, QUERY), expected)).toEqual([]);
    const before = sent.length;
    expect(differences(await resultsOf(together, QUERY), expected)).toEqual([]);
    expect(sent.length).toBeGreaterThan(before);
    expect(log).toEqual([]);
  },
);

test("an index that is not divided is searched here", async () => {
  const own = new MemoryBackend();
  const writer = await openWriter(own);
  addPlain(writer, FILES);
  await writer.commit();
  await writer.close();
  const { asked, sent } = nodesInProcess([own, new MemoryBackend()]);
  const reader = await readerOf(asked);
  const { files } = await reader.candidates(QUERY);
  expect(files.length).toBeGreaterThan(10);
  expect(sent).toEqual([]);
});

test("a caller who has gone ends the search, whatever the other node does", async () => {
  const backends = await inMemory(2);
  const caller = new AbortController();
  const gone = new Error("the caller has gone");
  const { asked, log } = nodesInProcess(backends, () => async () => {
    caller.abort(gone);
    throw new Error("the connection was cut");
  });
  const reader = await asked.reader(authorized("n"), { signal: caller.signal });
  await expect(reader?.candidates(QUERY)).rejects.toBe(gone);
  expect(log).toEqual([]);
});

test("each node gets as many shards of an index as the others, or one more", () => {
  const addresses = ["http://a", "http://b", "http://c"];
  const firsts = new Set<string | undefined>();
  for (const namespace of ["linux", "chromium", "kde", "gnome", "llvm", "rust", "go"]) {
    const owners = Array.from({ length: 8 }, (_, shard) => nodeOf(namespace, shard, addresses));
    const counts = addresses.map((node) => owners.filter((owner) => owner === node).length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([2, 3, 3]);
    // The same on a node that lists them in another order.
    const reversed = addresses.toReversed();
    expect(owners).toEqual(owners.map((_, shard) => nodeOf(namespace, shard, reversed)));
    firsts.add(owners[0]);
  }
  // Not every first shard is on the same node.
  expect(firsts.size).toBeGreaterThan(1);
  expect(nodeOf("linux", 0, [])).toBeUndefined();
});
