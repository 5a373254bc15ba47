import type { CredentialEvent } from "./audit-event.ts";
import type { CredentialRecord } from "./credential-record.ts";
import type { CredentialChange } from "./port.ts";

/** A change that a plan describes. */
export interface PlannedChange<T> {
  /** The result of the plan. */
  readonly result: T;
  /** The records to write, by id. */
  readonly put: ReadonlyMap<string, CredentialRecord>;
  /** All records after the change. */
  readonly records: ReadonlyMap<string, CredentialRecord>;
  readonly events: readonly CredentialEvent[];
}

/** Runs the plan, then adds the last uses (credential id to minute). Throws what the plan throws. */
export function planChange<T>(
  before: ReadonlyMap<string, CredentialRecord>,
  lastUses: ReadonlyMap<string, number>,
  plan: (change: CredentialChange) => T,
): PlannedChange<T> {
  const records = new Map(before);
  const changed = new Map<string, CredentialRecord>();
  const events: CredentialEvent[] = [];
  const put = (record: CredentialRecord): void => {
    records.set(record.id, record);
    changed.set(record.id, record);
  };
  const result = plan({ records, put, audit: (event) => void events.push(event) });
  for (const [id, lastUsedAt] of lastUses) {
    const record = records.get(id);
    if (record !== undefined && lastUsedAt !== record.lastUsedAt) put({ ...record, lastUsedAt });
  }
  return { result, put: changed, records, events };
}

/** Returns true if the change revokes the credential that has this digest. */
export function isRevokedBy(
  { put }: Pick<PlannedChange<unknown>, "put">,
  before: ReadonlyMap<string, CredentialRecord>,
  digest: string,
): boolean {
  return [...put.values()].some(
    (record) =>
      record.digest === digest &&
      record.revokedAt !== undefined &&
      before.get(record.id)?.revokedAt === undefined,
  );
}
