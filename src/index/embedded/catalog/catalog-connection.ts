import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";

import { sqliteCode } from "../../../base/errors.ts";
import type { SqlValue } from "../../../base/row-sum.ts";
import { damagedCatalog } from "../../damage.ts";

export type SqlRow = Record<string, SQLOutputValue>;

/** Runs statements. Throws INDEX_UNAVAILABLE if the file is damaged or not a database. */
export interface SqlStatements {
  /** Returns the first row; undefined if there is none. */
  readonly get: (sql: string, ...values: SqlValue[]) => SqlRow | undefined;
  /** Returns all rows as objects. */
  readonly all: (sql: string, ...values: SqlValue[]) => SqlRow[];
  /** Returns rows as arrays, which take half the time of objects: there may be a hundred thousand. */
  readonly arrays: (sql: string, ...values: SqlValue[]) => readonly (readonly SQLOutputValue[])[];
  readonly run: (sql: string, ...values: SqlValue[]) => { lastInsertRowid: number | bigint };
}

/** Returns the statements of an open database; each is prepared once. */
export function statementsOf(db: DatabaseSync): SqlStatements {
  const known = new Map<string, StatementSync>();
  const statement = (sql: string, asArrays = false): StatementSync => {
    let found = known.get(sql);
    if (found === undefined) {
      found = db.prepare(sql);
      known.set(sql, found);
    }
    found.setReturnArrays(asArrays);
    return found;
  };
  return {
    get: (sql, ...values) => guarded(() => statement(sql).get(...values)),
    all: (sql, ...values) => guarded(() => statement(sql).all(...values)),
    run: (sql, ...values) => guarded(() => statement(sql).run(...values)),
    arrays: (sql, ...values) =>
      guarded(
        () =>
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what is asked for
          statement(sql, true).all(...values) as unknown as SQLOutputValue[][],
      ),
  };
}

/** Converts SQLite's errors about a damaged file to IndexDamage, which has a hint. */
export function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (DAMAGE.has((sqliteCode(cause) ?? 0) & 0xff)) throw damagedCatalog(cause);
    throw cause;
  }
}

/** SQLITE_ERROR, for a missing table; SQLITE_CORRUPT; SQLITE_NOTADB. */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 26]);
