// The tables of registry.db and the migrations from older versions.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { dataNotWritable, toSvcError, type SvcError } from "../../../base/errors.ts";
import { rootIdentity } from "../../source-root.ts";
import { SummedDatabase, type Access, type SumScheme } from "./summed-database.ts";

/**
 * Since version 3 each row has a checksum, and a row of `tally` has the row count and checksum total of each
 * table.
 */
const SCHEME: Omit<SumScheme, "mayBeEmpty"> = {
  keys: {
    namespace: ["name"],
    source: ["id"],
    leftover: ["kind", "name"],
    last_run: ["namespace"],
    monitor: ["id"],
  },
  version: 3,
  migrations: [
    `
CREATE TABLE namespace (name TEXT PRIMARY KEY, created_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL REFERENCES namespace (name) ON DELETE CASCADE,
  root TEXT NOT NULL,
  prefix TEXT NOT NULL,
  include TEXT NOT NULL, exclude TEXT NOT NULL,   -- JSON arrays of globs
  added_at TEXT NOT NULL,
  UNIQUE (namespace, root), UNIQUE (namespace, prefix)
);`,
    `
ALTER TABLE source ADD COLUMN url TEXT;          -- of a repository that is fetched; NULL for a folder
ALTER TABLE source ADD COLUMN ref TEXT;
ALTER TABLE source ADD COLUMN fetched_at TEXT;
-- What is to be deleted of namespaces and clones that are no longer listed. A clone is named by its root.
CREATE TABLE leftover (
  kind TEXT NOT NULL, name TEXT NOT NULL, noted_at INTEGER NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
-- The last run over the files of a namespace.
CREATE TABLE last_run (
  namespace TEXT PRIMARY KEY REFERENCES namespace (name) ON DELETE CASCADE,
  ended_at TEXT NOT NULL, started_by TEXT NOT NULL, process INTEGER NOT NULL,
  problem TEXT, warnings TEXT NOT NULL           -- JSON array
) WITHOUT ROWID;`,
    `
ALTER TABLE source ADD COLUMN identity TEXT;     -- of the root, as src/sources/source-root.ts writes it
ALTER TABLE source ADD COLUMN outside_git TEXT;  -- the git directory outside the root that its owner allowed
-- An older svc makes this table when the first monitor is made.
CREATE TABLE IF NOT EXISTS monitor (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL REFERENCES namespace (name) ON DELETE CASCADE,
  owner TEXT NOT NULL, name TEXT NOT NULL,
  kind TEXT NOT NULL, question TEXT NOT NULL, created_at TEXT NOT NULL,
  UNIQUE (namespace, owner, name)
);`,
  ],
  complete: (table, row) => {
    if (table !== "source" || row["url"] !== null) return {};
    return { identity: rootIdentity(String(row["root"])) ?? null };
  },
};

export function registryFile(dataDirectory: string): string {
  return join(dataDirectory, "registry.db");
}

/** Opens the registry of an existing data directory; `isNew`: it was just created. Throws INDEX_CORRUPT. */
export function openRegistryFile(
  dataDirectory: string,
  access: Access,
  isNew = false,
): SummedDatabase {
  // Existing indexes prove that the list was not empty.
  const mayBeEmpty = (): boolean =>
    isNew || namesIn(join(dataDirectory, "namespaces")).length === 0;
  return new SummedDatabase(registryFile(dataDirectory), { ...SCHEME, mayBeEmpty }, access);
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

/** The error for a data directory that is read-only. */
export function notWritable(obstacle: unknown): SvcError {
  const known = toSvcError(obstacle);
  return known.code === "INTERNAL_ERROR" ? dataNotWritable(obstacle) : known;
}
