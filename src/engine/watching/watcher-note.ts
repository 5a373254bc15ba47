// What the process that watches a namespace tells the others: it holds `watcher.lock`, and says in
// `watcher.json` beside it how it fares.

import { existsSync, rmSync, statSync, utimesSync } from "node:fs";

import { readRegularFile, writeFileAtomic } from "../../base/files.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import type { IndexLayout } from "../../index/layout.ts";

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
export const WHEN_ASKED: Freshness = { mode: "asked", pid: null, folders: 0 };

/** How often whoever watches shows that it still runs; a process can be halted and keep its lock. */
export const SIGN_OF_LIFE_MS = 5000;
export const LONGEST_SILENCE_MS = 4 * SIGN_OF_LIFE_MS;
const NOTE_LIMIT_BYTES = 1 << 16;
const MODES: readonly unknown[] = ["starting", "watched", "polled"];

export function writeNote({ watcherNote }: IndexLayout, freshness: Freshness): void {
  writeFileAtomic(watcherNote, `${JSON.stringify(freshness)}\n`);
}

export function renewNote({ watcherNote }: IndexLayout): void {
  const now = new Date();
  utimesSync(watcherNote, now, now);
}

export function removeNote({ watcherNote }: IndexLayout): void {
  rmSync(watcherNote, { force: true });
}

/** What the holder of the lock says; of one that has long been silent nothing can be expected. */
export function readNote({ watcherNote }: IndexLayout): Freshness {
  try {
    const { mtimeMs } = statSync(watcherNote);
    if (Math.abs(Date.now() - mtimeMs) > LONGEST_SILENCE_MS) return WHEN_ASKED;
    const text = readRegularFile(watcherNote, NOTE_LIMIT_BYTES)?.toString() ?? "";
    const note: Partial<Freshness> | null = JSON.parse(text);
    const { mode, pid, folders, problem } = note ?? {};
    if (mode === undefined || !MODES.includes(mode)) return WHEN_ASKED;
    const common = { mode, pid: Number(pid), folders: Number(folders) };
    return typeof problem === "string" ? { ...common, problem } : common;
  } catch {
    return WHEN_ASKED;
  }
}

/** For a process that takes no part: who keeps the namespace fresh, and how. */
export function freshnessOf(layout: IndexLayout): Freshness {
  if (!existsSync(layout.watcherLock)) return WHEN_ASKED;
  const release = takeExclusiveLock(layout.watcherLock, 0);
  release?.();
  return release === undefined ? readNote(layout) : WHEN_ASKED;
}
