// Runs over a namespace with the lock of its index, and again after damage.

import { explainWriteErrors, IndexDamage } from "../../index/damage.ts";
import type { IndexReport } from "../api/index-report.ts";
import { createMonitorMatcher } from "../monitors/create-matcher.ts";
import { IndexRun } from "./index-run.ts";
import { LAST_SCAN_NOTE } from "./last-scan.ts";
import type { IndexHooks, RunOptions } from "./run-options.ts";
import { START_NOTE } from "./start-note.ts";

/** A run that repairs an index must cover all files. */
const ALL_FILES = { folders: undefined };

/**
 * Brings the index of a namespace up to date. If the index is damaged, quarantines it and builds it again. Throws
 * INDEX_UNAVAILABLE and STORAGE_FULL.
 */
export async function runIndexJob(options: RunOptions, hooks: IndexHooks): Promise<IndexReport> {
  const started = performance.now();
  const report = await explainWriteErrors(() => runWithRepair(options, hooks));
  return { ...report, elapsedMs: Math.round(performance.now() - started) };
}

async function runWithRepair(options: RunOptions, hooks: IndexHooks): Promise<IndexReport> {
  const { namespace, rebuild, quarantine } = options;
  const { index } = hooks;
  const isDamageReported = (await index.health(namespace)).damage !== undefined;
  try {
    const first = quarantine ?? (rebuild ? "newer" : isDamageReported ? "damaged" : undefined);
    const all = isDamageReported ? ALL_FILES : {};
    return await runOnce({ ...options, quarantine: first, ...all }, hooks);
  } catch (thrown) {
    if (!(thrown instanceof IndexDamage) || quarantine === "all") throw thrown;
    await index.reportDamage(namespace, thrown.message);
    const again = { ...options, quarantine: "all", ...ALL_FILES } as const;
    return await runOnce(again, { ...hooks, scan: undefined });
  }
}

async function runOnce(options: RunOptions, hooks: IndexHooks): Promise<IndexReport> {
  const { namespace, waitMs, quarantine, isAwaited: isPatient } = options;
  const { index, embeddings, beforeCommit, monitors } = hooks;
  const wait = { waitMs, isPatient };
  const writer = await index.writer(namespace, { ...wait, embeddings, quarantine, beforeCommit });
  if (writer === undefined) return { ...NOTHING_DONE, outcome: "busy" };
  try {
    // Read after taking the lock, so that a run that waited for it has the current monitors.
    const current = (await monitors?.()) ?? [];
    const watch = await createMonitorMatcher(current, writer.monitorState, embeddings);
    // Until the first complete run, the note of the last scan is missing.
    const isStarted =
      writer.note(LAST_SCAN_NOTE) === undefined && writer.note(START_NOTE) !== undefined;
    const report = await new IndexRun(options, writer, { ...hooks, watch }).run();
    if (quarantine !== undefined) await index.clearDamage(namespace);
    return isStarted ? { ...report, isStarted } : report;
  } finally {
    await writer.close();
  }
}

const NOTHING_DONE: Omit<IndexReport, "outcome"> = {
  elapsedMs: 0,
  generation: 0,
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  warnings: [],
};
