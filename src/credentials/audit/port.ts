// The interface between svc and its audit log, for any backend.

import type { CallEvent, CredentialEvent } from "../audit-event.ts";

/** Writes the log. All processes that use one backend write the same log. */
export interface AuditWriter {
  /**
   * Appends the events of one change of credentials, in their order. When the promise resolves, they are on disk. Throws
   * CREDENTIAL_STORE or STORAGE_FULL if they cannot be appended: the change must then not commit.
   */
  readonly append: (events: readonly CredentialEvent[]) => Promise<void>;
  /** Records that a change was committed, with the revision of the store after it. Never throws. */
  readonly committed: (revision: number) => void;
  /**
   * Records a call that ended at `time`, in milliseconds since 1970. The line may be written later, but in the order of
   * the calls of this process. Never throws: the log reports calls that it could not write.
   */
  readonly recordCall: (call: CallEvent, time?: number) => void;
  /** Writes the calls that wait, and closes the log. */
  readonly close: () => Promise<void>;
}

/** A position in the log. Only the backend that returned it can interpret it. */
export interface AuditPosition {
  readonly part: number;
  readonly offset: number;
}

/** Lines at the end of the log. */
export interface AuditTail {
  /** Whole lines, each one JSON object. They are not verified. */
  readonly lines: readonly string[];
  /** Where the next line will begin. */
  readonly next: AuditPosition;
}

/** The first place where the log does not verify. */
export interface AuditDamage {
  /** Name of the part of the log, such as a file. */
  readonly part: string;
  /** 1-based; undefined when a whole part is meant. */
  readonly line: number | undefined;
  readonly kind: "altered" | "missing" | "reordered" | "inserted" | "cut off" | "rolled back";
  /** Explanation for the user: a clause without a full stop. */
  readonly detail: string;
}

/** Result of the verification. */
export interface AuditVerification {
  /** Number of parts that the log is stored in, such as files. */
  readonly parts: number;
  /** Number of the oldest parts that were not read. */
  readonly unread: number;
  /** Number of valid lines in the parts that were read, up to the first damage. */
  readonly lines: number;
  /** Number of the lines that are calls. */
  readonly calls: number;
  /** All other lines: events of credentials, of the store and of the log. */
  readonly events: number;
  /** Numbers of the first and the last valid line; undefined when there is none. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Repairs made after a crash, and incomplete lines still to be removed; none of them is damage. */
  readonly notes: readonly string[];
  /** The first damage. */
  readonly damage: AuditDamage | undefined;
}

/** Reads the log while others write it. */
export interface AuditReader {
  /** Where the log is, for messages. */
  readonly location: string;
  /** Returns the last `count` lines; undefined when nothing has been recorded. */
  readonly tail: (count: number) => Promise<AuditTail | undefined>;
  /** Returns the lines added after a position that this reader has returned. */
  readonly since: (position: AuditPosition) => Promise<AuditTail>;
  /**
   * Checks that no line was altered, dropped, moved or added. A backend whose log can be restored without its
   * credentials also checks that the two agree. With `isQuick`, it may leave out the oldest parts. Returns undefined
   * when nothing has been recorded. Throws CREDENTIAL_STORE if the key of the log cannot be read.
   */
  readonly verify: (options?: {
    readonly isQuick?: boolean;
  }) => Promise<AuditVerification | undefined>;
}
