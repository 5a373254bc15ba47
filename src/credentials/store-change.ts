import type { CredentialEvent } from "./audit-event.ts";
import type { AuditLine, CredentialRecord, StoreSettings } from "./credential-record.ts";

/** The argument of the callback of `write`. If the callback throws, nothing is kept. */
export interface StoreChange {
  /** All credentials by id, with the changes made so far. */
  readonly records: ReadonlyMap<string, CredentialRecord>;
  /** Adds a record, or replaces the one with its id. */
  readonly put: (record: CredentialRecord) => void;
  /** The secret of this machine's default token before the change. */
  readonly defaultToken: string | undefined;
  /** Undefined removes the default token. */
  readonly setDefaultToken: (secret: string | undefined) => void;
  /** Recorded in the audit log just before the commit; if that throws, the change is undone. */
  readonly audit: (event: CredentialEvent) => void;
}

/** Receives the events of the store and its credentials. */
export interface AuditSink {
  /**
   * Records the events of a change before it is committed, and returns the new end of the log. Throws when they
   * cannot be recorded, which undoes the change.
   */
  readonly recordEvent: (events: readonly CredentialEvent[]) => LogEnd | undefined;
  /** Records that the change was committed, with the new generation of the store. Never throws. */
  readonly committed: (generation: number) => void;
}

/** The end of the audit log. */
export interface LogEnd extends AuditLine {
  /** The highest store generation that the log records as committed; 0 when it records none. */
  readonly generation: number;
}

/** Called once when a store has been opened. Returns the sink of its events. */
export type OpenAudit = (store: AuditedStore) => AuditSink;

/** The part of the store that the audit log uses. */
export interface AuditedStore {
  /** Key of the chain. */
  readonly auditKey: Buffer;
  /** Returns the store's current history. Throws CREDENTIAL_STORE. */
  history(): StoreHistory;
}

/** Compared with the audit log: neither side may lack what the other one records. */
export interface StoreHistory {
  /** The log contains this line, and ends there or later. Undefined when the store records no log. */
  readonly line: AuditLine | undefined;
  /** Number of changes the store has seen. */
  readonly generation: number;
}

/** The changes that a callback of `write` requested. */
export interface CollectedChange<T> {
  readonly result: T;
  readonly put: ReadonlyMap<string, CredentialRecord>;
  readonly settings: StoreSettings;
  readonly events: readonly CredentialEvent[];
}

/** Runs the callback, then adds the pending uses (credential id to minute). */
export function collectChange<T>(
  before: {
    readonly records: ReadonlyMap<string, CredentialRecord>;
    readonly settings: StoreSettings;
  },
  lastUses: ReadonlyMap<string, number>,
  work: (change: StoreChange) => T,
): CollectedChange<T> {
  const records = new Map(before.records);
  const changed = new Map<string, CredentialRecord>();
  const events: CredentialEvent[] = [];
  let { settings } = before;
  const put = (record: CredentialRecord): void => {
    records.set(record.id, record);
    changed.set(record.id, record);
  };
  const result = work({
    records,
    put,
    defaultToken: settings.defaultToken,
    setDefaultToken(secret) {
      const { defaultToken: _, ...others } = settings;
      settings = secret === undefined ? others : { ...others, defaultToken: secret };
    },
    audit: (event) => void events.push(event),
  });
  for (const [id, lastUsedAt] of lastUses) {
    const record = records.get(id);
    if (record !== undefined && lastUsedAt !== record.lastUsedAt) put({ ...record, lastUsedAt });
  }
  return { result, put: changed, settings, events };
}
