// The data that monitors keep with the baselines of files.

import type { ChangeLogStore, RecordedFile } from "./change-log-store.ts";
import { decodeLineHashes, encodeLineHashes } from "./fingerprint-block.ts";

type Baselines = Pick<ChangeLogStore, "baseline" | "setBaseline">;

/** Whether a file with indexed content has no line hashes. */
export function lacksLineHashes({ lineHashes, hash }: RecordedFile): boolean {
  return lineHashes === null && hash !== "";
}

/** Returns the line hashes of a file's baseline; undefined if there are none. */
export function lineHashesOf({ baseline }: Baselines, path: string): Uint32Array | undefined {
  const lines = baseline(path)?.lineHashes ?? null;
  return lines === null ? undefined : decodeLineHashes(lines);
}

/** Sets the line hashes of a file's baseline, if it has one. */
export function setLineHashes(store: Baselines, path: string, hashes: Uint32Array): void {
  const file = store.baseline(path);
  if (file !== undefined) store.setBaseline({ ...file, lineHashes: encodeLineHashes(hashes) });
}

/** Returns the data that monitors store for a file, parsed from JSON. */
export function watchedOf({ baseline }: Baselines, path: string): unknown {
  const watched = baseline(path)?.watched ?? null;
  return watched === null ? undefined : JSON.parse(watched);
}

/** Sets the data that monitors store for a file, if it has a baseline. */
export function setWatched(store: Baselines, path: string, value: unknown): void {
  const file = store.baseline(path);
  const watched = value === undefined ? null : JSON.stringify(value);
  if (file !== undefined) store.setBaseline({ ...file, watched });
}
