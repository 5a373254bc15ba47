// Contents of files in the index that was fetched from another machine, for files of this one that have the same content
// after a change: `git pull` brings what the server has indexed. Segments are shared by hard links, like those of worktrees.

import { Catalog } from "./catalog/catalog.ts";
import type { EarlierContent } from "./catalog/earlier-table.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { isUsableBase } from "./embedded-base.ts";
import type { IndexLayout } from "./layout.ts";
import { linkFiles } from "./link-files.ts";
import { markPlaces, type ContentPlace } from "./mark-places.ts";
import { SegmentReader } from "./segment/segment-reader.ts";
import type { Storage } from "./storage/storage.ts";

interface Folders {
  /** Layout of the fetched index. */
  readonly from: IndexLayout;
  /** Layout of the index that takes contents from it. */
  readonly to: IndexLayout;
}

/** Adds segments to a catalogue, within a transaction. */
export interface LinkedSegments {
  /** Adds them without live files. */
  readonly add: () => void;
  /** Moves the files with equal content there, when those that are taken from them have their places. */
  readonly moveEqual: () => void;
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
      catalog = Catalog.openToRead(folders.from.catalog);
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

  /** Gives the segments names in the other index. */
  link(names: ReadonlySet<string>, to: Catalog): LinkedSegments {
    const present = new Set(to.segments.all().map(({ name }) => name));
    const rows = [...this.#rows.values()].filter(
      ({ name }) => names.has(name) && !present.has(name),
    );
    const { from, to: target } = this.#folders;
    linkFiles(
      rows.map(({ name }) => name),
      { from: from.segments, to: target.segments },
    );
    let ids: ReadonlyMap<number, number> = new Map();
    return {
      add: () => void (ids = new Map(rows.map((row) => [row.id, this.#add(row, to)]))),
      moveEqual: () => this.#moveEqual(ids, to),
    };
  }

  /** Adds a segment without live files. Returns its id there. */
  #add(row: SegmentRow, to: Catalog): number {
    const id = to.segments.add(row, null);
    to.segments.setTombstones(id, new Uint8Array(row.files).fill(1));
    const ranks = this.#catalog.segments.ranks(row.id);
    if (ranks !== undefined) to.segments.setRanks(id, ranks);
    return id;
  }

  /**
   * Moves the unchanged files that these segments have, too. The other machine has merged their segments into these: so the
   * two go on sharing them, and this one need not merge its own. `ids`: ids of the segments in the other index.
   */
  #moveEqual(ids: ReadonlyMap<number, number>, to: Catalog): void {
    const dead: ContentPlace[] = [];
    const live: ContentPlace[] = [];
    for (const { path, hash, segment: at, ordinal } of this.#catalog.files.all()) {
      const segment = ids.get(at ?? -1);
      const own = segment === undefined ? undefined : to.files.get(path);
      if (segment === undefined || ordinal === null || own?.hash !== hash) continue;
      if (own.segment === segment || own.stage !== "complete" || own.problem !== undefined)
        continue;
      if (own.segment !== null && own.ordinal !== null)
        dead.push({ segment: own.segment, ordinal: own.ordinal });
      to.files.move(path, segment, ordinal);
      live.push({ segment, ordinal });
    }
    markPlaces(to, { dead, live });
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
