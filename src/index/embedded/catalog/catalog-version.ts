// The version of a catalogue, and the parts to keep of a catalogue with another version.

import { DatabaseSync } from "node:sqlite";

import { immutableUri } from "../../../base/immutable-uri.ts";
import { SCHEMA_VERSION } from "./catalog-schema.ts";
import { FORMAT_VERSION } from "../segment/format.ts";

/** Returns the `user_version` of a catalogue; 0 for a new file. */
export function catalogVersionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/** Drops all tables except `keptTables`. */
export function dropAll(db: DatabaseSync, keptTables: readonly string[]): void {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  for (const { name } of db.prepare(sql).all()) {
    if (!keptTables.includes(String(name))) db.exec(`DROP TABLE "${String(name)}"`);
  }
}

/** Whether the database has a change log of this version. */
export function hasChangeLogVersion(db: DatabaseSync, version: number): boolean {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'journal'";
  if (db.prepare(table).get() === undefined) return false;
  const row = db.prepare("SELECT value FROM journal WHERE key = 'version'").get();
  return row?.["value"] === String(version);
}

/** Returns a value of `meta`; undefined if there is no such key or table. */
export function metaOf(db: DatabaseSync, key: string): string | undefined {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'";
  if (db.prepare(table).get() === undefined) return undefined;
  const value = db.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.["value"];
  return typeof value === "string" ? value : undefined;
}

/** Whether a newer svc created it. */
export function isNewer(version: number): boolean {
  const schema = Math.floor(version / 1000);
  return schema > SCHEMA_VERSION || (schema === SCHEMA_VERSION && version % 1000 > FORMAT_VERSION);
}

/** Whether a version has the current tables and a segment format from `oldestFormat` on. */
export function isBetween(version: number, oldestFormat: number): boolean {
  const format = version % 1000;
  return (
    Math.floor(version / 1000) === SCHEMA_VERSION &&
    format >= oldestFormat &&
    format <= FORMAT_VERSION
  );
}

/**
 * Returns the version of the catalogue at `path` without changing it. Throws SQLite's error for a file that is
 * no database.
 */
export function catalogVersionAt(path: string): number {
  const db = new DatabaseSync(immutableUri(path), { readOnly: true, timeout: 2000 });
  try {
    return catalogVersionOf(db);
  } finally {
    db.close();
  }
}
