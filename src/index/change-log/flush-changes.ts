// A flush reports each file's change from its baseline to its pending state, and makes the pending state the new
// baseline, in one transaction. So no change is reported twice or lost, even if a run is killed.

import { classifyChange, detailOf, type ContentVersion, type FileChange } from "./change-detail.ts";
import type { ChangeHit, FlushPlan, MatchMonitors, MonitoredVersion } from "./change-event.ts";
import type { ChangeLogStore, PendingFile, RecordedFile } from "./change-log-store.ts";
import { pairRenames } from "./file-renames.ts";
import { decodeLineHashes, readFingerprints } from "./fingerprint-block.ts";
import { diffSymbols } from "./symbol-diff.ts";

/** Older entries beyond this number are deleted. */
const MAX_CHANGES = 100_000;
/** Older entries are deleted. */
const MAX_AGE_MS = 90 * 24 * 3600 * 1000;

type Emit = (change: FileChange, hits: readonly ChangeHit[]) => void;

interface FlushOptions {
  /** Generation that publishes the changes. */
  readonly generation: number;
  /** Time of the report, in milliseconds since 1970. */
  readonly atMs: number;
  /** Entries beyond this number are deleted; MAX_CHANGES by default. */
  readonly maxChanges?: number | undefined;
}

/** Whether `flushChanges` would write anything. */
export function needsFlush(store: ChangeLogStore, { completeSources }: FlushPlan): boolean {
  return store.hasPending() || [...completeSources].some((source) => !store.isReported(source));
}

/** Writes the pending changes to the log, within a transaction. */
export function flushChanges(
  store: ChangeLogStore,
  { sources, completeSources, match }: FlushPlan,
  { generation, atMs, maxChanges = MAX_CHANGES }: FlushOptions,
): void {
  const emit: Emit = (change, hits) => store.append({ change, hits, generation, atMs });
  for (const [source, prefix] of sources) {
    if (!completeSources.has(source) || store.isReported(source)) continue;
    const files = store.beginReporting(source, prefix);
    emit({ kind: "indexed", path: prefix, oldPath: undefined, detail: { files } }, []);
  }
  emitLostSources(store, sources, emit);
  emitFileChanges(store, match, emit);
  store.promotePending();
  forgetOld(store, atMs, maxChanges);
}

/** Reports the removed files of a source that no longer belongs to the namespace as one change. */
function emitLostSources(
  store: ChangeLogStore,
  sources: ReadonlyMap<number, string>,
  emit: Emit,
): void {
  for (const { source, prefix, files } of store.sourcesWithRemovals()) {
    if (sources.has(source)) continue;
    emit({ kind: "unindexed", path: prefix, oldPath: undefined, detail: { files } }, []);
    store.endReporting(source);
  }
}

function emitFileChanges(store: ChangeLogStore, match: MatchMonitors, emit: Emit): void {
  const states = store.pendingStates();
  const renamed = pairRenames(states, (state, path) =>
    readFingerprints(store[state](path)?.fingerprints ?? new Uint8Array()),
  );
  const moved = new Set(renamed.values());
  for (const { path, hash, oldHash } of states) {
    if (hash === undefined && moved.has(path)) continue;
    const oldPath = renamed.get(path);
    const before = versionOf(store.baseline(oldPath ?? path), null);
    const pending = hash === undefined ? undefined : store.pending(path);
    const now = versionOf(pending, pending?.found ?? null);
    const kind = classifyChange({ hash, oldHash, isMoved: oldPath !== undefined });
    const symbols = diffSymbols(
      before?.fingerprints.symbols ?? [],
      now?.fingerprints.symbols ?? [],
    );
    const change = { kind, path, oldPath, detail: detailOf({ kind, symbols, before, now }) };
    emit(change, match({ ...change, symbols }, before, now));
  }
}

function versionOf(
  file: RecordedFile | undefined,
  found: PendingFile["found"],
): (MonitoredVersion & ContentVersion) | undefined {
  if (file === undefined) return undefined;
  const { hash, fingerprints, lineHashes, watched } = file;
  return {
    // Those of damaged files are unknown, as if the content had not been indexed.
    hash: fingerprints.length === 0 ? "" : String(hash),
    fingerprints: readFingerprints(fingerprints),
    lineHashes: lineHashes === null ? undefined : decodeLineHashes(lineHashes),
    watched: watched === null ? undefined : JSON.parse(watched),
    found: found === null ? undefined : JSON.parse(found),
  };
}

function forgetOld(store: ChangeLogStore, atMs: number, maxChanges: number): void {
  const { last, forgotten } = store.state();
  const until = Math.max(last - maxChanges, store.newestBefore(atMs - MAX_AGE_MS));
  if (until > forgotten) store.forget(until);
}
