import type { CredentialEvent } from "./audit-event.ts";
import type { AuditLine, CredentialRecord, StoreSettings } from "./credential-record.ts";

/** What `write` hands to its callback; nothing of it is kept when the callback throws. */
export interface StoreChange {
  readonly records: ReadonlyMap<string, CredentialRecord>;
  /** Adds a record, or replaces the one with its id. */
  readonly put: (record: CredentialRecord) => void;
  /** The secret of this machine's default token, as the change found it. */
  readonly defaultToken: string | undefined;
  /** Undefined leaves the machine without one. */
  readonly setDefaultToken: (secret: string | undefined) => void;
  /** Told to the audit log just before the change is committed; what that throws undoes the change. */
  readonly audit: (event: CredentialEvent) => void;
}

/** Receives what happens to the store and its credentials. */
export interface AuditSink {
  /**
   * Records the events of a change before it is committed; the result is where the log ends then. Throws when they
   * cannot be recorded, which undoes the change.
   */
  readonly recordEvent: (events: readonly CredentialEvent[]) => LogEnd | undefined;
  /** Records that the change was committed, and the generation that the store reached with it. Never throws. */
  readonly committed: (generation: number) => void;
}

/** Where the audit log ends. */
export interface LogEnd extends AuditLine {
  /** The highest generation of the store that the log knows to be committed; 0 when it knows of none. */
  readonly generation: number;
}

/** Asked once, when a store has been opened, for where its events go. */
export type OpenAudit = (store: AuditedStore) => AuditSink;

/** What the audit log has from the store. */
export interface AuditedStore {
  /** Key of the chain. */
  readonly auditKey: Buffer;
  /** What the store holds at the moment of the call. Throws CREDENTIAL_STORE. */
  history(): StoreHistory;
}

/** What is compared with the audit log: neither may lack what the other one knows. */
export interface StoreHistory {
  /** The log has this line, and ends there or later. Undefined when the store knows of no log. */
  readonly line: AuditLine | undefined;
  /** How many changes the store has seen. */
  readonly generation: number;
}

/** What a callback of `write` has asked for. */
export interface CollectedChange<T> {
  readonly result: T;
  readonly put: ReadonlyMap<string, CredentialRecord>;
  readonly settings: StoreSettings;
  readonly events: readonly CredentialEvent[];
}

/** Runs the callback, and after it notes the uses (id to minute) that fell into the meantime. */
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
