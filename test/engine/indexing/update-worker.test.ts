// Nodes of a team that share a queue of updates: real engines and repositories, over a backend in memory.
import { availableParallelism } from "node:os";

import { expect, test } from "vitest";

import { memoryBackend, sharedMemory } from "../../../src/backend/memory-backend.ts";
import { memoryUpdates } from "../../../src/backend/updates/memory-updates.ts";
import type { EngineOptions, NodeRole } from "../../../src/engine/engine-options.ts";
import type { IndexReport } from "../../../src/engine/api/index-report.ts";
import { UpdateWorker } from "../../../src/engine/indexing/update-worker.ts";
import { failure, fetchingProject, found, sourceOf, upstream } from "../../helpers/git-sources.ts";
import { request, type Project } from "../../helpers/project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { stopTimers } from "../../helpers/stopped-clock.ts";

const SLOW = 60_000;

/** Nodes on one machine: they share the folder of the clones too. */
function team() {
  const shared = sharedMemory();
  const { data, home } = fetchingProject();
  const queue = memoryUpdates(shared.updates);
  const join = (role?: NodeRole, options: Partial<EngineOptions> = {}): Project =>
    fetchingProject({
      backend: memoryBackend(shared),
      dataDirectory: data,
      home,
      role,
      workspace: undefined,
      ...options,
    });
  return {
    queue,
    join,
    /** Joins a node, and waits until it takes updates. */
    start: async (role: NodeRole, options?: Partial<EngineOptions>): Promise<Project> => {
      const node = join(role, options);
      node.engine.startBackground();
      await expect.poll(() => queue.nodes()).toHaveLength(1);
      return node;
    },
  };
}

test(
  "a node whose role is to read lets an index node do the updates",
  async () => {
    const { join, start } = team();
    const reader = join("read");
    await start("index");
    const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
    const indexed = await reader.engine.index({
      ...request(),
      source: origin.url,
      namespace: "zoo",
    });
    expect(indexed.report).toMatchObject({ outcome: "done", added: 1 });
    expect(await found(reader, "aardvark", "zoo")).toEqual(["a.md"]);

    origin.commit({ "a.md": "The antelope runs.\n" });
    await reader.engine.refresh({ ...request(), namespace: "zoo" });
    await expect
      .poll(() => found(reader, "antelope", "zoo"), { timeout: 20_000 })
      .toEqual(["a.md"]);
    expect(await sourceOf(reader, "zoo")).toMatchObject({ available: true, state: "ready" });
    // Folders are on the machine that has them.
    await expect(
      reader.engine.index({ ...request(), source: reader.root, namespace: "farm" }),
    ).rejects.toThrow(failure("INDEX_UNAVAILABLE", /answers questions and does not index/));
  },
  SLOW,
);

test(
  "without an index node each process does its own updates, and a read node keeps the request",
  async () => {
    const { join, start } = team();
    const [reader, shell] = [join("read"), join()];
    const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
    const add = { ...request(), source: origin.url, namespace: "zoo" };
    expect((await shell.engine.index(add)).report).toMatchObject({ added: 1 });
    origin.commit({ "b.md": "The badger digs.\n" });
    await expect(reader.engine.index(add)).rejects.toThrow(
      failure("INDEX_UNAVAILABLE", /No index node runs.*stays requested/s),
    );
    await start("index");
    await expect.poll(() => found(reader, "badger", "zoo"), { timeout: 20_000 }).toEqual(["b.md"]);
  },
  SLOW,
);

test(
  "a failure reaches the one who asked, and a namespace that was removed is forgotten",
  async () => {
    const { queue, start } = team();
    const node = await start("both");
    const gone = upstream({ "a.md": "The aardvark sleeps.\n" });
    gone.dispose();
    await expect(
      node.engine.index({ ...request(), source: gone.url, namespace: "zoo" }),
    ).rejects.toThrow(failure("FETCH_FAILED", /does not exist/));
    await expect(sourceOf(node, "zoo")).rejects.toThrow(failure("NAMESPACE_NOT_FOUND", /zoo/));
    await queue.request({ namespace: "zoo" });
    await expect.poll(() => queue.stateOf("zoo"), { timeout: 10_000 }).toBeUndefined();
  },
  SLOW,
);

test(
  "a node that ends gives its update back, and takes no more",
  async () => {
    const { queue, start } = team();
    const started = Promise.withResolvers<void>();
    const node = await start("index", {
      // A server that does not answer.
      fetchRepository: ({ signal }) =>
        new Promise((_, reject) => {
          started.resolve();
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const origin = upstream({ "a.md": "The aardvark sleeps.\n" });
    const add = { ...request(), source: origin.url, namespace: "zoo", waitMs: 1 };
    expect((await node.engine.index(add)).report).toBeUndefined();
    await started.promise;
    await node.engine.close();
    expect(await queue.nodes()).toEqual([]);
    expect(await queue.stateOf("zoo")).toMatchObject({
      requested: 1,
      ended: 0,
      progress: undefined,
      attempt: undefined,
    });
    expect(await queue.take()).toMatchObject({ namespace: "zoo" });
  },
  SLOW,
);

const DONE: IndexReport = {
  outcome: "done",
  generation: 1,
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  warnings: [],
  elapsedMs: 0,
};

test("a node takes the next update as soon as one has ended", async () => {
  stopTimers();
  const queue = memoryUpdates(sharedMemory().updates);
  const maxRunning = Math.max(1, availableParallelism() - 1);
  for (let at = 0; at <= maxRunning; at += 1) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await queue.request({ namespace: `zoo${at}` });
  }
  const ends: (() => void)[] = [];
  const worker = new UpdateWorker({
    queue,
    logger: recordingLogger().logger,
    async start() {
      const { promise: finished, resolve } = Promise.withResolvers<IndexReport>();
      ends.push(() => resolve(DONE));
      return [
        {
          finished,
          coversAllFiles: true,
          progress: () => ({ stage: "list", done: 0, total: 0 }),
          listen: () => {},
          isCancelled: () => false,
          cancel: async () => resolve(DONE),
        },
      ];
    },
  });
  const begun = async (): Promise<number> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    return ends.length;
  };
  worker.start();
  expect(await begun()).toBe(maxRunning);
  ends[0]?.();
  expect(await begun()).toBe(maxRunning + 1);
  await worker.close();
});
