// The commits of one namespace in the database: who may write, and what each commit changed.

import { randomUUID } from "node:crypto";

import type { Database } from "../../postgres/database.ts";
import { databaseFailure } from "../../postgres/database-errors.ts";
import type { PostgresRow } from "../../postgres/sql.ts";
import { writtenByAnother } from "../fence.ts";

/** The state of an index in the database. */
export interface SharedHead {
  /** Random id. Generations of another epoch cannot be compared. */
  readonly epoch: string;
  /** Number of the last commit; 0 before the first. */
  readonly generation: number;
  /** Random id of the last commit; undefined before the first. */
  readonly commit: string | undefined;
  /** The object from which a new copy starts, and the generation that it shows. */
  readonly base: { readonly name: string; readonly generation: number } | undefined;
  readonly isBeingWritten: boolean;
  readonly damage: string | undefined;
}

/** The right to commit. */
export interface WriteLease {
  readonly owner: string;
  readonly fence: number;
  readonly head: SharedHead;
}

export interface SharedCommit {
  readonly generation: number;
  /** Random. After a restore from a backup, other commits have the same generations. */
  readonly id: string;
  /** Id of the commit before; undefined for the first. */
  readonly follows: string | undefined;
  /** True if the changes apply to the base and not to the generation before. */
  readonly resets: boolean;
  readonly changes: Buffer;
  /** Names of new segments. */
  readonly added: readonly string[];
  /** Names of segments that are no longer in use. */
  readonly dropped: readonly string[];
}

/** One commit to append. */
interface NewCommit extends Omit<SharedCommit, "generation" | "resets"> {
  /** The generation that it follows. */
  readonly after: number;
  /** Name of a new base, which shows the state before the changes. */
  readonly base: string | undefined;
}

/** A writer renews its lease at a third of this time. A stalled one is replaced after it. */
export const LEASE_MS = 15_000;

const HEAD_COLUMNS =
  "epoch, generation, commit_id, base_name, base_generation, damage, " +
  "coalesce(lease_until > clock_timestamp(), false) AS is_written";

/** Channel of the notifications about new commits. The payload is the name of the namespace. */
export function commitChannel(schema: string): string {
  return `${schema}_commit`;
}

export class CommitLog {
  readonly #database: Database;
  readonly namespace: string;

  constructor(database: Database, namespace: string) {
    this.#database = database;
    this.namespace = namespace;
  }

  /** Undefined if nothing was ever written. */
  async head(): Promise<SharedHead | undefined> {
    const [row] = await this.#database.query(
      `SELECT ${HEAD_COLUMNS} FROM index_head WHERE namespace = $1`,
      [this.namespace],
    );
    return row && headOf(row);
  }

  /** Takes the lease if no other writer holds it. */
  async takeLease(): Promise<WriteLease | undefined> {
    const owner = randomUUID();
    const [row] = await this.#database.query(
      "INSERT INTO index_head (namespace, epoch, generation, base_generation, fence, lease_owner, lease_until) " +
        "VALUES ($1, $2, 0, 0, 1, $3, clock_timestamp() + $4 * interval '1 ms') " +
        "ON CONFLICT (namespace) DO UPDATE SET fence = index_head.fence + 1, lease_owner = $3, " +
        "lease_until = excluded.lease_until " +
        "WHERE index_head.lease_until IS NULL OR index_head.lease_until <= clock_timestamp() " +
        `RETURNING fence, ${HEAD_COLUMNS.replaceAll("damage", "index_head.damage")}`,
      [this.namespace, randomUUID(), owner, LEASE_MS],
    );
    return row && { owner, fence: Number(row["fence"]), head: headOf(row) };
  }

  async renewLease({ owner }: WriteLease): Promise<void> {
    await this.#database.query(
      "UPDATE index_head SET lease_until = clock_timestamp() + $3 * interval '1 ms' " +
        "WHERE namespace = $1 AND lease_owner = $2",
      [this.namespace, owner, LEASE_MS],
    );
  }

  async releaseLease({ owner }: WriteLease): Promise<void> {
    await this.#database.query(
      "UPDATE index_head SET lease_owner = NULL, lease_until = NULL " +
        "WHERE namespace = $1 AND lease_owner = $2",
      [this.namespace, owner],
    );
  }

  /**
   * Appends a commit and returns its generation. Throws INDEX_UNAVAILABLE if another writer was faster, or holds the lease
   * now.
   */
  async append(lease: WriteLease, commit: NewCommit): Promise<number> {
    try {
      const isMade = await this.#append(lease, commit);
      if (!isMade) throw writtenByAnother();
      return commit.after + 1;
    } catch (thrown) {
      // If the connection broke, only the database knows whether the commit was made.
      const cause = thrown instanceof Error ? thrown.cause : undefined;
      if (databaseFailure(cause) !== "unreachable") throw thrown;
      const [row] = await this.#database.query(
        "SELECT commit_id FROM index_commit WHERE namespace = $1 AND generation = $2",
        [this.namespace, commit.after + 1],
      );
      if (row?.["commit_id"] !== commit.id) throw thrown;
      return commit.after + 1;
    }
  }

  #append(
    { owner, fence, head }: WriteLease,
    { id, follows, after, changes, added, dropped, base }: NewCommit,
  ): Promise<boolean> {
    return this.#database.transaction(async (sql) => {
      const moved = await sql.query(
        "UPDATE index_head SET generation = generation + 1, commit_id = $8, " +
          "base_name = coalesce($6, base_name), " +
          "base_generation = CASE WHEN $6::text IS NULL THEN base_generation ELSE $3 END, " +
          "lease_until = clock_timestamp() + $7 * interval '1 ms' " +
          "WHERE namespace = $1 AND epoch = $2 AND generation = $3 AND fence = $4 AND lease_owner = $5 " +
          "AND commit_id IS NOT DISTINCT FROM $9::uuid " +
          "RETURNING generation",
        [
          this.namespace,
          head.epoch,
          after,
          fence,
          owner,
          base ?? null,
          LEASE_MS,
          id,
          follows ?? null,
        ],
      );
      if (moved.length === 0) return false;
      await sql.query(
        "INSERT INTO index_commit " +
          "(namespace, generation, commit_id, follows, resets, changes, added, dropped) " +
          "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
          this.namespace,
          after + 1,
          id,
          follows ?? null,
          base !== undefined,
          changes,
          added,
          dropped,
        ],
      );
      if (dropped.length > 0) {
        await sql.query(
          "UPDATE index_object SET dropped_at = clock_timestamp(), dropped_generation = $3 " +
            "WHERE namespace = $1 AND name = ANY ($2)",
          [this.namespace, dropped, after + 1],
        );
      }
      const channel = commitChannel(this.#database.address.schema);
      await sql.query("SELECT pg_notify($1, $2)", [channel, this.namespace]);
      return true;
    });
  }

  /** Returns the commits after a generation, oldest first. Some may be missing at the beginning. */
  async after(generation: number): Promise<readonly SharedCommit[]> {
    const rows = await this.#database.query(
      "SELECT generation, commit_id, follows, resets, changes, added, dropped FROM index_commit " +
        "WHERE namespace = $1 AND generation > $2 ORDER BY generation",
      [this.namespace, generation],
    );
    return rows.map((row) => ({
      generation: Number(row["generation"]),
      id: String(row["commit_id"]),
      follows: textOf(row["follows"]),
      resets: row["resets"] === true,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of these columns
      ...(row as unknown as Pick<SharedCommit, "changes" | "added" | "dropped">),
    }));
  }

  async setDamage(detail: string | null): Promise<void> {
    await this.#database.query("UPDATE index_head SET damage = $2 WHERE namespace = $1", [
      this.namespace,
      detail,
    ]);
  }

  /** Makes an object of this generation the base, and deletes commits that only older copies need. */
  async setBase(lease: WriteLease, base: { readonly name: string; readonly generation: number }) {
    await this.#database.transaction(async (sql) => {
      const moved = await sql.query(
        "UPDATE index_head SET base_name = $5, base_generation = $6 " +
          "WHERE namespace = $1 AND epoch = $2 AND fence = $3 AND lease_owner = $4 RETURNING base_name",
        [this.namespace, lease.head.epoch, lease.fence, lease.owner, base.name, base.generation],
      );
      if (moved.length === 0) throw writtenByAnother();
      await sql.query(
        "UPDATE index_object SET dropped_at = clock_timestamp(), dropped_generation = $3 " +
          "WHERE namespace = $1 AND name LIKE 'base-%' AND name <> $2 AND dropped_at IS NULL",
        [this.namespace, base.name, base.generation],
      );
      await sql.query("DELETE FROM index_commit WHERE namespace = $1 AND generation <= $2", [
        this.namespace,
        base.generation,
      ]);
    });
  }

  /** Number and size in bytes of the commits that a new copy applies to its base. */
  async backlog(): Promise<{ readonly commits: number; readonly bytes: number }> {
    const [row] = await this.#database.query(
      "SELECT count(*) AS commits, coalesce(sum(length(changes)), 0)::bigint AS bytes " +
        "FROM index_commit WHERE namespace = $1",
      [this.namespace],
    );
    return { commits: Number(row?.["commits"]), bytes: Number(row?.["bytes"]) };
  }

  /** Deletes everything of the namespace. */
  async remove(): Promise<void> {
    await this.#database.transaction(async (sql) => {
      for (const table of ["index_head", "index_commit", "index_object", "index_part"]) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        await sql.query(`DELETE FROM ${table} WHERE namespace = $1`, [this.namespace]);
      }
      const channel = commitChannel(this.#database.address.schema);
      await sql.query("SELECT pg_notify($1, $2)", [channel, this.namespace]);
    });
  }
}

function headOf(row: PostgresRow): SharedHead {
  const { base_name: base } = row;
  return {
    epoch: String(row["epoch"]),
    generation: Number(row["generation"]),
    commit: textOf(row["commit_id"]),
    base:
      typeof base === "string"
        ? { name: base, generation: Number(row["base_generation"]) }
        : undefined,
    isBeingWritten: row["is_written"] === true,
    damage: textOf(row["damage"]),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
