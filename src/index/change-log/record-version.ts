// Records in the change log that an indexing run publishes or removes a file.

import type { FileState } from "../types.ts";
import type { FileVersion } from "./change-event.ts";
import type { ChangeLogStore } from "./change-log-store.ts";
import { encodeLineHashes, NO_FINGERPRINTS, writeFingerprints } from "./fingerprint-block.ts";

/**
 * Records a file within the transaction that publishes its state, and before that state is stored. Until a file is complete,
 * and so has a version, the change log keeps its earlier state.
 */
export function recordFile(
  store: ChangeLogStore,
  state: FileState,
  version: FileVersion | undefined,
): void {
  if (version !== undefined) recordVersion(store, state, version);
  else if (state.skipped !== null) recordSkipped(store, state.path, state.source);
}

/** Records a complete file, within the transaction that publishes it. */
export function recordVersion(
  store: ChangeLogStore,
  { path, source, hash }: { readonly path: string; readonly source: number; readonly hash: string },
  version: FileVersion,
): void {
  const baseline = store.baseline(path);
  const isBaseline = baseline !== undefined && baseline.hash === hash;
  const now = {
    path,
    source,
    hash,
    fingerprints: version.fingerprints,
    lineHashes: encodeLineHashes(version.lineHashes),
    watched: version.watched ?? null,
  };
  if (!isBaseline && store.isReported(source)) {
    store.setPending({ ...now, found: version.found ?? null });
    return;
  }
  store.removePending(path);
  // A new source's file, or the same content, perhaps with other fingerprints, becomes the baseline at once.
  const { lineHashes, watched } = isBaseline ? baseline : NO_MONITOR_DATA;
  const next = {
    ...now,
    lineHashes: now.lineHashes ?? lineHashes,
    watched: now.watched ?? watched,
  };
  if (hash === "") store.setBaseline(next);
  else store.setIndexedBaseline(next);
}

/** Records that the content of a file is no longer indexed. A file that never was indexed is not reported. */
export function recordSkipped(store: ChangeLogStore, path: string, source: number): void {
  const isKnown = store.baseline(path) !== undefined || store.pending(path) !== undefined;
  if (isKnown) recordVersion(store, { path, source, hash: "" }, EMPTY_VERSION);
}

/** Records that a file was removed. */
export function recordRemoval(store: ChangeLogStore, path: string): void {
  const baseline = store.baseline(path);
  if (baseline === undefined) store.removePending(path);
  else if (store.isReported(baseline.source))
    store.setPending({ ...REMOVED, path, source: baseline.source });
  else store.removeBaseline(path);
}

const NO_MONITOR_DATA = { lineHashes: null, watched: null };
const REMOVED = {
  hash: null,
  fingerprints: new Uint8Array(),
  lineHashes: null,
  watched: null,
  found: null,
};
const EMPTY_VERSION: FileVersion = {
  fingerprints: writeFingerprints(NO_FINGERPRINTS),
  lineHashes: undefined,
  watched: undefined,
  found: undefined,
};
