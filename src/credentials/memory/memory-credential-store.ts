import { SvcError } from "../../base/errors.ts";
import type { AuditWriter } from "../audit/port.ts";
import { isRevokedBy, planChange } from "../credential-change.ts";
import type { CredentialRecord } from "../credential-record.ts";
import type { RecordedClock } from "../high-water.ts";
import { PendingWrites } from "../pending-writes.ts";
import type { CredentialChange, CredentialStore, DefaultToken, FoundCredential } from "../port.ts";
import { secretDigest } from "../secret-digest.ts";

/** One state of the credentials. */
interface CredentialState extends RecordedClock {
  readonly revision: number;
  /** By id. */
  readonly records: ReadonlyMap<string, CredentialRecord>;
  readonly defaultToken: string | undefined;
}

/** Where the stores of several processes meet. */
export interface SharedCredentials {
  current: CredentialState;
  /** Settles when the last change has ended. Changes run one after the other. */
  lastChange: Promise<unknown>;
}

export function sharedCredentials(): SharedCredentials {
  const current = { revision: 0, records: new Map(), clock: 0, defaultToken: undefined };
  return { current, lastChange: Promise.resolve() };
}

/** The default token after a change, given the one before; undefined for none. */
type NewDefault = (saved: string | undefined) => string | undefined;

interface MemoryStoreOptions {
  /** Records the events of changes; by default nothing does. */
  readonly audit?: Pick<AuditWriter, "append" | "committed">;
  readonly isReadOnly?: boolean;
}

const NO_AUDIT = { append: async () => {}, committed: () => {} };

/** Credentials in memory, for tests. */
export class MemoryCredentialStore implements CredentialStore {
  readonly isReadOnly: boolean;
  readonly #shared: SharedCredentials;
  readonly #audit: Pick<AuditWriter, "append" | "committed">;
  readonly #pending = new PendingWrites(() => void this.#flush());

  constructor(
    shared: SharedCredentials = sharedCredentials(),
    { audit = NO_AUDIT, isReadOnly = false }: MemoryStoreOptions = {},
  ) {
    this.#shared = shared;
    this.#audit = audit;
    this.isReadOnly = isReadOnly;
  }

  readonly defaultToken: DefaultToken = {
    read: async () => this.#shared.current.defaultToken,
    save: (secret, credential) =>
      this.#change(
        ({ audit }) => audit({ event: "token.save", credential }),
        () => secret,
      ),
    remove: (credential) =>
      this.#change(
        ({ audit }) => audit({ event: "token.forget", credential }),
        () => undefined,
      ),
  };

  readonly revision = async (): Promise<number> => this.#shared.current.revision;

  readonly list = async (): Promise<readonly CredentialRecord[]> => [
    ...this.#shared.current.records.values(),
  ];

  readonly find = async (digest: string, now: number): Promise<FoundCredential> => {
    const records = [...this.#shared.current.records.values()];
    return {
      record: records.find((record) => record.digest === digest),
      time: this.#pending.time(this.#shared.current, now),
    };
  };

  readonly time = async (now: number): Promise<number> =>
    this.#pending.time(this.#shared.current, now);

  readonly touchLastUsed = (record: CredentialRecord, now: number): void =>
    this.#pending.touch(record, now);

  readonly write = <T>(plan: (change: CredentialChange) => T): Promise<T> => this.#change(plan);

  readonly close = async (): Promise<void> => {
    if (this.#pending.isScheduled) await this.#flush();
  };

  #change<T>(
    plan: (change: CredentialChange) => T,
    newDefault: NewDefault = (saved) => saved,
  ): Promise<T> {
    const change = this.#shared.lastChange.then(() => this.#changeNow(plan, newDefault));
    this.#shared.lastChange = change.catch(() => undefined);
    return change;
  }

  async #changeNow<T>(plan: (change: CredentialChange) => T, newDefault: NewDefault): Promise<T> {
    if (this.isReadOnly) {
      throw new SvcError("CREDENTIAL_STORE", "The credential store is open for reading only.");
    }
    const before = this.#shared.current;
    const uses = new Map(this.#pending.lastUses);
    const change = planChange(before.records, uses, plan);
    const hasEvents = change.events.length > 0;
    if (hasEvents) await this.#audit.append(change.events);
    const { defaultToken: saved } = before;
    const isRevoked =
      saved !== undefined && isRevokedBy(change, before.records, secretDigest(saved));
    const revision = before.revision + 1;
    this.#shared.current = {
      revision,
      records: change.records,
      clock: this.#pending.latestTime(before),
      defaultToken: newDefault(isRevoked ? undefined : saved),
    };
    this.#pending.written(uses);
    if (hasEvents) this.#audit.committed(revision);
    return change.result;
  }

  async #flush(): Promise<void> {
    this.#pending.cancel();
    if (!this.isReadOnly) await this.write(() => undefined);
  }
}
