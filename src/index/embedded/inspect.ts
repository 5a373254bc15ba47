// Inspects an index without creating or changing any file.

import { existsSync } from "node:fs";

import { SvcError } from "../../base/errors.ts";
import { fileSignature, immutableUri } from "../../base/immutable-uri.ts";
import type { IndexReader } from "../port.ts";
import { Catalog } from "./catalog/catalog.ts";
import { CATALOG_VERSION } from "./catalog/catalog-schema.ts";
import { isBetween, catalogVersionAt } from "./catalog/catalog-version.ts";
import { EmbeddedReader } from "./reader.ts";
import { MIN_READABLE_VERSION } from "./segment/format.ts";
import type { IndexLayout } from "./layout.ts";
import { SnapshotSource } from "./snapshot.ts";
import { diskStorage } from "./storage/storage-disk.ts";
import type { Storage } from "./storage/storage.ts";

/** The version of a catalogue relative to this svc. `unfinished`: it has no tables yet. */
export type CatalogForm = "current" | "older" | "newer" | "unfinished";

/** Returns the form of a catalogue. Throws SQLite's error for a file that is not a database. */
export function catalogForm({ catalog }: IndexLayout): CatalogForm {
  const version = catalogVersionAt(catalog);
  if (version === 0) return "unfinished";
  if (isBetween(version, MIN_READABLE_VERSION)) return "current";
  return version > CATALOG_VERSION ? "newer" : "older";
}

/** An index opened for inspection. */
export interface InspectedIndex {
  readonly reader: IndexReader;
  /** Paths of all files in code unit order. */
  readonly paths: readonly string[];
  /** Names of the segments that are stored as files. */
  readonly segments: ReadonlySet<string>;
}

/** How often to repeat an inspection during which another process wrote, because it may have seen two states. */
const MAX_ATTEMPTS = 3;

/**
 * Runs `work` on an index of the current form and returns its result. Throws INDEX_UNAVAILABLE for a damaged
 * index.
 */
export async function inspectIndex<T>(
  { catalog: path, segments }: IndexLayout,
  work: (index: InspectedIndex) => Promise<T>,
): Promise<T> {
  // diskStorage would create the folder.
  if (!existsSync(segments)) throw new SvcError("INDEX_UNAVAILABLE", `${segments} does not exist.`);
  const storage = diskStorage(segments);
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    const before = fileSignature(path);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      return await inspectOnce(path, storage, work);
    } catch (thrown) {
      if (left === 0 || fileSignature(path) === before) throw thrown;
    }
  }
}

async function inspectOnce<T>(
  path: string,
  storage: Storage,
  work: (index: InspectedIndex) => Promise<T>,
): Promise<T> {
  const catalog = Catalog.openAt(immutableUri(path));
  if (catalog === undefined) throw new Error("the catalogue has another version or does not exist");
  const snapshots = new SnapshotSource(catalog, storage);
  try {
    const segments = catalog.segments.all().filter(({ isRow }) => !isRow);
    return await work({
      reader: new EmbeddedReader(catalog, snapshots, {}),
      paths: catalog.files.paths(),
      segments: new Set(segments.map(({ name }) => name)),
    });
  } finally {
    snapshots.close();
    catalog.close();
  }
}
