// What the process that watches a namespace tells the others: it holds `watcher.lock`, and says in
// `watcher.json` beside it how it fares.

import { existsSync, rmSync, statSync, utimesSync } from "node:fs";

import { readRegularFile, writeFileAtomic } from "../../base/files.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import type { IndexLayout } from "../../index/embedded/layout.ts";

/**
 * `starting`: it does not see everything yet. `watched`: the index follows the files within moments. `polled`: the
 * files cannot be watched, and are compared with the index from time to time. `asked`: nobody watches; they are
 * compared when a question comes.
 */
export type FreshnessMode = "starting" | "watched" | "polled" | "asked";

export interface Freshness {
  readonly mode: FreshnessMode;
  /** The process that sees to it; null for nobody. */
  readonly pid: number | null;
  /** How many folders it watches. */
  readonly folders: number;
  /** Why it cannot watch, and what mends that. */
  readonly problem?: string;
}

/** Nobody sees to it but who asks. */
export const NOT_WATCHED: Freshness = { mode: "asked", pid: null, folders: 0 };

/** How often whoever watches shows that it still runs; a process can be halted and keep its lock. */
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

/** What the holder of the lock says; of one that has long been silent nothing can be expected. */
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

/** For a process that takes no part: who keeps the namespace fresh, and how. */
export function freshnessOf(layout: IndexLayout): Freshness {
  if (!existsSync(layout.leaderLock)) return NOT_WATCHED;
  const release = takeExclusiveLock(layout.leaderLock, 0);
  release?.();
  return release === undefined ? readFreshness(layout) : NOT_WATCHED;
}
