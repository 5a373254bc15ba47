// Reads the state of a shared backend, for `svc doctor`. Changes nothing.

import { userInfo } from "node:os";

import { copyPosition } from "../index/postgres/copy-position.ts";
import { Database } from "../postgres/database.ts";
import { hostName, isOnThisMachine, parseDatabaseUrl } from "../postgres/database-url.ts";
import { TABLES_VERSION, schemaVersion } from "../postgres/migrate.ts";
import type { PostgresDescription } from "./backend.ts";
import { NodeDirectory } from "./nodes/node-directory.ts";
import { postgresUpdates } from "./updates/postgres-updates.ts";

/** The index of one namespace, in the database and in the copy of this machine. */
export interface SharedNamespace {
  readonly name: string;
  /** Number of the last commit. */
  readonly generation: number;
  /** The commit that the copy shows; undefined if there is no copy, or one of an older index. */
  readonly copied: number | undefined;
  /** Why the index is damaged. */
  readonly damage: string | undefined;
}

/** The state of a shared backend. */
export interface SharedBackendState {
  /** Host and port, or the folder of a socket. */
  readonly host: string;
  readonly database: string;
  /** The schema of svc's tables. */
  readonly schema: string;
  /** Version of the tables; 0 if there are none yet. */
  readonly schemaVersion: number;
  /** As the server reports it, such as "15.14". */
  readonly serverVersion: string;
  readonly isEncrypted: boolean;
  /** Median time of a statement without work, in milliseconds. */
  readonly roundTripMs: number;
  /** How far the clock of this machine is ahead of the server's, in milliseconds; negative if it is behind. */
  readonly clockAheadMs: number;
  readonly sizeBytes: number;
  /** Whether commits wait for a standby. */
  readonly isSynchronous: boolean;
  /** Standbys that are connected, by name, with `sync_state` of pg_stat_replication; "unknown" without pg_monitor. */
  readonly standbys: readonly { readonly name: string; readonly syncState: string }[];
  /** Empty if the tables have another version than this svc. */
  readonly namespaces: readonly SharedNamespace[];
  /** The nodes that update repositories, by name. */
  readonly indexNodes: readonly string[];
  /** Addresses of the nodes that share searches. */
  readonly searchNodes: readonly string[];
  /** Namespaces whose repositories wait for an update, or are being updated. */
  readonly openUpdates: number;
}

const ROUND_TRIPS = 5;

/** Throws BACKEND_UNAVAILABLE and USAGE. */
export async function inspectPostgres({
  url,
  cacheDirectory,
}: PostgresDescription): Promise<SharedBackendState> {
  const address = parseDatabaseUrl(url);
  const database = new Database(address, userInfo().username, { migrates: false });
  try {
    const [server] = await database.query(
      "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size, " +
        "current_setting('synchronous_standby_names') <> '' AS is_synchronous",
    );
    const version = await schemaVersion(database, address.schema);
    const times: number[] = [];
    let clockAheadMs = 0;
    for (let round = 0; round < ROUND_TRIPS; round += 1) {
      const begun = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const [row] = await database.query(
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
      );
      times.push(performance.now() - begun);
      clockAheadMs = Date.now() - Number(row?.["now"]);
    }
    const standbys = await database.query(
      "SELECT application_name, coalesce(sync_state, 'unknown') AS sync_state FROM pg_stat_replication ORDER BY 1",
    );
    const isCurrent = version === TABLES_VERSION;
    const heads = isCurrent
      ? await database.query(
          "SELECT namespace, epoch, generation, damage FROM index_head WHERE generation > 0 ORDER BY namespace",
        )
      : [];
    const updates = postgresUpdates(database);
    const { host } = database;
    return {
      host: hostName(host),
      database: address.database,
      schema: address.schema,
      schemaVersion: version,
      serverVersion: String(server?.["version"]).split(" ")[0] ?? "",
      isEncrypted: !isOnThisMachine(host),
      roundTripMs: times.toSorted((one, other) => one - other)[Math.floor(ROUND_TRIPS / 2)] ?? 0,
      clockAheadMs: Math.round(clockAheadMs),
      sizeBytes: Number(server?.["size"]),
      isSynchronous: server?.["is_synchronous"] === true,
      standbys: standbys.map((row) => ({
        name: String(row["application_name"]),
        syncState: String(row["sync_state"]),
      })),
      namespaces: heads.map(({ namespace, epoch, generation, damage }) => {
        const copy = copyPosition(cacheDirectory, String(namespace));
        return {
          name: String(namespace),
          generation: Number(generation),
          copied: copy?.epoch === epoch ? copy?.generation : undefined,
          damage: typeof damage === "string" ? damage : undefined,
        };
      }),
      indexNodes: isCurrent ? await updates.nodes() : [],
      searchNodes: isCurrent ? await new NodeDirectory(database).addresses() : [],
      openUpdates: isCurrent ? await updates.openCount() : 0,
    };
  } finally {
    await database.close();
  }
}

/** Why this svc does not use the tables as they are, and the remedy; undefined if it does. */
export function tablesProblem({
  schema,
  schemaVersion: version,
}: SharedBackendState): readonly [problem: string, remedy: string] | undefined {
  if (version === TABLES_VERSION) return undefined;
  if (version === 0)
    return [`the schema ${schema} has no tables yet`, "The first `svc index` creates them."];
  const problem = `the tables have version ${version}, and this svc has version ${TABLES_VERSION}`;
  return version > TABLES_VERSION
    ? [problem, "Update svc on this machine."]
    : [
        problem,
        "The next command updates them. Update svc on all machines first: an older one then refuses to work.",
      ];
}
