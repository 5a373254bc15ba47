// Handles a damaged index. The damage is recorded for all processes. Before a rebuild, the damaged files are
// moved to quarantine, where the newest ones stay for analysis.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { replaceFile } from "../../base/files.ts";
import { Catalog } from "./catalog/catalog.ts";
import { baselineKeeper } from "./change-log/segment-fingerprints.ts";
import type { QuarantineMode } from "../port.ts";
import { IndexDamage, NewerIndex } from "../damage.ts";
import type { IndexLayout } from "./layout.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { openSegment } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";

/** Number of quarantines to keep. */
const MAX_QUARANTINES = 2;
const QUARANTINE_MARK = ".corrupt-";

/** Records that an index is damaged, until it has been rebuilt. */
export function reportDamage({ directory, damageMarker }: IndexLayout, detail: string): void {
  try {
    if (existsSync(directory)) writeFileSync(damageMarker, `${detail}\n`, { mode: 0o600 });
  } catch {
    // Without write access nothing can be repaired either; readers find the damage themselves.
  }
}

/** Returns the recorded damage; undefined if there is none. */
export function reportedDamage({ damageMarker }: IndexLayout): string | undefined {
  try {
    return readFileSync(damageMarker, "utf8").trim();
  } catch {
    return undefined;
  }
}

export function clearDamage({ damageMarker }: IndexLayout): void {
  rmSync(damageMarker, { force: true });
}

/**
 * Verifies all of an index and moves damaged files to quarantine. Afterwards the index is empty, except for its
 * change log if that is intact. The caller holds the writer's lock. Returns the new names of the damaged files.
 */
export function quarantineDamaged(
  layout: IndexLayout,
  storage: Storage,
  mode: QuarantineMode,
): readonly string[] {
  const mark = `${QUARANTINE_MARK}${new Date().toISOString().replaceAll(":", "-")}`;
  const found = findDamage(layout, storage, mode);
  if (found === undefined && mode !== "all") return [];
  // The fetched contents may have caused the damage.
  rmSync(layout.fetched, { recursive: true, force: true });
  const files = found === "catalogue" ? catalogFiles(layout) : segmentFiles(layout, found ?? []);
  for (const { path, body } of files) {
    const quarantined = join(layout.directory, `${basename(path)}${mark}`);
    if (body === undefined) replaceFile(path, quarantined);
    else writeFileSync(quarantined, body, { mode: 0o600 });
  }
  if (found === "catalogue") rmSync(`${layout.catalog}-shm`, { force: true });
  else recreate(layout, storage);
  removeOld(layout.directory);
  return files.map(({ path }) => `${basename(path)}${mark}`);
}

function recreate({ catalog }: IndexLayout, storage: Storage): void {
  const beforeLosing = baselineKeeper(storage);
  Catalog.openToWrite(catalog, { recreate: true, beforeLosing }).close();
}

interface DamagedSegment {
  readonly name: string;
  /** The bytes of a segment stored in the catalogue. */
  readonly body: Uint8Array | undefined;
  readonly faults: readonly string[];
}

/** Returns the damaged parts; undefined if there are none. */
function findDamage(
  { catalog: path }: IndexLayout,
  storage: Storage,
  mode: QuarantineMode,
): "catalogue" | readonly DamagedSegment[] | undefined {
  let catalog: Catalog | undefined;
  try {
    catalog = Catalog.openToRead(path);
    if (catalog === undefined) return undefined;
    if (!catalog.isSound()) return "catalogue";
    const damaged = damagedSegments(catalog, storage);
    return damaged.length === 0 ? undefined : damaged;
  } catch (thrown) {
    const isForeign = thrown instanceof NewerIndex && mode === "newer";
    if (!isForeign && !(thrown instanceof IndexDamage)) throw thrown;
    return "catalogue";
  } finally {
    catalog?.close();
  }
}

function damagedSegments(catalog: Catalog, storage: Storage): readonly DamagedSegment[] {
  return catalog.segments.all().flatMap((row) => {
    const faults = faultsIn(catalog, storage, row);
    if (faults.length === 0) return [];
    const body = row.isRow ? catalog.segments.body(row.name) : undefined;
    return [{ name: row.name, body, faults }];
  });
}

/** Returns the faults of one segment. */
function faultsIn(catalog: Catalog, storage: Storage, row: SegmentRow): readonly string[] {
  try {
    const reader = openSegment(catalog, storage, row);
    const parts = reader.damagedParts();
    const isMismatch = reader.files !== row.files;
    reader.close();
    return isMismatch ? ["wrong number of files"] : parts;
  } catch (thrown) {
    if (!(thrown instanceof IndexDamage)) throw thrown;
    return [thrown.message];
  }
}

/**
 * Reads all of an index and names each fault; undefined if there is no index, and then `storageOf` is not called. Throws
 * the errors of opening it.
 */
export function faultsOf(
  layout: IndexLayout,
  storageOf: (directory: string) => Storage,
): readonly string[] | undefined {
  if (!existsSync(layout.catalog)) return undefined;
  const found = findDamage(layout, storageOf(layout.segments), "damaged");
  if (found === undefined) return [];
  if (found === "catalogue") return ["catalog.db: its files, segments or changes"];
  return found.map(({ name, body, faults }) => {
    const place = body === undefined ? `segments/${name}` : `catalog.db, segment ${name}`;
    return `${place}: ${faults.join(", ")}`;
  });
}

interface QuarantinedFile {
  readonly path: string;
  readonly body?: Uint8Array | undefined;
}

function catalogFiles({ catalog }: IndexLayout): readonly QuarantinedFile[] {
  return [catalog, `${catalog}-wal`].filter(existsSync).map((path) => ({ path }));
}

function segmentFiles(
  { segments }: IndexLayout,
  damaged: readonly DamagedSegment[],
): readonly QuarantinedFile[] {
  return damaged
    .map(({ name, body }) => ({ path: join(segments, name), body }))
    .filter(({ path, body }) => body !== undefined || existsSync(path));
}

function removeOld(directory: string): void {
  const names = readdirSync(directory).filter((name) => name.includes(QUARANTINE_MARK));
  const marks = [...new Set(names.map(markOf))].toSorted().slice(0, -MAX_QUARANTINES);
  for (const name of names) {
    if (marks.includes(markOf(name))) rmSync(join(directory, name), { force: true });
  }
}

function markOf(name: string): string {
  return name.slice(name.lastIndexOf(QUARANTINE_MARK));
}
