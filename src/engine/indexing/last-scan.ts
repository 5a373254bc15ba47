// The note of a complete run: which files it found, and its counts. A scan that finds the same files needs no run.

import { productVersion } from "../../base/assets.ts";
import { decodeMemories, encodeMemories, type WalkMemory } from "../../scan/walk-memory.ts";
import { scanFingerprint, type SourceScan } from "./source-scan.ts";

/** Key of the note in the index. */
export const LAST_SCAN_NOTE = "scan";

/**
 * Key of the note with what the walks of the last scan saw. It names the scan, because a run over some folders leaves it
 * as it is.
 */
export const WALK_NOTE = "walk";

/** A longer note costs more to write with each run than it saves. */
const MAX_WALK_NOTE = 1 << 20;

interface ScanCounts {
  readonly unchanged: number;
  readonly skipped: number;
}

/** Identifies what a scan of all files found. Another version of svc may parse files that this one could not. */
export function scanIdentity(scan: SourceScan, registeredSources: readonly number[] = []): string {
  return [scanFingerprint(scan), productVersion(), ...registeredSources].join("/");
}

export function scanNote(identity: string, { unchanged, skipped }: ScanCounts): string {
  return `${identity} ${unchanged} ${skipped}`;
}

/** Counts of the last complete run; undefined if it found other files. */
export function countsIfUnchanged(
  note: string | undefined,
  identity: string,
): ScanCounts | undefined {
  const [before, unchanged, skipped] = note?.split(" ") ?? [];
  if (identity === "" || before !== identity) return undefined;
  return { unchanged: Number(unchanged), skipped: Number(skipped) };
}

/** Returns the value of WALK_NOTE; "" if another scan must walk again. */
export function walkNote(identity: string, { memories }: SourceScan): string {
  const text = memories && encodeMemories(memories, MAX_WALK_NOTE);
  return text === undefined ? "" : `${identity} ${text}`;
}

/** What the walks of the scan with the note `scan` saw, by source. */
export function memoriesIn(
  walk: string | undefined,
  scan: string,
): ReadonlyMap<number, WalkMemory> | undefined {
  const [identity, text] = walk?.split(" ") ?? [];
  if (text === undefined || identity !== scan.split(" ")[0]) return undefined;
  return decodeMemories(text);
}
