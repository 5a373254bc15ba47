import { expect, test } from "vitest";

import {
  MAX_ATTEMPTS,
  MAX_NODE_SILENCE_MS,
  NODE_LOST,
  RETRY_MS,
  type UpdateQueue,
  type UpdateResult,
} from "../../src/backend/updates/port.ts";

interface TestedUpdates {
  /** Opens the same queue, as another node does. */
  readonly open: () => UpdateQueue;
  /** Advances the clock of every node by this time. */
  readonly pass: (ms: number) => unknown;
}

const DONE: UpdateResult = { report: { added: 7 } };
const FAILED: UpdateResult = { problem: { code: "FETCH_FAILED", message: "No such host." } };

/** What every queue of updates promises (src/backend/updates/port.ts). */
export function updatesContract(make: () => TestedUpdates): void {
  test("a requested update is done by one node, and its result is there for all", async () => {
    const { open } = make();
    const [one, other] = [open(), open()];
    expect(await one.stateOf("team")).toBeUndefined();
    expect(await one.take()).toBeUndefined();
    expect(await one.request({ namespace: "team", sources: [3] })).toBe(1);

    const taken = await other.take();
    expect(await one.openCount()).toBe(1);
    expect(taken).toMatchObject({ namespace: "team", sources: [3], rebuild: false });
    expect(await one.take()).toBeUndefined();
    expect(await taken?.keep({ stage: "words", done: 1, total: 2 })).toBe(true);
    expect(await one.stateOf("team")).toEqual({
      requested: 1,
      ended: 0,
      progress: { stage: "words", done: 1, total: 2 },
      attempt: undefined,
    });
    await taken?.end(DONE);
    expect(await one.stateOf("team")).toEqual({
      requested: 1,
      ended: 1,
      progress: undefined,
      attempt: { request: 1, result: DONE },
    });
    expect(await one.openCount()).toBe(0);
    expect(await other.take()).toBeUndefined();
  });

  test("requests that wait become one update of all their sources", async () => {
    const { open } = make();
    const queue = open();
    await queue.request({ namespace: "team", sources: [5, 3] });
    await queue.request({ namespace: "team", sources: [3, 4], rebuild: true });
    const taken = await queue.take();
    expect(taken).toMatchObject({ sources: [3, 4, 5], rebuild: true });
    await taken?.end(DONE);
    expect(await queue.stateOf("team")).toMatchObject({ requested: 2, ended: 2 });

    // A later request does not affect the sources of an earlier one.
    await queue.request({ namespace: "team", sources: [9] });
    await queue.request({ namespace: "team" });
    await queue.request({ namespace: "team", sources: [9] });
    expect(await queue.take()).toMatchObject({ sources: undefined, rebuild: false });
  });

  test("a request during an update is followed by another update", async () => {
    const { open } = make();
    const queue = open();
    await queue.request({ namespace: "team" });
    const first = await queue.take();
    expect(await queue.request({ namespace: "team" })).toBe(2);
    expect(await queue.take()).toBeUndefined();
    await first?.end(DONE);
    expect(await queue.stateOf("team")).toMatchObject({
      requested: 2,
      ended: 1,
      attempt: { request: 1 },
    });
    const second = await queue.take();
    await second?.end(DONE);
    expect(await queue.stateOf("team")).toMatchObject({ ended: 2, attempt: { request: 2 } });
  });

  test("the update that has waited longest comes first, and one node does several", async () => {
    const { open, pass } = make();
    const queue = open();
    for (const namespace of ["zoo", "ape", "yak"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await queue.request({ namespace });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pass(10);
    }
    const taken = [await queue.take(), await queue.take(), await queue.take(), await queue.take()];
    expect(taken.map((update) => update?.namespace)).toEqual(["zoo", "ape", "yak", undefined]);
  });

  test("nodes that ask at the same time share the updates", async () => {
    const { open } = make();
    const nodes = Array.from({ length: 6 }, open);
    const names = Array.from({ length: 20 }, (_, at) => `n${at + 10}`);
    await Promise.all(names.map((namespace) => open().request({ namespace })));
    const taken = await Promise.all(
      nodes.map(async (node) => {
        const own: string[] = [];
        for (;;) {
          // oxlint-disable-next-line no-await-in-loop -- until none is left
          const update = await node.take();
          if (update === undefined) return own;
          own.push(update.namespace);
        }
      }),
    );
    expect(taken.flat().toSorted()).toEqual(names);
  });

  test("a failed update is done again after a wait, and given up in the end", async () => {
    const { open, pass } = make();
    const queue = open();
    await queue.request({ namespace: "team", sources: [3] });
    for (const wait of RETRY_MS) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const taken = await queue.take();
      expect(taken).toMatchObject({ sources: [3] });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await taken?.end(FAILED);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await queue.stateOf("team")).toMatchObject({
        ended: 0,
        attempt: { request: 1, result: FAILED },
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pass(wait - 1000);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await queue.take()).toBeUndefined();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pass(1000);
    }
    const last = await queue.take();
    await last?.end(FAILED);
    expect(await queue.stateOf("team")).toMatchObject({ ended: 1, attempt: { result: FAILED } });
    await pass(1_000_000);
    expect(await queue.take()).toBeUndefined();
  });

  test("a new request ends the wait after a failure, and has all its attempts", async () => {
    const { open, pass } = make();
    const queue = open();
    await queue.request({ namespace: "team", sources: [3] });
    await (await queue.take())?.end(FAILED);
    await queue.request({ namespace: "team", sources: [4] });
    for (const wait of RETRY_MS) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const taken = await queue.take();
      expect(taken).toMatchObject({ sources: [3, 4] });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await taken?.end(FAILED);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pass(wait);
    }
    await (await queue.take())?.end(DONE);
    expect(await queue.stateOf("team")).toMatchObject({ ended: 2, attempt: { result: DONE } });
  });

  test("the update of a node that died is done by another, and the first cannot end it", async () => {
    const { open, pass } = make();
    const [one, other] = [open(), open()];
    await one.request({ namespace: "team" });
    const lost = await one.take();
    await pass(MAX_NODE_SILENCE_MS - 1000);
    expect(await other.take()).toBeUndefined();
    expect(await lost?.keep({})).toBe(true);
    await pass(MAX_NODE_SILENCE_MS - 1000);
    expect(await other.take()).toBeUndefined();
    await pass(1001);
    const taken = await other.take();
    expect(taken?.namespace).toBe("team");
    expect(await lost?.keep({})).toBe(false);
    await lost?.end(FAILED);
    await lost?.giveBack();
    expect(await one.stateOf("team")).toMatchObject({ ended: 0, attempt: undefined });
    expect(await taken?.keep({})).toBe(true);
    await taken?.end(DONE);
    expect(await one.stateOf("team")).toMatchObject({ ended: 1 });
  });

  test("an update that ends its nodes is given up", async () => {
    const { open, pass } = make();
    const queue = open();
    await queue.request({ namespace: "team" });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      expect(await queue.take()).toBeDefined();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await pass(MAX_NODE_SILENCE_MS + 1);
    }
    expect(await queue.take()).toBeUndefined();
    expect(await queue.stateOf("team")).toEqual({
      requested: 1,
      ended: 1,
      progress: undefined,
      attempt: { request: 1, result: NODE_LOST },
    });
  });

  test("an update that is given back is done at once by another node", async () => {
    const { open } = make();
    const [one, other] = [open(), open()];
    await one.request({ namespace: "team" });
    for (let round = 0; round <= MAX_ATTEMPTS; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const taken = await one.take();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await taken?.giveBack();
    }
    expect(await other.take()).toMatchObject({ namespace: "team" });
  });

  test("a forgotten namespace has no update, and its node cannot bring it back", async () => {
    const { open } = make();
    const queue = open();
    await queue.request({ namespace: "team" });
    const taken = await queue.take();
    await queue.forget("team");
    expect(await taken?.keep({})).toBe(false);
    await taken?.end(DONE);
    expect(await queue.stateOf("team")).toBeUndefined();
    expect(await queue.request({ namespace: "team" })).toBe(1);
  });

  test("nodes are listed until they retire or are silent", async () => {
    const { open, pass } = make();
    const [one, other] = [open(), open()];
    expect(await one.nodes()).toEqual([]);
    await one.announce("yak:7");
    await other.announce("ape:3");
    expect(await open().nodes()).toEqual(["ape:3", "yak:7"]);
    await pass(MAX_NODE_SILENCE_MS - 1000);
    await other.announce("ape:3");
    await pass(1001);
    expect(await one.nodes()).toEqual(["ape:3"]);
    await other.retire();
    expect(await one.nodes()).toEqual([]);
  });
}
