// The tables of the catalogue.

import { FORMAT_VERSION } from "../segment/format.ts";

/** Version of the tables. */
export const SCHEMA_VERSION = 7;
//   1  0.8.0  first form
//   2  0.8.0  small segments as rows, stages of files, symbols in the segments
//   3  0.9.0  PageRank of files and symbols
//   4  0.9.0  the change log, in tables of its own (change-log-schema.ts)
//   5  0.9.0  checksums of rows, and their tally
//   6  0.9.0  why a file was indexed without its grammar
//   7  0.9.0  the names of the tables of the change log

/** An index with another version of the tables, or with segments that are no longer readable, is rebuilt. */
export const CATALOG_VERSION = SCHEMA_VERSION * 1000 + FORMAT_VERSION;

/** `sum` is the row's `rowSum`; `tally` in `meta` has the totals of all rows (tally.ts). */
export const CATALOG_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE segment (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  files INTEGER NOT NULL, bytes INTEGER NOT NULL,
  is_row INTEGER NOT NULL,              -- 1 when body has its bytes; 0 when it is a file
  sum INTEGER NOT NULL,                 -- includes dead, but not body, which has its own checksums
  dead BLOB NOT NULL,                   -- one byte per file: 1 when it is deleted or replaced
  body BLOB
);
CREATE TABLE file (
  path TEXT PRIMARY KEY,
  source INTEGER NOT NULL,
  size INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode REAL NOT NULL,
  hash TEXT NOT NULL, indexed_ms REAL NOT NULL,
  language TEXT NOT NULL, role INTEGER NOT NULL, flags INTEGER NOT NULL,
  stage INTEGER NOT NULL,               -- index of STAGES
  chunks INTEGER NOT NULL, symbols INTEGER NOT NULL,
  skipped TEXT,                         -- reason why the content is not indexed
  problem TEXT, problem_by TEXT,        -- why its grammar was not used, and the svc that tried
  segment INTEGER, ordinal INTEGER,     -- NULL when the content is not indexed, or not yet
  place_sum INTEGER NOT NULL,           -- checksum of these two and the path
  sum INTEGER NOT NULL                  -- checksum of all columns before them
) WITHOUT ROWID;
CREATE TABLE importance (
  segment INTEGER PRIMARY KEY,
  sum INTEGER NOT NULL,
  files BLOB NOT NULL,                  -- one byte each: see index/pagerank/segment-ranks.ts
  symbols BLOB NOT NULL
);
CREATE INDEX file_listed ON file (path) WHERE stage = 0;
CREATE INDEX file_problem ON file (path) WHERE problem IS NOT NULL;
`;

/** Not in catalogues of earlier versions: a writer adds it. What is missing in it is only parsed again. */
export const EARLIER_SCHEMA = `
CREATE TABLE IF NOT EXISTS earlier (    -- contents that files had before, and that segments still have
  path TEXT NOT NULL, hash TEXT NOT NULL,
  size INTEGER NOT NULL, language TEXT NOT NULL, role INTEGER NOT NULL, flags INTEGER NOT NULL,
  chunks INTEGER NOT NULL, symbols INTEGER NOT NULL,
  sum INTEGER NOT NULL,                 -- checksum of the columns before it
  segment TEXT NOT NULL, ordinal INTEGER NOT NULL,  -- the segment's name: numbers are used again
  generation INTEGER NOT NULL,          -- that replaced it
  place_sum INTEGER NOT NULL,           -- checksum of these three, the path and the hash
  PRIMARY KEY (path, hash)
) WITHOUT ROWID;
`;
