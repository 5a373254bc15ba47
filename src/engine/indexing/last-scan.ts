// The note of a complete run: which files it found, and its counts. A scan that finds the same files needs no run.

import { productVersion } from "../../base/assets.ts";
import { scanFingerprint, type SourceScan } from "./source-scan.ts";

/** Key of the note in the index. */
export const LAST_SCAN_NOTE = "scan";

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
