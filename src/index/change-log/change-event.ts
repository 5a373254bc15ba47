// Types of the change log's input and output.

import type { FileChange } from "./change-detail.ts";
import type { SymbolChange } from "./symbol-diff.ts";

/** The data of a complete file that a run recorded. */
export interface FileVersion {
  /**
   * Encoded by `writeFingerprints`: the names in them are slices of the file's text, which must not stay in
   * memory.
   */
  readonly fingerprints: Uint8Array;
  /** Hashes of its lines, in ascending order; undefined if no monitor needs them. */
  readonly lineHashes: Uint32Array | undefined;
  /** JSON of the data that monitors need at the file's next change. */
  readonly watched: string | undefined;
  /** JSON of possible monitor hits in it, stored until the change is reported. */
  readonly found: string | undefined;
}

/** A change in the change log. */
export interface ChangeEvent extends FileChange {
  /** Sequence number; later changes have larger ones. */
  readonly seq: number;
  /** Generation that published the change. */
  readonly generation: number;
  /** Time of the report, in milliseconds since 1970. */
  readonly atMs: number;
  /** Hits of the requested monitors. */
  readonly hits: readonly ChangeHit[];
}

/** A change that a monitor matches. */
export interface ChangeHit {
  /** Id of the monitor. */
  readonly monitor: number;
  /** JSON value that the monitor stored with the hit. */
  readonly detail: unknown;
}

/** A hit without its details. */
export interface HitPlace {
  readonly seq: number;
  /** Id of the monitor. */
  readonly monitor: number;
  readonly path: string;
}

/** The changes after `after`, up to `last`. */
export interface HitRange {
  readonly after: number;
  readonly last: number;
}

/** The data of one version of a file that monitors use. */
export interface MonitoredVersion {
  readonly lineHashes: Uint32Array | undefined;
  /** Data that monitors stored for it, parsed from JSON. */
  readonly watched: unknown;
  /** Only of the new version. */
  readonly found: unknown;
}

/** Returns the hits of monitors in a change. `symbols` are all changed symbols. */
export type MatchMonitors = (
  change: FileChange & { readonly symbols: readonly SymbolChange[] },
  before: MonitoredVersion | undefined,
  now: MonitoredVersion | undefined,
) => readonly ChangeHit[];

/** Input of a flush of the pending changes. */
export interface FlushPlan {
  /** All sources of the namespace, from id to path prefix. */
  readonly sources: ReadonlyMap<number, string>;
  /** Sources that were read completely. The changes of a new one are reported from now on. */
  readonly completeSources: ReadonlySet<number>;
  /** Matches each change against the monitors. */
  readonly match: MatchMonitors;
}

/** The state of the change log. */
export interface ChangeLogState {
  /** Id of this change log. Sequence numbers of another one are invalid here. */
  readonly id: string;
  /** Sequence number of the newest change; 0 if there is none. */
  readonly last: number;
  /** Changes up to this sequence number have been deleted. */
  readonly forgotten: number;
  /** The change log is complete from this time on, in milliseconds since 1970. */
  readonly sinceMs: number;
}
