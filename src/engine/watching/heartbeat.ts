// How the process that watches a namespace reports to other processes: it holds `watcher.lock` and writes its state
// to `watcher.json` in the same folder.

import { existsSync, rmSync, statSync, utimesSync } from "node:fs";

import { readRegularFile, writeFileAtomic } from "../../base/files.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import type { IndexLayout } from "../../index/embedded/layout.ts";

/**
 * `starting`: the watcher is starting and may miss changes. `watched`: the index follows changes within moments.
 * `polled`: the files cannot be watched and are checked periodically. `asked`: not watched; files are checked on
 * each query.
 */
export type FreshnessMode = "starting" | "watched" | "polled" | "asked";

export interface Freshness {
  readonly mode: FreshnessMode;
  /** The process that watches or polls; null for none. */
  readonly pid: number | null;
  /** Number of watched folders. */
  readonly folders: number;
  /** Why it cannot watch, and the fix. */
  readonly problem?: string;
}

/** No process watches; files are checked on each query. */
export const NOT_WATCHED: Freshness = { mode: "asked", pid: null, folders: 0 };

/** How often the watcher updates the file's time: a stopped process keeps its lock. */
export const HEARTBEAT_MS = 5000;
export const MAX_SILENCE_MS = 4 * HEARTBEAT_MS;
const MAX_HEARTBEAT_BYTES = 1 << 16;
const MODES: readonly unknown[] = ["starting", "watched", "polled"];

export function writeHeartbeat({ heartbeat }: IndexLayout, freshness: Freshness): void {
  writeFileAtomic(heartbeat, `${JSON.stringify(freshness)}\n`);
}

export function touchHeartbeat({ heartbeat }: IndexLayout): void {
  const now = new Date();
  utimesSync(heartbeat, now, now);
}

export function removeHeartbeat({ heartbeat }: IndexLayout): void {
  rmSync(heartbeat, { force: true });
}

/** The state in `watcher.json`; NOT_WATCHED when it is missing, invalid, or older than MAX_SILENCE_MS. */
export function readFreshness({ heartbeat }: IndexLayout): Freshness {
  try {
    const { mtimeMs } = statSync(heartbeat);
    if (Math.abs(Date.now() - mtimeMs) > MAX_SILENCE_MS) return NOT_WATCHED;
    const text = readRegularFile(heartbeat, MAX_HEARTBEAT_BYTES)?.toString() ?? "";
    const heartbeatFile: Partial<Freshness> | null = JSON.parse(text);
    const { mode, pid, folders, problem } = heartbeatFile ?? {};
    if (mode === undefined || !MODES.includes(mode)) return NOT_WATCHED;
    const common = { mode, pid: Number(pid), folders: Number(folders) };
    return typeof problem === "string" ? { ...common, problem } : common;
  } catch {
    return NOT_WATCHED;
  }
}

/** The freshness of a namespace, for a process that does not watch it. */
export function freshnessOf(layout: IndexLayout): Freshness {
  if (!existsSync(layout.leaderLock)) return NOT_WATCHED;
  const release = takeExclusiveLock(layout.leaderLock, 0);
  release?.();
  return release === undefined ? readFreshness(layout) : NOT_WATCHED;
}
