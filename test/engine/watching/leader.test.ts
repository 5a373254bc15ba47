import { existsSync, mkdirSync, rmSync, utimesSync } from "node:fs";

import { expect, onTestFinished, test, vi } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import type { IndexReport } from "../../../src/engine/api/index-report.ts";
import { WatchLeader } from "../../../src/engine/watching/leader.ts";
import type { WatchListener, WatchThread } from "../../../src/engine/watching/watch-thread.ts";
import { fileLeases } from "../../../src/backend/leases/file-leases.ts";
import type { Freshness } from "../../../src/engine/api/status.ts";
import { freshnessOf } from "../../../src/engine/watching/heartbeat.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { tree } from "../../helpers/tree.ts";

const REPORT: IndexReport = {
  outcome: "done",
  generation: 1,
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  warnings: [],
  elapsedMs: 1,
};

/** The leader of one simulated process. `system` simulates the events of the folders. */
async function leaderAt(path = place()) {
  const layout = indexLayout(path, "project");
  const { logger, entries } = recordingLogger();
  const listeners: WatchListener[] = [];
  const runs: unknown[] = [];
  const thread: Pick<WatchThread, "watch" | "close"> = {
    watch(_sources, _leftOut, listener) {
      listeners.push(listener);
      return () => {};
    },
    close: async () => {},
  };
  const watch = new WatchLeader({
    namespace: "project",
    leases: fileLeases(path),
    logger,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only members in use
    thread: thread as WatchThread,
    sources: async () => [sourceAt("/nowhere")],
    excludedFolders: () => [],
    async run(folders) {
      runs.push(folders);
      return REPORT;
    },
    onRunEnd: () => {},
    hasListener: () => false,
  });
  onTestFinished(() => watch.close());
  await watch.begun();
  const seen = (): Promise<Freshness> => freshnessOf(fileLeases(path), "project");
  return { path, layout, watch, seen, runs, system: listeners, log: entries };
}

function place(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return path;
}

function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

test("one watches, the other waits and takes over when the first closes", async () => {
  const first = await leaderAt();
  const second = await leaderAt(first.path);
  expect([first.watch.isLeading, second.watch.isLeading]).toEqual([true, false]);
  expect(second.watch.freshness).toMatchObject({ mode: "starting", pid: process.pid });
  first.system[0]?.onReady(7);
  await eventually(() => expect(first.watch.freshness.mode).toBe("watched"));
  expect(first.runs).toEqual([undefined]);
  await eventually(() =>
    expect(second.watch.freshness).toMatchObject({ mode: "watched", folders: 7 }),
  );
  expect(await first.seen()).toMatchObject({ mode: "watched", folders: 7 });
  await first.watch.close();
  await eventually(() => expect(second.watch.isLeading).toBe(true));
  await second.watch.close();
  expect(await first.seen()).toEqual({ mode: "asked", pid: null, folders: 0 });
  expect(existsSync(first.layout.heartbeat)).toBe(false);
});

test("when folders cannot be watched, it warns once, polls everything, and reports the reason to other processes", async () => {
  const { watch, system, runs, seen, log } = await leaderAt();
  system[0]?.onLimit("The limit is reached.");
  system[0]?.onLimit("The limit is reached.");
  const polled = { mode: "polled", pid: process.pid, folders: 0, problem: "The limit is reached." };
  expect(watch.freshness).toEqual(polled);
  await eventually(async () => expect(await seen()).toEqual(polled));
  await eventually(() => expect(runs).toContain(undefined));
  expect(log.filter(({ level }) => level === "warn")).toMatchObject([
    { fields: { namespace: "project", problem: "The limit is reached." } },
  ]);
});

test("a stopped process that holds the lock counts as not watching", async () => {
  const first = await leaderAt();
  const { heartbeat } = first.layout;
  expect((await first.seen()).mode).toBe("starting");
  utimesSync(heartbeat, 1_700_000_000, 1_700_000_000);
  expect((await first.seen()).mode).toBe("asked");
});

test("a removed index is not watched, and watched again when it is recreated", async () => {
  const { watch, layout, seen, system } = await leaderAt();
  rmSync(layout.directory, { recursive: true });
  await eventually(() => expect(system.length).toBeGreaterThan(1));
  expect(watch.isLeading).toBe(true);
  mkdirSync(layout.directory, { recursive: true });
  expect((await seen()).mode).toBe("starting");
});
