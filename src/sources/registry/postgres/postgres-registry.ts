// The registry in the database of a shared backend.

import { randomUUID } from "node:crypto";

import type { SvcError } from "../../../base/errors.ts";
import type { Database } from "../../../postgres/database.ts";
import { ownCloneRoot } from "../../clones.ts";
import { databaseFailure } from "../../../postgres/database-errors.ts";
import type { Sql } from "../../../postgres/sql.ts";
import type { RegistryEdit, RegistryStore, RegistryVersion, SwapOptions } from "../port.ts";

interface PostgresRegistryOptions {
  /** How long a state counts as the newest without a look at the database, in milliseconds. */
  readonly maxAgeMs?: number;
  /** The folder of this machine's clones: the records have those of the machine that added a repository. */
  readonly dataDirectory?: string | undefined;
}

/** Stores the records of the registry as rows. Methods throw BACKEND_UNAVAILABLE and STORAGE_FULL. */
export class PostgresRegistry implements RegistryStore {
  readonly obstacle: SvcError | undefined = undefined;
  readonly #database: Database;
  readonly #maxAgeMs: number;
  readonly #dataDirectory: string | undefined;
  #current: RegistryVersion | undefined;
  /** When the database was last checked, in milliseconds of `performance.now`. */
  #checkedMs = -Infinity;

  constructor(database: Database, { maxAgeMs = 0, dataDirectory }: PostgresRegistryOptions = {}) {
    this.#database = database;
    this.#dataDirectory = dataDirectory;
    this.#maxAgeMs = maxAgeMs;
  }

  readonly read: RegistryStore["read"] = async ({ isNewest = false } = {}) => {
    const begun = performance.now();
    const known = this.#current;
    const isRecent = begun - this.#checkedMs < this.#maxAgeMs;
    if (known !== undefined && isRecent && !isNewest) return known;
    const [row] = await this.#database.query("SELECT version FROM registry");
    if (this.#current?.version !== Number(row?.["version"])) {
      this.#current = this.#onThisMachine(await this.#database.transaction(readVersion));
    }
    this.#checkedMs = begun;
    return this.#current;
  };

  readonly swap: RegistryStore["swap"] = async (version, edits, options = {}) => {
    const changeId = randomUUID();
    try {
      return await this.#database.transaction((sql) =>
        swapIn(sql, { version, edits, changeId }, options),
      );
    } catch (thrown) {
      // If the connection broke during the commit, only the database knows the outcome.
      if (databaseFailure(thrown instanceof Error ? thrown.cause : undefined) !== "unreachable") {
        throw thrown;
      }
      if (await this.#wasMade(changeId)) return true;
      throw thrown;
    } finally {
      this.#checkedMs = -Infinity;
    }
  };

  readonly close = (): void => undefined;

  /** The same state with the clones of this machine. */
  #onThisMachine({ version, records }: RegistryVersion): RegistryVersion {
    const directory = this.#dataDirectory;
    if (directory === undefined) return { version, records };
    const sources = records.sources.map((source) =>
      source.url === undefined ? source : { ...source, root: ownCloneRoot(directory, source.root) },
    );
    return { version, records: { ...records, sources } };
  }

  /** Whether a change is the last one. A later one may hide it; then the caller gets the error of the connection. */
  async #wasMade(changeId: string): Promise<boolean> {
    const [row] = await this.#database.query("SELECT change_id FROM registry");
    return row?.["change_id"] === changeId;
  }
}

interface Change {
  readonly version: number;
  readonly edits: readonly RegistryEdit[];
  readonly changeId: string;
}

async function swapIn(
  sql: Sql,
  { version, edits, changeId }: Change,
  { beforeCommit }: SwapOptions,
): Promise<boolean> {
  // Locks the row: no other node can change the registry until the commit.
  const swapped = await sql.query(
    "UPDATE registry SET version = version + 1, change_id = $2 WHERE version = $1 RETURNING version",
    [version, changeId],
  );
  if (swapped.length === 0) return false;
  for (const edit of edits) {
    // oxlint-disable-next-line no-await-in-loop -- each edit applies to the result of the one before
    await writeEdit(sql, edit);
  }
  await beforeCommit?.();
  return true;
}

async function writeEdit(sql: Sql, edit: RegistryEdit): Promise<void> {
  if ("put" in edit) {
    await sql.query(
      "INSERT INTO registry_record (kind, key, namespace, record) VALUES ($1, $2, $3, $4) " +
        "ON CONFLICT (kind, key) DO UPDATE SET namespace = $3, record = $4",
      [edit.put, keyOf(edit), namespaceOf(edit), JSON.stringify(edit.record)],
    );
    if (edit.put === "source" || edit.put === "monitor") {
      const column = `next_${edit.put}_id`;
      const next = edit.record.id + 1;
      await sql.query(`UPDATE registry SET ${column} = greatest(${column}, $1)`, [next]);
    }
    return;
  }
  if (edit.remove === "namespace") {
    await sql.query("DELETE FROM registry_record WHERE namespace = $1", [edit.name]);
    return;
  }
  const key = edit.remove === "pendingDeletion" ? pendingKey(edit.record) : String(edit.id);
  await sql.query("DELETE FROM registry_record WHERE kind = $1 AND key = $2", [edit.remove, key]);
}

type Put = Extract<RegistryEdit, { readonly put: string }>;

function keyOf(edit: Put): string {
  if (edit.put === "namespace") return edit.record.name;
  if (edit.put === "lastRun") return edit.record.namespace;
  return edit.put === "pendingDeletion" ? pendingKey(edit.record) : String(edit.record.id);
}

function namespaceOf(edit: Put): string | null {
  if (edit.put === "pendingDeletion") return null;
  return edit.put === "namespace" ? edit.record.name : edit.record.namespace;
}

function pendingKey({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`;
}

/** Reads one state; both statements see the same one. */
async function readVersion(sql: Sql): Promise<RegistryVersion> {
  await sql.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
  const [head] = await sql.query("SELECT version, next_source_id, next_monitor_id FROM registry");
  const rows = await sql.query("SELECT kind, record FROM registry_record");
  const records: RecordsByKind = {
    namespace: [],
    source: [],
    pendingDeletion: [],
    lastRun: [],
    monitor: [],
  };
  for (const { kind, record } of rows) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `writeEdit`
    records[kind as Put["put"]].push(record as never);
  }
  return {
    version: Number(head?.["version"]),
    records: {
      namespaces: records.namespace.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      sources: records.source.toSorted((one, other) => one.id - other.id),
      pendingDeletions: records.pendingDeletion,
      lastRuns: records.lastRun,
      monitors: records.monitor.toSorted((one, other) => one.id - other.id),
      nextSourceId: Number(head?.["next_source_id"]),
      nextMonitorId: Number(head?.["next_monitor_id"]),
    },
  };
}

type RecordsByKind = { readonly [Kind in Put["put"]]: Extract<Put, { put: Kind }>["record"][] };
