// Contents of files in the index that was fetched from another machine, for files of this one that have the same content
// after a change: `git pull` brings what the server has indexed. Segments are shared by hard links, like those of worktrees.

import type { Catalog } from "./catalog/catalog.ts";
import { Catalog as CatalogFile } from "./catalog/catalog.ts";
import type { EarlierContent } from "./catalog/earlier-table.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { isUsableBase } from "./embedded-base.ts";
import type { IndexLayout } from "./layout.ts";
import { linkFiles } from "./link-files.ts";
import { SegmentReader } from "./segment/segment-reader.ts";
import type { Storage } from "./storage/storage.ts";

interface Folders {
  /** Of the index that was fetched. */
  readonly from: IndexLayout;
  /** Of the index that takes contents from it. */
  readonly to: IndexLayout;
}

export class FetchedContents {
  readonly #folders: Folders;
  readonly #storage: Storage;
  readonly #catalog: Catalog;
  readonly #rows: ReadonlyMap<number, SegmentRow>;
  /** By id; undefined for a damaged segment. */
  readonly #readers = new Map<number, SegmentReader | undefined>();

  private constructor(folders: Folders, storage: Storage, catalog: Catalog) {
    this.#folders = folders;
    this.#storage = storage;
    this.#catalog = catalog;
    this.#rows = new Map(catalog.segments.all().map((row) => [row.id, row]));
  }

  /** Undefined if nothing usable was fetched. `embedder`: id of the embedding table; "" for none. */
  static open(
    folders: Folders,
    storageOf: (directory: string) => Storage,
    embedder: string,
  ): FetchedContents | undefined {
    let catalog: Catalog | undefined;
    try {
      catalog = CatalogFile.openToRead(folders.from.catalog);
      if (catalog !== undefined && isUsableBase(catalog, embedder))
        return new FetchedContents(folders, storageOf(folders.from.segments), catalog);
    } catch {
      // It is damaged: the files are read.
    }
    catalog?.close();
    return undefined;
  }

  /** Returns the content of a file there; undefined if there is none that is intact. */
  of(path: string): EarlierContent | undefined {
    const row = this.#catalog.files.get(path);
    const segment = this.#rows.get(row?.segment ?? -1);
    if (row === undefined || segment === undefined || row.ordinal === null) return undefined;
    if (this.#reader(segment) === undefined) return undefined;
    const { hash, size, language, role, flags, chunks, symbols, ordinal } = row;
    const place = { segment: segment.name, ordinal, generation: 0 };
    return { path, hash, size, language, role, flags, chunks, symbols, ...place };
  }

  /** Returns the encoded fingerprints of such a content, in memory of their own. */
  fingerprints({ segment, ordinal }: EarlierContent): Uint8Array | undefined {
    const row = this.#named(segment);
    return row && this.#reader(row)?.fingerprints(ordinal).slice();
  }

  /** Gives the segments names in the other index. Returns what adds them to its catalogue, within a transaction. */
  link(names: ReadonlySet<string>, to: Catalog): () => void {
    const present = new Set(to.segments.all().map(({ name }) => name));
    const rows = [...names].flatMap((name) => {
      const row = present.has(name) ? undefined : this.#named(name);
      return row === undefined ? [] : [row];
    });
    const { from, to: target } = this.#folders;
    linkFiles(
      rows.map(({ name }) => name),
      { from: from.segments, to: target.segments },
    );
    return () => {
      for (const row of rows) {
        const id = to.segments.add(row, null);
        // The files that are taken are marked as live with their places.
        to.segments.setTombstones(id, new Uint8Array(row.files).fill(1));
        const ranks = this.#catalog.segments.ranks(row.id);
        if (ranks !== undefined) to.segments.setRanks(id, ranks);
      }
    };
  }

  close(): void {
    for (const reader of this.#readers.values()) reader?.close();
    this.#catalog.close();
  }

  #named(name: string): SegmentRow | undefined {
    return [...this.#rows.values()].find((row) => row.name === name);
  }

  /** Reads a segment once as a whole, to compare its checksums. */
  #reader(row: SegmentRow): SegmentReader | undefined {
    const { id, name, files } = row;
    if (this.#readers.has(id)) return this.#readers.get(id);
    let reader: SegmentReader | undefined;
    try {
      reader = new SegmentReader(this.#storage.open(name), name);
      if (reader.files !== files || reader.damagedParts().length > 0) {
        reader.close();
        reader = undefined;
      }
    } catch {
      reader = undefined;
    }
    this.#readers.set(id, reader);
    return reader;
  }
}
