// An index as it lies there, for who wants to know how it is: nothing is made, changed or left behind.

import { existsSync } from "node:fs";

import { SvcError } from "../../base/errors.ts";
import { fileSignature, immutableUri } from "../../base/immutable-uri.ts";
import type { IndexReader } from "../port.ts";
import { Catalog } from "../catalog/catalog.ts";
import { CATALOG_VERSION } from "../catalog/catalog-schema.ts";
import { isBetween, catalogVersionAt } from "../catalog/catalog-version.ts";
import { EmbeddedReader } from "./reader.ts";
import { MIN_READABLE_VERSION } from "../segment/format.ts";
import type { IndexLayout } from "./layout.ts";
import { SnapshotSource } from "./snapshot.ts";
import { diskStorage } from "../storage/storage-disk.ts";
import type { Storage } from "../storage/storage.ts";

export type CatalogForm = "current" | "older" | "newer" | "unfinished";

/** Throws what SQLite says of a catalogue that is none. */
export function catalogForm({ catalog }: IndexLayout): CatalogForm {
  const version = catalogVersionAt(catalog);
  if (version === 0) return "unfinished";
  if (isBetween(version, MIN_READABLE_VERSION)) return "current";
  return version > CATALOG_VERSION ? "newer" : "older";
}

/** What there is to ask of an index that was opened to be looked at. */
export interface InspectedIndex {
  readonly reader: IndexReader;
  readonly paths: readonly string[];
  /** Names of the segments that are files. */
  readonly segments: ReadonlySet<string>;
}

/** How often a look is repeated because somebody was writing meanwhile: what it saw may be of two states. */
const MAX_ATTEMPTS = 3;

/** What `work` makes of an index of the current form. Throws INDEX_UNAVAILABLE for one that is damaged. */
export async function inspectIndex<T>(
  { catalog: path, segments }: IndexLayout,
  work: (index: InspectedIndex) => Promise<T>,
): Promise<T> {
  // The storage would make it.
  if (!existsSync(segments)) throw new SvcError("INDEX_UNAVAILABLE", `${segments} is gone.`);
  const storage = diskStorage(segments);
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    const before = fileSignature(path);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
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
  if (catalog === undefined) throw new Error("the catalogue is of another form, or gone");
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
