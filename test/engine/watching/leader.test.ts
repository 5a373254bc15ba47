import { existsSync, mkdirSync, rmSync, utimesSync } from "node:fs";

import { expect, onTestFinished, test, vi } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import type { IndexReport } from "../../../src/engine/indexing/index-report.ts";
import { WatchLeader } from "../../../src/engine/watching/leader.ts";
import type { WatchListener, WatchThread } from "../../../src/engine/watching/watch-thread.ts";
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
function call(path = place()) {
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
    layout,
    logger,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only members in use
    thread: thread as WatchThread,
    sources: () => [sourceAt("/nowhere")],
    excludedFolders: () => [],
    async run(folders) {
      runs.push(folders);
      return REPORT;
    },
    onRunEnd: () => {},
    hasListener: () => false,
  });
  onTestFinished(() => watch.close());
  return { path, layout, watch, runs, system: listeners, log: entries };
}

function place(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return path;
}

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

test("one watches, the other waits and takes over when the first closes", async () => {
  const first = call();
  const second = call(first.path);
  expect([first.watch.isLeading, second.watch.isLeading]).toEqual([true, false]);
  expect(second.watch.freshness).toMatchObject({ mode: "starting", pid: process.pid });
  first.system[0]?.onReady(7);
  await eventually(() => expect(first.watch.freshness.mode).toBe("watched"));
  expect(first.runs).toEqual([undefined]);
  await eventually(() =>
    expect(second.watch.freshness).toMatchObject({ mode: "watched", folders: 7 }),
  );
  expect(freshnessOf(first.layout)).toMatchObject({ mode: "watched", folders: 7 });
  first.watch.close();
  await eventually(() => expect(second.watch.isLeading).toBe(true));
  second.watch.close();
  expect(freshnessOf(first.layout)).toEqual({ mode: "asked", pid: null, folders: 0 });
  expect(existsSync(first.layout.heartbeat)).toBe(false);
});

test("when folders cannot be watched, it warns once, polls everything, and reports the reason to other processes", async () => {
  const { watch, system, runs, layout, log } = call();
  system[0]?.onLimit("The limit is reached.");
  system[0]?.onLimit("The limit is reached.");
  const polled = { mode: "polled", pid: process.pid, folders: 0, problem: "The limit is reached." };
  expect(watch.freshness).toEqual(polled);
  expect(freshnessOf(layout)).toEqual(polled);
  await eventually(() => expect(runs).toContain(undefined));
  expect(log.filter(({ level }) => level === "warn")).toMatchObject([
    { fields: { namespace: "project", problem: "The limit is reached." } },
  ]);
});

test("a stopped process that holds the lock counts as not watching", () => {
  const first = call();
  const { heartbeat } = first.layout;
  expect(freshnessOf(first.layout).mode).toBe("starting");
  utimesSync(heartbeat, 1_700_000_000, 1_700_000_000);
  expect(freshnessOf(first.layout).mode).toBe("asked");
});

test("a removed index is not watched, and watched again when it is recreated", async () => {
  const { watch, layout, system } = call();
  rmSync(layout.directory, { recursive: true });
  await eventually(() => expect(system.length).toBeGreaterThan(1));
  expect(watch.isLeading).toBe(true);
  mkdirSync(layout.directory, { recursive: true });
  expect(freshnessOf(layout).mode).toBe("starting");
});
