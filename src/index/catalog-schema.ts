// The tables of the catalogue.

import { FORMAT_VERSION } from "./format.ts";

/** Version of the tables. */
export const SCHEMA_VERSION = 4;
//  1  0.8.0  first form
//  2  0.8.0  small segments as rows, how far each file is, symbols in the segments
//  3  0.9.0  importance of files and symbols
//  4  0.9.0  the journal of changes, in tables of its own (journal-schema.ts)

/** An index of another version of the tables, or of segments that can no longer be used, is built anew. */
export const VERSION = SCHEMA_VERSION * 1000 + FORMAT_VERSION;

export const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE segment (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  files INTEGER NOT NULL, bytes INTEGER NOT NULL,
  dead BLOB NOT NULL,                   -- one byte a file: 1 when a later segment replaced it
  body BLOB                             -- a small segment as a whole; NULL when it is a file
);
CREATE TABLE file (
  path TEXT PRIMARY KEY,
  source INTEGER NOT NULL,
  size INTEGER NOT NULL, mtime_ms REAL NOT NULL, inode REAL NOT NULL,
  hash TEXT NOT NULL, indexed_ms REAL NOT NULL,
  language TEXT NOT NULL, role INTEGER NOT NULL, flags INTEGER NOT NULL,
  stage INTEGER NOT NULL,               -- by its place in STAGES
  segment INTEGER, ordinal INTEGER,     -- NULL when the content is not indexed, or not yet
  chunks INTEGER NOT NULL, symbols INTEGER NOT NULL,
  skipped TEXT                          -- reason why the content is not indexed
) WITHOUT ROWID;
CREATE TABLE importance (
  segment INTEGER PRIMARY KEY,
  files BLOB NOT NULL,                  -- one byte each: see index/importance.ts
  symbols BLOB NOT NULL
);
CREATE INDEX file_listed ON file (path) WHERE stage = 0;
`;
