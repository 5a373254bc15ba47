// Fetches the index of another machine into a folder of its own, as the base of an index of this one: start-from-base.ts
// takes files from it whose content is the same here, and later runs do (fetched-contents.ts). Nothing that the other
// machine sends is trusted: names, sizes, rows and checksums are verified, and the catalogue is written here.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";

import { withDiskSpace } from "../../base/disk-space.ts";
import { SvcError } from "../../base/errors.ts";
import { replaceFile, syncDirectory } from "../../base/files.ts";
import type { ExportedIndex, ExportedSegment } from "../../base/exported-index.ts";
import { explainWriteErrors } from "../damage.ts";
import type { FetchedIndex, FetchOptions } from "../index-base.ts";
import type { IndexOffer } from "../index-export.ts";
import { FILE_ROLES } from "../types.ts";
import { Catalog } from "./catalog/catalog.ts";
import { EMBEDDER_KEY, SHARDS_KEY, STALE_COUNT_KEY } from "./catalog/meta-keys.ts";
import { requireUsableExport, unusable } from "./check-export.ts";
import { noteOffer, offeredVersion, offerName } from "./fetched-layout.ts";
import type { IndexLayout } from "./layout.ts";
import { syncFile } from "./link-files.ts";
import { SegmentReader } from "./segment/segment-reader.ts";
import type { Storage } from "./storage/storage.ts";
import { takeWriterLock } from "./writer-lock.ts";

/** While the other machine merges segments, those of an older list disappear. */
const MAX_LISTS = 5;
/** How long to wait for another process that fetches the same, in milliseconds. */
const LOCK_WAIT_MS = 2000;
const PARTIAL = ".part";
/** The unfinished catalogue, in the folder of the segments. */
const UNFINISHED = "catalog.unfinished";
/** Bits of `flags` that describe a file. The others say that it has no secret: this machine finds that out itself. */
const FILE_FLAGS = 0xf;

interface Place {
  readonly layout: IndexLayout;
  readonly storage: Storage;
}

/**
 * Fetches what is not there yet. What an interrupted call has got is not fetched again. Until everything is complete and
 * verified, an index that was fetched before stays. Throws INDEX_UNAVAILABLE, STORAGE_FULL and what the offer throws.
 */
export async function fetchIndex(
  offer: IndexOffer,
  layout: IndexLayout,
  storageOf: (directory: string) => Storage,
  options: FetchOptions,
): Promise<FetchedIndex> {
  return explainWriteErrors(async () => {
    mkdirSync(layout.segments, { recursive: true, mode: 0o700 });
    const release = await takeWriterLock(layout, { waitMs: LOCK_WAIT_MS });
    if (release === undefined) throw beingFetched();
    try {
      const place = { layout, storage: storageOf(layout.segments) };
      return await withDiskSpace(layout.directory, options.signal, (signal) =>
        new Fetch(offer, place, { ...options, signal }).run(),
      );
    } finally {
      release();
    }
  });
}

class Fetch {
  readonly #offer: IndexOffer;
  readonly #place: Place;
  readonly #options: FetchOptions;
  #fetchedBytes = 0;

  constructor(offer: IndexOffer, place: Place, options: FetchOptions) {
    this.#offer = offer;
    this.#place = place;
    this.#options = options;
  }

  async run(): Promise<FetchedIndex> {
    let known = this.#knownVersion();
    for (let lists = 0; lists < MAX_LISTS; lists += 1) {
      // oxlint-disable-next-line no-await-in-loop -- a list is made after the one before has become old
      const listed = await this.#offer.list(known, this.#options.signal);
      if (listed === undefined) return { fetchedBytes: 0 };
      known = undefined;
      requireUsableExport(listed.index, { embedder: this.#options.embedder, offer: this.#offer });
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (await this.#fetchSegments(listed.index)) {
        this.#finish(listed);
        return { fetchedBytes: this.#fetchedBytes };
      }
    }
    throw new SvcError(
      "INDEX_UNAVAILABLE",
      `The index of ${this.#offer.name} changes faster than it can be fetched.`,
      { hint: "Run the command again to continue the fetch." },
    );
  }

  /** The version that is there and intact. */
  #knownVersion(): string | undefined {
    const { layout } = this.#place;
    try {
      const catalog = Catalog.openToRead(layout.catalog);
      try {
        const isSame = catalog !== undefined && offerName(catalog) === this.#offer.name;
        if (!isSame || !catalog.isCurrent) return undefined;
        const segments = catalog.segments.all();
        if (!segments.every((segment) => this.#isIntact(segment.name, segment))) return undefined;
        return offeredVersion(catalog);
      } finally {
        catalog?.close();
      }
    } catch {
      // It is damaged, and made again.
      return undefined;
    }
  }

  /** Returns false if the other machine does not have one any more. */
  async #fetchSegments({ segments }: ExportedIndex): Promise<boolean> {
    const total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const segment of segments) {
      const report = (bytes: number): void => this.#options.onProgress?.(done + bytes, total);
      report(0);
      // oxlint-disable-next-line no-await-in-loop -- each fills the connection
      if (!(await this.#fetchSegment(segment, report))) return false;
      done += segment.bytes;
    }
    return true;
  }

  async #fetchSegment(segment: ExportedSegment, report: (bytes: number) => void): Promise<boolean> {
    const { name, bytes: size } = segment;
    const path = join(this.#place.layout.segments, name);
    if (existsSync(path)) {
      if (this.#isIntact(name, segment)) return true;
      rmSync(path);
    }
    const partial = path + PARTIAL;
    let at = statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
    if (at > size) {
      truncateSync(partial);
      at = 0;
    }
    while (at < size) {
      const range = { offset: at, end: size };
      // oxlint-disable-next-line no-await-in-loop -- each begins where the one before ended
      const bytes = await this.#offer.part(name, range, this.#options.signal);
      if (bytes === undefined) return false;
      if (bytes.length === 0 || bytes.length > size - at)
        throw unusable(this.#offer, `${name} has a different size from its entry in the list`);
      appendFileSync(partial, bytes, { mode: 0o600 });
      at += bytes.length;
      this.#fetchedBytes += bytes.length;
      report(at);
    }
    if (!this.#isIntact(name + PARTIAL, segment)) {
      rmSync(partial, { force: true });
      throw unusable(this.#offer, `${name} is damaged, or was damaged on the way`);
    }
    syncFile(partial);
    replaceFile(partial, path);
    return true;
  }

  /** Reads the whole file, and compares the checksums of its pages. */
  #isIntact(file: string, { name, bytes, files }: ExportedSegment): boolean {
    try {
      const stored = this.#place.storage.open(file);
      if (stored.sizeBytes !== bytes) {
        stored.close();
        return false;
      }
      const reader = new SegmentReader(stored, name);
      try {
        return reader.files === files && reader.damagedParts().length === 0;
      } finally {
        reader.close();
      }
    } catch {
      return false;
    }
  }

  /** Replaces the catalogue by one of this list, when all segments are there. */
  #finish({ version, index }: { readonly version: string; readonly index: ExportedIndex }): void {
    const { layout } = this.#place;
    this.#requireRightPlaces(index);
    syncDirectory(layout.segments);
    const unfinished = join(layout.segments, UNFINISHED);
    rmSync(unfinished, { force: true });
    Catalog.create(unfinished, (catalog) => {
      this.#addRows(catalog, index);
      noteOffer(catalog, this.#offer.name, version);
    });
    syncFile(unfinished);
    // A new catalogue must not meet the journal of the one before.
    for (const end of ["-wal", "-shm"]) rmSync(layout.catalog + end, { force: true });
    replaceFile(unfinished, layout.catalog);
    syncDirectory(layout.directory);
    const used = new Set(index.segments.map(({ name }) => name));
    for (const name of readdirSync(layout.segments))
      if (!used.has(name)) rmSync(join(layout.segments, name), { force: true });
  }

  /** A file must be where its row says: otherwise answers would be of another file. So must its PageRank. */
  #requireRightPlaces({ segments, files }: ExportedIndex): void {
    const readers = segments.map(
      ({ name }) => new SegmentReader(this.#place.storage.open(name), name),
    );
    try {
      for (const [path, , , , , , , , segment, ordinal] of files) {
        if (readers[segment]?.path(ordinal) !== path) throw this.#otherList();
      }
      for (const [at, { ranks }] of segments.entries()) {
        const reader = readers[at];
        if (ranks === undefined || reader === undefined) continue;
        const lengths = [ranks.files, ranks.symbols].map((codes) => bytesOf(codes).length);
        if (String(lengths) !== String([reader.files, reader.directory.symbols]))
          throw this.#otherList();
      }
    } finally {
      for (const reader of readers) reader.close();
    }
  }

  #otherList(): SvcError {
    return unusable(this.#offer, "its list does not belong to its segments");
  }

  #addRows(catalog: Catalog, index: ExportedIndex): void {
    const ids = index.segments.map((segment) => {
      const id = catalog.segments.add(segment, null);
      const { ranks } = segment;
      if (ranks !== undefined)
        catalog.segments.setRanks(id, {
          files: bytesOf(ranks.files),
          symbols: bytesOf(ranks.symbols),
        });
      return id;
    });
    for (const row of index.files) {
      const [path, hash, size, language, role, flags, chunks, symbols, segment, ordinal] = row;
      catalog.files.add({
        path,
        hash,
        size,
        language,
        role: FILE_ROLES[role] ?? "code",
        flags: flags & FILE_FLAGS,
        chunks,
        symbols,
        segment: ids[segment] ?? null,
        ordinal,
        ...OF_NO_SOURCE,
      });
    }
    catalog.setMeta("generation", String(index.generation));
    catalog.setMeta(EMBEDDER_KEY, index.embedder);
    catalog.setMeta(SHARDS_KEY, String(index.shards));
    catalog.setMeta(STALE_COUNT_KEY, String(index.staleRanks));
  }
}

const OF_NO_SOURCE = {
  source: 0,
  mtimeMs: 0,
  inode: 0,
  indexedMs: 0,
  stage: "complete",
  skipped: null,
} as const;

function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, "base64");
}

function beingFetched(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Another svc process is fetching the same index.", {
    hint: "Try again when it is done.",
  });
}
