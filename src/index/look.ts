// An index as it lies there, for who wants to know how it is: nothing is made, changed or left behind.

import { existsSync } from "node:fs";

import { SvcError } from "../base/errors.ts";
import { signatureOf, untouchedAddress } from "../base/untouched-database.ts";
import type { IndexReader } from "./backend.ts";
import { Catalog } from "./catalog/catalog.ts";
import { VERSION } from "./catalog/catalog-schema.ts";
import { isBetween, versionAt } from "./catalog/catalog-version.ts";
import { EmbeddedReader } from "./embedded-reader.ts";
import { READ_MIN } from "./segment/format.ts";
import type { IndexLayout } from "./layout.ts";
import { SnapshotSource } from "./snapshot.ts";
import { diskStorage } from "./storage/storage-disk.ts";
import type { Storage } from "./storage/storage.ts";

export type CatalogForm = "current" | "older" | "newer" | "unfinished";

/** Throws what SQLite says of a catalogue that is none. */
export function catalogForm({ catalog }: IndexLayout): CatalogForm {
  const version = versionAt(catalog);
  if (version === 0) return "unfinished";
  if (isBetween(version, READ_MIN)) return "current";
  return version > VERSION ? "newer" : "older";
}

/** What there is to ask of an index that was opened to be looked at. */
export interface Look {
  readonly reader: IndexReader;
  readonly paths: readonly string[];
  /** Names of the segments that are files. */
  readonly segments: ReadonlySet<string>;
}

/** How often a look is repeated because somebody was writing meanwhile: what it saw may be of two states. */
const ATTEMPTS = 3;

/** What `work` makes of an index of the current form. Throws INDEX_UNAVAILABLE for one that is damaged. */
export async function lookAtIndex<T>(
  { catalog: path, segments }: IndexLayout,
  work: (look: Look) => Promise<T>,
): Promise<T> {
  // The storage would make it.
  if (!existsSync(segments)) throw new SvcError("INDEX_UNAVAILABLE", `${segments} is gone.`);
  const storage = diskStorage(segments);
  for (let left = ATTEMPTS; ; left -= 1) {
    const before = signatureOf(path);
    try {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      return await lookOnce(path, storage, work);
    } catch (thrown) {
      if (left === 0 || signatureOf(path) === before) throw thrown;
    }
  }
}

async function lookOnce<T>(
  path: string,
  storage: Storage,
  work: (look: Look) => Promise<T>,
): Promise<T> {
  const catalog = Catalog.openToRead(untouchedAddress(path));
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
