/** A value of a statement. Arrays become arrays of PostgreSQL. */
export type PostgresValue =
  | string
  | number
  | boolean
  | Buffer
  | null
  | readonly (string | number)[];

export type PostgresRow = Readonly<Record<string, unknown>>;

/** Runs statements in order: on one connection in a transaction, or on any. */
export interface Sql {
  /** Returns the rows. `$1` is the first of the values. */
  readonly query: (
    text: string,
    values?: readonly PostgresValue[],
  ) => Promise<readonly PostgresRow[]>;
}
