// Credentials in the database of a shared backend. All nodes use the same.

import { randomUUID } from "node:crypto";

import { SvcError } from "../../base/errors.ts";
import type { Database } from "../../postgres/database.ts";
import { databaseFailure } from "../../postgres/database-errors.ts";
import type { Sql } from "../../postgres/sql.ts";
import type { AuditWriter } from "../audit/port.ts";
import { planChange, type PlannedChange } from "../credential-change.ts";
import type { CredentialRecord } from "../credential-record.ts";
import { PendingWrites } from "../pending-writes.ts";
import type { CredentialChange, CredentialStore, FoundCredential } from "../port.ts";

/** One state of the credentials. */
interface CredentialState {
  readonly revision: number;
  /** The latest time that any node has recorded, in milliseconds since 1970. */
  readonly clock: number;
  readonly byId: ReadonlyMap<string, CredentialRecord>;
  readonly byDigest: ReadonlyMap<string, CredentialRecord>;
}

const NO_CREDENTIALS: CredentialState = {
  revision: -1,
  clock: 0,
  byId: new Map(),
  byDigest: new Map(),
};

interface PostgresStoreOptions {
  readonly audit: Pick<AuditWriter, "append" | "committed">;
  readonly isReadOnly?: boolean;
  /** How long a state counts as the newest without a look at the database, in milliseconds. */
  readonly maxAgeMs?: number;
}

/**
 * Stores credentials as rows. A change counts at once on the node that made it, and on the others after `maxAgeMs` at the
 * latest. Methods throw BACKEND_UNAVAILABLE and STORAGE_FULL.
 */
export class PostgresCredentialStore implements CredentialStore {
  readonly isReadOnly: boolean;
  readonly #database: Database;
  readonly #audit: Pick<AuditWriter, "append" | "committed">;
  readonly #maxAgeMs: number;
  readonly #pending = new PendingWrites(() => void this.#flush());
  #state = NO_CREDENTIALS;
  /** The end of the last change that was begun. Each needs two connections, so they run one after the other. */
  #lastChange: Promise<unknown> = Promise.resolve();
  /** When the database was last checked, in milliseconds of `performance.now`. */
  #checkedMs = -Infinity;

  constructor(
    database: Database,
    { audit, isReadOnly = false, maxAgeMs = 0 }: PostgresStoreOptions,
  ) {
    this.#database = database;
    this.#audit = audit;
    this.isReadOnly = isReadOnly;
    this.#maxAgeMs = maxAgeMs;
  }

  readonly revision = async (): Promise<number> => {
    const { revision } = await this.#current();
    return revision;
  };

  readonly list = async (): Promise<readonly CredentialRecord[]> => {
    const { byId } = await this.#current();
    return [...byId.values()];
  };

  readonly find = async (digest: string, now: number): Promise<FoundCredential> => {
    const state = await this.#current();
    return { record: state.byDigest.get(digest), time: this.#pending.time(state, now) };
  };

  readonly time = async (now: number): Promise<number> =>
    this.#pending.time(await this.#current(), now);

  readonly touchLastUsed = (record: CredentialRecord, now: number): void =>
    this.#pending.touch(record, now);

  readonly write = <T>(plan: (change: CredentialChange) => T): Promise<T> => {
    const change = this.#lastChange.then(() => this.#write(plan));
    this.#lastChange = change.catch(() => undefined);
    return change;
  };

  readonly close = async (): Promise<void> => {
    if (this.#pending.isScheduled) await this.#flush();
  };

  async #write<T>(plan: (change: CredentialChange) => T): Promise<T> {
    if (this.isReadOnly) {
      throw new SvcError("CREDENTIAL_STORE", "The credential store is open for reading only.");
    }
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const before = await this.#read();
      const uses = new Map(this.#pending.lastUses);
      const change = planChange(before.byId, uses, plan);
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (!(await this.#swap(before, change))) continue;
      this.#pending.written(uses);
      if (change.events.length > 0) this.#audit.committed(before.revision + 1);
      return change.result;
    }
  }

  /** Returns false if another node was faster. */
  async #swap(before: CredentialState, change: PlannedChange<unknown>): Promise<boolean> {
    const changeId = randomUUID();
    try {
      return await this.#database.transaction((sql) =>
        this.#swapIn(sql, { before, change, changeId }),
      );
    } catch (thrown) {
      // If the connection broke during the commit, only the database knows the outcome.
      const cause = thrown instanceof Error ? thrown.cause : undefined;
      if (databaseFailure(cause) !== "unreachable") throw thrown;
      const [row] = await this.#database.query("SELECT change_id FROM credential_store");
      if (row?.["change_id"] === changeId) return true;
      throw thrown;
    } finally {
      this.#checkedMs = -Infinity;
    }
  }

  async #swapIn(
    sql: Sql,
    {
      before,
      change: { put, events },
      changeId,
    }: {
      readonly before: CredentialState;
      readonly change: PlannedChange<unknown>;
      readonly changeId: string;
    },
  ): Promise<boolean> {
    // Locks the row: no other node can change a credential until the commit.
    const swapped = await sql.query(
      "UPDATE credential_store SET revision = revision + 1, change_id = $2, " +
        "clock_ms = greatest(clock_ms, $3) WHERE revision = $1 RETURNING revision",
      [before.revision, changeId, this.#pending.latestTime(before)],
    );
    if (swapped.length === 0) return false;
    for (const record of put.values()) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      await sql.query(
        "INSERT INTO credential (id, digest, record, revision) VALUES ($1, $2, $3, $4) " +
          "ON CONFLICT (id) DO UPDATE SET digest = $2, record = $3, revision = $4",
        [record.id, record.digest, JSON.stringify(record), before.revision + 1],
      );
    }
    if (events.length > 0) await this.#audit.append(events);
    return true;
  }

  /** Returns the state, which may be `maxAgeMs` old. */
  async #current(): Promise<CredentialState> {
    return performance.now() - this.#checkedMs < this.#maxAgeMs ? this.#state : this.#read();
  }

  /** Reads the rows that have changed. */
  async #read(): Promise<CredentialState> {
    const begun = performance.now();
    const known = this.#state;
    const rows = await this.#database.query(
      "SELECT s.revision, s.clock_ms, c.record FROM credential_store AS s " +
        "LEFT JOIN credential AS c ON c.revision > $1",
      [known.revision],
    );
    const revision = Number(rows[0]?.["revision"]);
    // A slower statement of an earlier call must not bring back an older state.
    if (revision > this.#state.revision) {
      const changed = rows.flatMap(({ record }) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `#swapIn`
        return record === null ? [] : [record as CredentialRecord];
      });
      const byId = new Map(known.byId);
      for (const record of changed) byId.set(record.id, record);
      const byDigest = new Map([...byId.values()].map((record) => [record.digest, record]));
      this.#state = { revision, clock: Number(rows[0]?.["clock_ms"]), byId, byDigest };
    }
    this.#checkedMs = begun;
    return this.#state;
  }

  async #flush(): Promise<void> {
    this.#pending.cancel();
    // Failing to record a last use must not fail a call. The next use tries again.
    if (!this.isReadOnly) await this.write(() => undefined).catch(() => undefined);
  }
}
