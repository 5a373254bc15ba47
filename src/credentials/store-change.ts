import type { CredentialEvent } from "./audit-event.ts";
import type { CredentialRecord, StoreSettings } from "./record.ts";

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

/** Receives what happens to the store and its credentials. Throws when it cannot record it. */
export type AuditSink = (event: CredentialEvent) => void;

/** Asked once, when a store has been opened, for where its events go. */
export type OpenAudit = (store: { readonly auditKey: Buffer }) => AuditSink;

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
  uses: ReadonlyMap<string, number>,
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
  for (const [id, lastUsedAt] of uses) {
    const record = records.get(id);
    if (record !== undefined && lastUsedAt !== record.lastUsedAt) put({ ...record, lastUsedAt });
  }
  return { result, put: changed, settings, events };
}
