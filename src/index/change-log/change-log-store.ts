// Where a backend keeps a change log: rows without rules. The rules are in record-version.ts and flush-changes.ts,
// so that every backend reports the same changes.

import type { ChangeHit, ChangeLogState } from "./change-event.ts";
import type { FileChange } from "./change-detail.ts";

/** One state of a file: its baseline, as the change log last reported it, or its pending state. */
export interface RecordedFile {
  readonly path: string;
  /** Id of its source. */
  readonly source: number;
  /** "" if its content is not indexed, null if it is removed. */
  readonly hash: string | null;
  /** Encoded by `writeFingerprints`. */
  readonly fingerprints: Uint8Array;
  /** Encoded by `encodeLineHashes`; null if no monitor needs them. */
  readonly lineHashes: Uint8Array | null;
  /** JSON of the data that monitors store. */
  readonly watched: string | null;
}

/** The state of a file that the next flush reports. */
export interface PendingFile extends RecordedFile {
  /** JSON of possible monitor hits in it. */
  readonly found: string | null;
}

/** The hashes of a file with a pending state. */
export interface PendingState {
  readonly path: string;
  /** Undefined if it is removed. */
  readonly hash: string | undefined;
  /** Undefined if it has no baseline. */
  readonly oldHash: string | undefined;
}

/** The removed files of a source that no longer belongs to the namespace. */
export interface LostSource {
  readonly source: number;
  readonly prefix: string;
  /** Number of its files. */
  readonly files: number;
}

/** A change with its hits, as one entry of the log. */
export interface NewChange {
  readonly change: FileChange;
  readonly hits: readonly ChangeHit[];
  /** Generation that publishes it. */
  readonly generation: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/**
 * The rows of one change log. All writes happen within one transaction of the backend. Methods throw IndexDamage for
 * damaged or missing rows.
 */
export interface ChangeLogStore {
  readonly state: () => ChangeLogState;
  readonly baseline: (path: string) => RecordedFile | undefined;
  readonly pending: (path: string) => PendingFile | undefined;
  /** Replaces the baseline of a file. */
  readonly setBaseline: (file: RecordedFile) => void;
  /** The same, with the content that the current transaction indexes. */
  readonly setIndexedBaseline: (file: RecordedFile) => void;
  readonly removeBaseline: (path: string) => void;
  /** Replaces the pending state of a file. */
  readonly setPending: (file: PendingFile) => void;
  readonly removePending: (path: string) => void;
  readonly hasPending: () => boolean;
  /** Returns all files with a pending state, ordered by the UTF-8 bytes of their paths. */
  readonly pendingStates: () => readonly PendingState[];
  /** Makes the pending states the new baselines; removes the baselines of removed files. */
  readonly promotePending: () => void;
  /** Whether the changes of a source are reported. */
  readonly isReported: (source: number) => boolean;
  /** Reports the changes of a source from now on. Returns the number of its files with a baseline. */
  readonly beginReporting: (source: number, prefix: string) => number;
  /** Returns the reported sources with pending removals, in order of their ids. */
  readonly sourcesWithRemovals: () => readonly LostSource[];
  /** Drops the pending removals of a source with their baselines, and no longer reports the source. */
  readonly endReporting: (source: number) => void;
  /** Adds an entry with the next sequence number. Sequence numbers start at 1 and have no gaps. */
  readonly append: (change: NewChange) => void;
  /** Returns the sequence number of the newest entry before this time that is still in the log; 0 if there is none. */
  readonly newestBefore: (atMs: number) => number;
  /** Deletes the entries up to a sequence number. `state` reports that. */
  readonly forget: (until: number) => void;
}
