// Starts an index from that of another namespace. Segments never change, so the two share their files by hard links; the
// catalogue of the new index lists only files whose content is the same, and the others of a segment count as deleted.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { replaceFile, syncDirectory } from "../../base/files.ts";
import { COMPILER_NOTE } from "../compiler-facts/manifest.ts";
import { damagedFile } from "../damage.ts";
import type { IndexBase, IndexStart, KnownContent } from "../index-base.ts";
import { Catalog } from "./catalog/catalog.ts";
import type { StoredFileRow } from "./catalog/file-row.ts";
import { EMBEDDER_KEY, noteKey, SHARDS_KEY, STALE_COUNT_KEY } from "./catalog/meta-keys.ts";
import type { SegmentRow } from "./catalog/segment-table.ts";
import { offerName } from "./fetched-layout.ts";
import type { IndexLayout } from "./layout.ts";
import { linkFiles, syncFile } from "./link-files.ts";
import { RANK_VERSION_KEY } from "./pagerank/segment-ranks.ts";
import { openSegment } from "./snapshot.ts";
import type { Storage } from "./storage/storage.ts";
import { takeWriterLock } from "./writer-lock.ts";

/** How long to wait for a run over the base, in milliseconds: one over a saved file takes less. */
const BASE_WAIT_MS = 2000;
/** The unfinished catalogue. In the folder of the segments, where the next writer deletes what it does not know. */
const UNFINISHED = "catalog.unfinished";

interface BaseOptions {
  readonly layout: IndexLayout;
  readonly layoutOf: (namespace: string) => IndexLayout;
  readonly storageOf: (directory: string) => Storage;
}

export class EmbeddedBase implements IndexBase {
  readonly #options: BaseOptions;
  readonly #catalog: Catalog;
  /** `dataVersion` of the catalogue when its files were read. */
  readonly #dataVersion: number;
  readonly #rows: ReadonlyMap<string, StoredFileRow>;
  readonly files: ReadonlyMap<string, KnownContent>;
  readonly offer: string | undefined;

  private constructor(options: BaseOptions, catalog: Catalog) {
    this.#options = options;
    this.#catalog = catalog;
    this.#dataVersion = catalog.dataVersion();
    this.#rows = new Map(
      catalog.files.all().flatMap((row) => (isComplete(row) ? [[row.path, row]] : [])),
    );
    this.files = this.#rows;
    this.offer = offerName(catalog);
  }

  /** See `IndexBases.open`. Throws IndexDamage. */
  static open(options: BaseOptions, embedder: string): EmbeddedBase | undefined {
    const { catalog: path, damageMarker } = options.layout;
    if (existsSync(damageMarker)) return undefined;
    const catalog = Catalog.openToRead(path);
    if (catalog === undefined) return undefined;
    try {
      if (isUsableBase(catalog, embedder)) return new EmbeddedBase(options, catalog);
    } catch (thrown) {
      catalog.close();
      throw thrown;
    }
    catalog.close();
    return undefined;
  }

  readonly start = async (namespace: string, start: IndexStart): Promise<number | undefined> => {
    const { layout, layoutOf } = this.#options;
    const to = layoutOf(namespace);
    mkdirSync(to.segments, { recursive: true, mode: 0o700 });
    const releaseOwn = await takeWriterLock(to, { waitMs: 0 });
    if (releaseOwn === undefined) return undefined;
    try {
      if (existsSync(to.catalog)) return undefined;
      const releaseBase = await takeWriterLock(layout, { waitMs: BASE_WAIT_MS });
      if (releaseBase === undefined) return undefined;
      try {
        // Someone has written to it since its files were read.
        if (this.#catalog.dataVersion() !== this.#dataVersion) return undefined;
        return this.#create(to, start);
      } finally {
        releaseBase();
      }
    } finally {
      releaseOwn();
    }
  };

  readonly close = (): void => this.#catalog.close();

  #create(to: IndexLayout, start: IndexStart): number {
    const { layout } = this.#options;
    const taken = this.#taken(start);
    const bySegment = Map.groupBy(taken.values(), ({ segment }) => segment ?? -1);
    const segments = this.#catalog.segments.all().filter(({ id }) => bySegment.has(id));
    const files = segments.flatMap(({ isRow, name }) => (isRow ? [] : [name]));
    linkFiles(files, { from: layout.segments, to: to.segments });
    const documents = [...taken.values()].flatMap(({ path, hash }) =>
      isDocument(path) ? [hash] : [],
    );
    if (documents.length > 0) {
      mkdirSync(to.documents, { recursive: true, mode: 0o700 });
      linkFiles([...new Set(documents)], { from: layout.documents, to: to.documents });
    }
    this.#requireIntact(segments, to);
    const unfinished = join(to.segments, UNFINISHED);
    rmSync(unfinished, { force: true });
    Catalog.create(unfinished, (catalog) => {
      const ids = this.#addSegments(catalog, segments, bySegment);
      this.#addFiles(catalog, { taken, ids, start });
      this.#setMeta(catalog, start, taken.size);
    });
    syncFile(unfinished);
    replaceFile(unfinished, to.catalog);
    syncDirectory(to.directory);
    return taken.size;
  }

  /** The files of the base that have the content of those of the new index. Of a document, the base needs the text too. */
  #taken({ contents }: IndexStart): ReadonlyMap<string, StoredFileRow> {
    const { documents } = this.#options.layout;
    const taken = new Map<string, StoredFileRow>();
    for (const [path, { hash }] of contents) {
      const row = this.#rows.get(path);
      if (row === undefined || row.hash !== hash) continue;
      if (!isDocument(path) || existsSync(join(documents, hash))) taken.set(path, row);
    }
    return taken;
  }

  /** Reads the ends of all segments, which say what is in them. Throws IndexDamage. */
  #requireIntact(segments: readonly SegmentRow[], to: IndexLayout): void {
    const storage = this.#options.storageOf(to.segments);
    for (const row of segments) {
      const reader = openSegment(this.#catalog, storage, row);
      const isIntact = reader.files === row.files && reader.damagedParts().length === 0;
      reader.close();
      if (!isIntact) throw damagedFile(row.name);
    }
  }

  /** Returns the ids of the segments in the new catalogue, by those in the base. */
  #addSegments(
    catalog: Catalog,
    segments: readonly SegmentRow[],
    files: ReadonlyMap<number, readonly StoredFileRow[]>,
  ): ReadonlyMap<number, number> {
    const ids = new Map<number, number>();
    for (const row of segments) {
      const body = row.isRow ? this.#catalog.segments.body(row.name) : null;
      if (body === undefined) throw damagedFile(row.name);
      const id = catalog.segments.add(row, body);
      const tombstones = new Uint8Array(row.files).fill(1);
      for (const { ordinal } of files.get(row.id) ?? []) tombstones[ordinal ?? -1] = 0;
      catalog.segments.setTombstones(id, tombstones);
      const ranks = this.#catalog.segments.ranks(row.id);
      if (ranks !== undefined) catalog.segments.setRanks(id, ranks);
      ids.set(row.id, id);
    }
    return ids;
  }

  #addFiles(
    catalog: Catalog,
    {
      taken,
      ids,
      start: { source, contents, paths, listed },
    }: {
      readonly taken: ReadonlyMap<string, StoredFileRow>;
      readonly ids: ReadonlyMap<number, number>;
      readonly start: IndexStart;
    },
  ): void {
    const recorded = this.#catalog.changeLog.recorded();
    for (const path of paths) {
      const row = taken.get(path);
      const content = contents.get(path);
      if (row === undefined || content === undefined) {
        catalog.files.add({ ...listed(path), segment: null, ordinal: null });
        continue;
      }
      const segment = ids.get(row.segment ?? -1) ?? null;
      catalog.files.add({ ...row, ...content, source, segment });
      const baseline = recorded.get(path);
      // The data of the base's monitors does not apply to the monitors of this index.
      if (baseline?.hash === row.hash)
        catalog.changeLog.setBaseline({ ...baseline, source, lineHashes: null, watched: null });
    }
  }

  #setMeta(catalog: Catalog, { paths, notes }: IndexStart, taken: number): void {
    for (const key of [EMBEDDER_KEY, SHARDS_KEY, RANK_VERSION_KEY]) {
      const value = this.#catalog.meta(key);
      if (value !== undefined) catalog.setMeta(key, value);
    }
    // The run that reads the others will count those.
    const present = new Set(paths);
    const gone = [...this.#rows.keys()].filter((path) => !present.has(path));
    const stale = Number(this.#catalog.meta(STALE_COUNT_KEY) ?? 0) + gone.length;
    catalog.setMeta(STALE_COUNT_KEY, String(stale));
    for (const [name, value] of notes(taken)) catalog.setMeta(noteKey(name), value);
  }
}

/** Whether other indexes with this embedding table can have the segments of this one. */
export function isUsableBase(catalog: Catalog, embedder: string): boolean {
  return (
    catalog.isCurrent &&
    catalog.generation() > 0 &&
    (catalog.meta(EMBEDDER_KEY) ?? "") === embedder &&
    (catalog.meta(noteKey(COMPILER_NOTE)) ?? "") === ""
  );
}

/** Whether the content of a file is indexed as far as it can be. */
function isComplete({ stage, segment, hash, problem }: StoredFileRow): boolean {
  return stage === "complete" && segment !== null && hash !== "" && problem === undefined;
}

function isDocument(path: string): boolean {
  return documentFormatOf(path) !== undefined;
}
