// Keeps earlier contents of files, because many files get such a content back when the branch is switched. Earlier
// contents stay in their segments, marked as deleted. Queries do not read a segment in which all files are deleted. A
// merge divides the files of its segments into live ones and earlier ones.

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import type { FileVersion } from "../change-log/change-event.ts";
import type { RestoredFile } from "../earlier-contents.ts";
import type { FileState } from "../types.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { EarlierContent, EarlierPlace } from "./catalog/earlier-table.ts";
import type { StoredFileRow } from "./catalog/file-row.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";

/** Earlier contents have up to this share of the bytes of the indexed files; so of the bytes of the index. */
const MAX_EARLIER_SHARE = 0.2;
/** In a small project, of which most files differ between branches, they may have so many bytes. */
const MIN_EARLIER_BYTES = 4 << 20;

/** Whether queries read a segment. */
export function isLive({ tombstones }: SegmentRow): boolean {
  return tombstones.includes(0);
}

/** Returns the earlier contents in segments by their name, and there by index. */
export function earlierIn(
  catalog: Catalog,
): ReadonlyMap<string, ReadonlyMap<number, EarlierPlace>> {
  const bySegment = Map.groupBy(catalog.earlier.places(), ({ segment }) => segment);
  return new Map(
    Array.from(bySegment, ([name, places]) => [
      name,
      new Map(places.map((place) => [place.ordinal, place])),
    ]),
  );
}

/** Returns the content that a file has had until `generation`; undefined if it cannot be used again. */
export function replacedContent(
  catalog: Catalog,
  row: StoredFileRow,
  segment: SegmentRow,
): EarlierContent | undefined {
  const { path, hash, size, language, role, flags, chunks, symbols, stage, problem, ordinal } = row;
  const isWhole = stage === "complete" && problem === undefined && hash !== "";
  if (!isWhole || ordinal === null || documentFormatOf(path) !== undefined) return undefined;
  // The segments of older formats do not have them.
  const fingerprints = catalog.changeLog.indexedFingerprints(segment.id, ordinal);
  if (fingerprints === undefined || fingerprints.length === 0) return undefined;
  const place = { segment: segment.name, ordinal, generation: catalog.generation() + 1 };
  return { path, hash, size, language, role, flags, chunks, symbols, ...place };
}

/** Returns a file that has such a content, with these fingerprints, again. */
export function restoredFile(
  content: EarlierContent,
  fingerprints: Uint8Array,
  { path, source, mtimeMs, inode, indexedMs }: RestoredFile,
): { readonly state: FileState; readonly version: FileVersion } {
  const { hash, size, language, role, flags, chunks, symbols } = content;
  const times = { size, mtimeMs, inode, indexedMs };
  const facts = { hash, language, role, flags, chunks, symbols };
  const state = { path, source, ...times, ...facts, stage: "complete", skipped: null } as const;
  return { state, version: { ...NO_MONITORS, fingerprints } };
}

const NO_MONITORS = { lineHashes: undefined, watched: undefined, found: undefined };

/**
 * Forgets the contents that were replaced first, as far as they exceed their share, and removes segments that are of no
 * more use. Within a transaction.
 */
export function trimEarlier(catalog: Catalog): void {
  const rows = catalog.segments.all();
  const names = new Set(rows.map(({ name }) => name));
  const used = new Set<string>();
  let left = Math.max(MIN_EARLIER_BYTES, catalog.files.totals().bytes * MAX_EARLIER_SHARE);
  for (const { path, hash, size, segment } of catalog.earlier.places()) {
    left -= size;
    if (left >= 0 && names.has(segment)) used.add(segment);
    else catalog.earlier.remove(path, hash);
  }
  for (const row of rows) {
    if (!isLive(row) && !used.has(row.name)) catalog.segments.remove(row.id);
  }
}
