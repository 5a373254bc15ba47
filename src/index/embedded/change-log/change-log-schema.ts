// The tables of the change log, next to those of the catalogue. They survive a rebuild of the index.

/** Version of these tables. Another version starts a new change log, and readers of the old one learn that. */
export const CHANGE_LOG_VERSION = 3;

/** Names of the tables that are kept when all others are dropped. */
export const CHANGE_LOG_TABLES = [
  "journal",
  "baseline",
  "pending",
  "baseline_source",
  "change",
  "hit",
] as const;

/** `sum` is the `rowSum` of the row's preceding values. Equal rows of `baseline` and `pending` have equal sums. */
export const CHANGE_LOG_SCHEMA = `
CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE baseline (                 -- of each file as last reported, if it is not what is indexed
  path TEXT PRIMARY KEY, source INTEGER NOT NULL,
  hash TEXT NOT NULL,                   -- '' when its content is not indexed
  prints BLOB NOT NULL,                 -- see index/change-log/fingerprint-block.ts
  lines BLOB,                           -- hashes of its lines, if a monitor needs them
  watched TEXT,                         -- data that monitors store for it, as JSON
  sum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE pending (                  -- the pending state of each file; hash NULL when it is removed
  path TEXT PRIMARY KEY, source INTEGER NOT NULL,
  hash TEXT, prints BLOB NOT NULL, lines BLOB, watched TEXT,
  sum INTEGER NOT NULL,
  found TEXT,                           -- possible monitor hits in it, as JSON
  found_sum INTEGER NOT NULL            -- of the path and found
);
CREATE TABLE baseline_source (source INTEGER PRIMARY KEY, prefix TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  generation INTEGER NOT NULL, at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL, path TEXT NOT NULL, old_path TEXT,
  detail TEXT NOT NULL,                 -- JSON: see index/change-log/change-log.ts
  hits TEXT NOT NULL,                   -- JSON: ids of the monitors that it is a hit of
  sum INTEGER NOT NULL
);
CREATE TABLE hit (
  monitor INTEGER NOT NULL, seq INTEGER NOT NULL, detail TEXT NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY (monitor, seq)
) WITHOUT ROWID;
CREATE INDEX hit_seq ON hit (seq);
`;
