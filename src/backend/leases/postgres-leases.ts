// Leases as rows of the shared backend. The server's clock decides, so that nodes with other clocks agree.

import { randomUUID } from "node:crypto";

import type { Database } from "../../postgres/database.ts";
import { MAX_SILENCE_MS, type Lease, type Leases } from "./port.ts";

/** A holder that has not been heard of for so long has lost its lease. It renews with each report. */
const LEASE_MS = 3 * MAX_SILENCE_MS;

/** Throw BACKEND_UNAVAILABLE. */
export function postgresLeases(database: Database): Leases {
  return {
    leaseOf: (namespace) => leaseIn(database, namespace),
    reportOf: async (namespace) => {
      const [row] = await database.query(
        "SELECT report FROM lease WHERE namespace = $1 AND held_until > clock_timestamp() " +
          "AND reported_at > clock_timestamp() - $2 * interval '1 ms'",
        [namespace, MAX_SILENCE_MS],
      );
      const report = row?.["report"];
      return typeof report === "string" ? JSON.parse(report) : undefined;
    },
  };
}

function leaseIn(database: Database, namespace: string): Lease {
  const owner = randomUUID();
  return {
    tryTake: async () => {
      const rows = await database.query(
        "INSERT INTO lease (namespace, owner, held_until) " +
          "VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms') " +
          "ON CONFLICT (namespace) DO UPDATE SET owner = $2, held_until = excluded.held_until, " +
          "report = CASE WHEN lease.owner = $2 THEN lease.report END " +
          "WHERE lease.owner = $2 OR lease.held_until <= clock_timestamp() RETURNING owner",
        [namespace, owner, LEASE_MS],
      );
      return rows.length > 0;
    },
    isValid: async () => {
      const rows = await database.query(
        "SELECT 1 FROM lease WHERE namespace = $1 AND owner = $2 AND held_until > clock_timestamp()",
        [namespace, owner],
      );
      return rows.length > 0;
    },
    publish: async (report) => {
      await database.query(
        "UPDATE lease SET report = $3, reported_at = clock_timestamp(), " +
          "held_until = clock_timestamp() + $4 * interval '1 ms' " +
          "WHERE namespace = $1 AND owner = $2 AND held_until > clock_timestamp()",
        [namespace, owner, JSON.stringify(report), LEASE_MS],
      );
    },
    release: async () => {
      await database.query("DELETE FROM lease WHERE namespace = $1 AND owner = $2", [
        namespace,
        owner,
      ]);
    },
  };
}
