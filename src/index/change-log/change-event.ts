// What goes into the change log and what comes out of it.

import type { FileChange } from "./change-detail.ts";
import type { SymbolChange } from "./symbol-diff.ts";

/** What a run has seen of a file that is complete. */
export interface FileVersion {
  /** As `writeFingerprints` makes them: the names in them are parts of the file's text, which must not be kept. */
  readonly fingerprints: Uint8Array;
  /** Prints of its lines, in order of size; undefined where no monitor asks for them. */
  readonly lineHashes: Uint32Array | undefined;
  /** JSON of what monitors are to know when the file changes next. */
  readonly watched: string | undefined;
  /** JSON of what monitors may have found in it, kept until the change is told. */
  readonly found: string | undefined;
}

/** A change as the journal has it. */
export interface ChangeEvent extends FileChange {
  /** Its place: later ones have larger numbers. */
  readonly seq: number;
  readonly generation: number;
  readonly atMs: number;
  readonly hits: readonly ChangeHit[];
}

export interface ChangeHit {
  /** The monitor's number. */
  readonly monitor: number;
  readonly detail: unknown;
}

/** What was hit, without what of it. */
export interface HitPlace {
  readonly seq: number;
  /** The monitor's number. */
  readonly monitor: number;
  readonly path: string;
}

/** The changes behind `after`, up to `last`. */
export interface HitRange {
  readonly after: number;
  readonly last: number;
}

/** One version of a file, as far as monitors know it. */
export interface MonitoredVersion {
  readonly lineHashes: Uint32Array | undefined;
  readonly watched: unknown;
  /** Of the new version only. */
  readonly found: unknown;
}

/** What monitors say to a change. `symbols` are all of them. */
export type MatchMonitors = (
  change: FileChange & { readonly symbols: readonly SymbolChange[] },
  before: MonitoredVersion | undefined,
  now: MonitoredVersion | undefined,
) => readonly ChangeHit[];

export interface FlushPlan {
  /** All that feed the namespace now, by number; the path of one is its prefix. */
  readonly sources: ReadonlyMap<number, string>;
  /** Sources that were read as a whole: one that is new is told from now on. */
  readonly completeSources: ReadonlySet<number>;
  readonly match: MatchMonitors;
}

/** Where the journal stands. */
export interface ChangeLogState {
  /** Of this journal alone: another one knows nothing of its numbers. */
  readonly id: string;
  /** Of the newest change; 0 when there is none. */
  readonly last: number;
  /** Changes up to this one have been forgotten. */
  readonly forgotten: number;
  /** From when on it knows everything. */
  readonly sinceMs: number;
}
