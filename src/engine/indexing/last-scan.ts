// The note of a complete run: which files it found, and its counts. A scan that finds the same files needs no run.

import { productVersion } from "../../base/assets.ts";
import { decodeMemories, encodeMemories, type WalkMemory } from "../../scan/walk-memory.ts";
import { scanFingerprint, type SourceScan } from "./source-scan.ts";

/** Key of the note in the index. */
export const LAST_SCAN_NOTE = "scan";

/** Key of the note with what the last walks of the sources saw. */
export const WALK_NOTE = "walk";

/** A longer note takes more to write and to read than it saves. A hundred thousand files have 1.5 MB. */
const MAX_WALK_NOTE = 4 << 20;

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

type WalkMemories = ReadonlyMap<number, WalkMemory>;

/** Returns the new value of WALK_NOTE after a scan that knew `known`; undefined if it remains as it is. */
export function newWalkNote(
  { memories }: SourceScan,
  known: WalkMemories | undefined,
): string | undefined {
  if (memories === undefined) return known === undefined ? undefined : "";
  const isSame =
    memories.size === known?.size &&
    [...memories].every(([source, memory]) => known.get(source) === memory);
  if (isSame) return undefined;
  const text = encodeMemories(memories, MAX_WALK_NOTE);
  return text === undefined ? "" : `${productVersion()} ${text}`;
}

/** What the walks of the sources saw; undefined if another version of svc walked, which may have other rules. */
export function walkMemories(note: string | undefined): WalkMemories | undefined {
  const [version, text] = note?.split(" ") ?? [];
  return text === undefined || version !== productVersion() ? undefined : decodeMemories(text);
}
