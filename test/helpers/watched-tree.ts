import { expect, vi } from "vitest";

import { IncrementalQueue } from "../../src/engine/watching/incremental-queue.ts";
import type { IndexReport } from "../../src/engine/api/index-report.ts";
import { WatchedSources } from "../../src/engine/watching/watched-sources.ts";
import type { SourceWatcherOptions } from "../../src/scan/source-watcher.ts";
import { indexOf, type IndexedTree } from "./indexed-tree.ts";
import { pictureOf } from "./picture.ts";

export interface WatchedTree extends IndexedTree {
  /** Runs since the start of watching: the folders of each run, undefined for all folders. */
  readonly runs: readonly (readonly string[] | undefined)[];
  readonly reports: readonly IndexReport[];
  /** The reason why it is not watched. */
  readonly limits: readonly string[];
  readonly folders: () => number;
  /** Waits until every answer matches a fresh index of the folder. */
  readonly converged: (words?: readonly string[]) => Promise<void>;
}

const MAX_WAIT_MS = 60_000;

/** An index of a folder that follows it, in this thread. */
export async function watchedTree(
  root: string,
  options: Partial<Pick<SourceWatcherOptions, "maxFolders" | "isRecursive">> = {},
): Promise<WatchedTree> {
  const indexed = indexOf(root);
  const runs: (readonly string[] | undefined)[] = [];
  const reports: IndexReport[] = [];
  const limits: string[] = [];
  const fresh = new IncrementalQueue({
    run: (folders) => {
      runs.push(folders?.map(({ path }) => path).toSorted());
      return indexed.run({ folders });
    },
    onRunEnd: (report) => void reports.push(report),
  });
  const watched = new WatchedSources(
    indexed.sources,
    [indexed.data],
    {
      onDirty: (touched) => fresh.add(touched),
      onLimit: ({ message }) => void limits.push(message),
    },
    options,
  );
  watched.open();
  await indexed.run();
  return {
    ...indexed,
    runs,
    reports,
    limits,
    folders: () => watched.folders,
    converged: (words = []) => converged(indexed, words),
    dispose() {
      watched.close();
      fresh.close();
      indexed.dispose();
    },
  };
}

async function converged(indexed: IndexedTree, words: readonly string[]): Promise<void> {
  const again = indexOf(indexed.root);
  try {
    await again.run();
    const wanted = await pictureOf(again, words);
    const isEqual = async (): Promise<void> =>
      expect(await pictureOf(indexed, words)).toEqual(wanted);
    await vi.waitFor(isEqual, { timeout: MAX_WAIT_MS, interval: 20 });
  } finally {
    again.dispose();
  }
}
