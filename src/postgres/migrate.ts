// Creates and updates the tables of svc. Migrations have numbers and only go forward.

import { SvcError } from "../base/errors.ts";
import type { Sql } from "./sql.ts";
import { MIGRATIONS } from "./migrations.ts";

/** Number of PostgreSQL 15, as `server_version_num` has it. */
const MIN_SERVER_VERSION = 150_000;
/** The version of the tables that this svc reads and writes. */
export const TABLES_VERSION = MIGRATIONS.length;
/** Key of the advisory lock: two nodes that start together migrate one after the other. */
const LOCK_KEY = 0x73_76_63;

/**
 * Brings the schema to the version of this svc, in one transaction. Throws BACKEND_UNAVAILABLE if the schema is newer, or
 * the server is older than PostgreSQL 15.
 */
export async function migrate(sql: Sql, schema: string): Promise<void> {
  const [server] = await sql.query("SELECT current_setting('server_version_num')::int AS version");
  if (Number(server?.["version"]) < MIN_SERVER_VERSION) {
    throw new SvcError("BACKEND_UNAVAILABLE", "The server of the shared backend is too old.", {
      hint: "svc needs PostgreSQL 15 or newer.",
    });
  }
  if ((await schemaVersion(sql, schema)) === TABLES_VERSION) return;
  await sql.query("BEGIN");
  try {
    await sql.query("SELECT pg_advisory_xact_lock($1)", [LOCK_KEY]);
    // Another node may have migrated meanwhile.
    const version = await schemaVersion(sql, schema);
    if (version > TABLES_VERSION) throw newerSchema(version);
    if (version === 0) {
      await sql.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
      await sql.query("CREATE TABLE schema_version (version int NOT NULL)");
      await sql.query("INSERT INTO schema_version VALUES (0)");
    }
    for (const statements of MIGRATIONS.slice(version)) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await sql.query(statements);
    }
    await sql.query("UPDATE schema_version SET version = $1", [TABLES_VERSION]);
    await sql.query("COMMIT");
  } catch (thrown) {
    await sql.query("ROLLBACK").catch(() => undefined);
    throw thrown;
  }
}

/** Returns the number of migrations that have run; 0 for a database without tables of svc. */
export async function schemaVersion(sql: Sql, schema: string): Promise<number> {
  // Not to_regclass: a transaction that waited may find its old answer in a cache.
  const [table] = await sql.query(
    "SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace " +
      "WHERE n.nspname = $1 AND c.relname = 'schema_version'",
    [schema],
  );
  if (table === undefined) return 0;
  const [found] = await sql.query("SELECT version FROM schema_version");
  return Number(found?.["version"] ?? 0);
}

function newerSchema(version: number): SvcError {
  return new SvcError(
    "BACKEND_UNAVAILABLE",
    `A newer svc has changed the tables of the shared backend (version ${version}; this svc knows ${TABLES_VERSION}).`,
    { hint: "Update svc on this machine." },
  );
}
