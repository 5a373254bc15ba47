// The records that the sealed store and the local audit log keep about each other: each reveals an older copy of the
// other.
import type { CredentialEvent } from "../../audit-event.ts";

/** A line of the audit log: its number and its MAC in hexadecimal. The MAC covers all earlier lines. */
export interface AuditLine {
  readonly seq: number;
  readonly mac: string;
}

/** The end of the audit log. */
export interface LogEnd extends AuditLine {
  /** The highest store generation that the log records as committed; 0 when it records none. */
  readonly generation: number;
}

/** Compared with the audit log: neither side may lack what the other one records. */
export interface StoreHistory {
  /** The log contains this line, and ends there or later. Undefined when the store records no log. */
  readonly line: AuditLine | undefined;
  /** Number of changes the store has seen. */
  readonly generation: number;
}

/** The part of the store that the audit log uses. */
export interface AuditedStore {
  /** Key of the chain. */
  readonly auditKey: Buffer;
  /** Returns the store's current history. Throws CREDENTIAL_STORE. */
  history(): StoreHistory;
}

/** Receives the events of the store and its credentials. The store calls it while it holds its lock. */
export interface AuditSink {
  /**
   * Records the events of a change before it is committed, and returns the new end of the log. Throws when they
   * cannot be recorded, which undoes the change.
   */
  readonly recordEvent: (events: readonly CredentialEvent[]) => LogEnd | undefined;
  /** Records that the change was committed, with the new generation of the store. Never throws. */
  readonly committed: (generation: number) => void;
}

/** Called once when a store has been opened. Returns the sink of its events. */
export type OpenAudit = (store: AuditedStore) => AuditSink;
