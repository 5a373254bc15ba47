// The queue of updates as rows of the shared backend. The server's clock decides, so that nodes with other clocks agree.

import { randomUUID } from "node:crypto";

import type { Database } from "../../postgres/database.ts";
import type { PostgresRow } from "../../postgres/sql.ts";
import {
  MAX_ATTEMPTS,
  MAX_NODE_SILENCE_MS,
  NODE_LOST,
  RETRY_MS,
  type TakenUpdate,
  type UpdateQueue,
  type UpdateResult,
} from "./port.ts";

/** Nodes that have been silent for a day leave no row. */
const FORGET_NODES_AFTER = "interval '1 day'";

/** A new request while the update is open joins it; otherwise it replaces what the row says. */
const REQUEST = `
INSERT INTO repository_update AS u (namespace, requested, sources, rebuild) VALUES ($1, 1, $2, $3)
ON CONFLICT (namespace) DO UPDATE SET
  requested = u.requested + 1,
  sources = CASE
    WHEN u.requested = u.ended THEN excluded.sources
    WHEN u.sources IS NULL OR excluded.sources IS NULL THEN NULL
    ELSE ARRAY(SELECT DISTINCT unnest(u.sources || excluded.sources) ORDER BY 1)
  END,
  rebuild = excluded.rebuild OR (u.rebuild AND u.requested > u.ended),
  attempts = CASE WHEN u.taken_by IS NULL THEN 0 ELSE u.attempts END,
  run_after = clock_timestamp()
RETURNING requested`;

/** Each attempt has an id of its own: a node that lost one cannot end the next. */
const TAKE = `
UPDATE repository_update SET
  taken_by = $1, taken_request = requested, taken_until = clock_timestamp() + $2 * interval '1 ms',
  attempts = attempts + 1, progress = '{}'
WHERE namespace = (
  SELECT namespace FROM repository_update
  WHERE requested > ended AND run_after <= clock_timestamp()
    AND (taken_by IS NULL OR taken_until <= clock_timestamp())
  ORDER BY run_after LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING namespace, sources, rebuild`;

/** `$1`: the result, `$2`: whether it needs no more attempts, `$3`: the waits after the attempts, in ms. */
const END = `
UPDATE repository_update SET
  attempt_request = taken_request, attempt_result = $1,
  ended = CASE WHEN $2 OR attempts >= $4 THEN taken_request ELSE ended END,
  run_after = CASE
    WHEN $2 OR attempts >= $4 OR requested > taken_request THEN clock_timestamp()
    ELSE clock_timestamp() + ($3::int[])[attempts] * interval '1 ms'
  END,
  attempts = CASE WHEN $2 OR attempts >= $4 OR requested > taken_request THEN 0 ELSE attempts END,
  taken_by = NULL, progress = NULL`;

/** Throw BACKEND_UNAVAILABLE. */
export function postgresUpdates(database: Database): UpdateQueue {
  const node = randomUUID();
  return {
    request: async ({ namespace, sources, rebuild = false }) => {
      const [row] = await database.query(REQUEST, [namespace, sources ?? null, rebuild]);
      return Number(row?.["requested"]);
    },
    take: async () => {
      await database.query(
        `${END} WHERE taken_by IS NOT NULL AND taken_until <= clock_timestamp() AND attempts >= $4`,
        [JSON.stringify(NODE_LOST), false, RETRY_MS, MAX_ATTEMPTS],
      );
      const attempt = randomUUID();
      const [row] = await database.query(TAKE, [attempt, MAX_NODE_SILENCE_MS]);
      return row && takenUpdate(database, attempt, row);
    },
    stateOf: async (namespace) => {
      const [row] = await database.query(
        "SELECT requested, ended, progress, attempt_request, attempt_result FROM repository_update " +
          "WHERE namespace = $1",
        [namespace],
      );
      if (row === undefined) return undefined;
      const { requested, ended, progress, attempt_request: request, attempt_result: result } = row;
      return {
        requested: Number(requested),
        ended: Number(ended),
        progress: typeof progress === "object" && progress !== null ? progress : undefined,
        attempt: isResult(result) ? { request: Number(request), result } : undefined,
      };
    },
    openCount: async () => {
      const [row] = await database.query(
        "SELECT count(*) AS count FROM repository_update WHERE requested > ended",
      );
      return Number(row?.["count"]);
    },
    forget: async (namespace) => {
      await database.query("DELETE FROM repository_update WHERE namespace = $1", [namespace]);
    },
    announce: async (name) => {
      await database.query(
        "INSERT INTO index_node (id, name, seen_at) VALUES ($1, $2, clock_timestamp()) " +
          "ON CONFLICT (id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at",
        [node, name],
      );
      await database.query(
        `DELETE FROM index_node WHERE seen_at < clock_timestamp() - ${FORGET_NODES_AFTER}`,
      );
    },
    retire: async () => {
      await database.query("DELETE FROM index_node WHERE id = $1", [node]);
    },
    nodes: async () => {
      const rows = await database.query(
        "SELECT name FROM index_node WHERE seen_at >= clock_timestamp() - $1 * interval '1 ms' ORDER BY name",
        [MAX_NODE_SILENCE_MS],
      );
      return rows.map(({ name }) => String(name));
    },
  };
}

function takenUpdate(database: Database, attempt: string, row: PostgresRow): TakenUpdate {
  const { sources, rebuild } = row;
  const namespace = String(row["namespace"]);
  return {
    namespace,
    sources: Array.isArray(sources) ? sources.map(Number) : undefined,
    rebuild: rebuild === true,
    keep: async (progress) => {
      const rows = await database.query(
        "UPDATE repository_update SET progress = $3, taken_until = clock_timestamp() + $4 * interval '1 ms' " +
          "WHERE namespace = $1 AND taken_by = $2 RETURNING namespace",
        [namespace, attempt, JSON.stringify(progress), MAX_NODE_SILENCE_MS],
      );
      return rows.length > 0;
    },
    end: async (result) => {
      const isDone = result.problem === undefined;
      await database.query(`${END} WHERE namespace = $5 AND taken_by = $6`, [
        JSON.stringify(result),
        isDone,
        RETRY_MS,
        MAX_ATTEMPTS,
        namespace,
        attempt,
      ]);
    },
    giveBack: async () => {
      await database.query(
        "UPDATE repository_update SET taken_by = NULL, attempts = attempts - 1, progress = NULL " +
          "WHERE namespace = $1 AND taken_by = $2",
        [namespace, attempt],
      );
    },
  };
}

function isResult(value: unknown): value is UpdateResult {
  return typeof value === "object" && value !== null && ("report" in value || "problem" in value);
}
