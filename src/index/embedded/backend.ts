import { mkdirSync, statSync } from "node:fs";

import { SvcError } from "../../base/errors.ts";
import type {
  IndexBackend,
  IndexReader,
  IndexWriter,
  ChangeLogReader,
  ReadOptions,
} from "../port.ts";
import { Catalog } from "../catalog/catalog.ts";
import { isLockHeld, takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { fileSignature } from "../../base/immutable-uri.ts";
import { EmbeddedReader } from "./reader.ts";
import { EmbeddedWriter } from "./writer.ts";
import { changeLogReader } from "../change-log/change-log-reader.ts";
import { indexLayout, type IndexLayout } from "./layout.ts";
import {
  faultsOf,
  clearDamage,
  recordDamage,
  recordedDamage,
  quarantineDamaged,
} from "./quarantine.ts";
import { SnapshotSource } from "./snapshot.ts";
import { diskStorage } from "../storage/storage-disk.ts";
import type { Storage } from "../storage/storage.ts";

/** How long one attempt to take the writer's lock waits. A thread that waits inside SQLite cannot be terminated. */
const LOCK_RETRY_MS = 200;

interface OpenIndexFiles {
  /** Inode of the catalogue's file. */
  readonly inode: number | undefined;
  readonly catalog: Catalog;
  readonly snapshots: SnapshotSource;
}

/** The index in local files: one folder per namespace below `dataDirectory`. */
export class EmbeddedBackend implements IndexBackend {
  readonly kind = "embedded";
  readonly #dataDirectory: string;
  readonly #storageOf: (directory: string) => Storage;
  readonly #opened = new Map<string, OpenIndexFiles>();
  /** Indexes that were replaced while they were open. */
  readonly #replaced: OpenIndexFiles[] = [];

  /** `storageOf` creates the storage of a segments folder; on disk by default. */
  constructor(dataDirectory: string, storageOf: (directory: string) => Storage = diskStorage) {
    this.#dataDirectory = dataDirectory;
    this.#storageOf = storageOf;
  }

  layout(namespace: string): IndexLayout {
    return indexLayout(this.#dataDirectory, namespace);
  }

  readonly reader = async (
    namespace: string,
    options: ReadOptions = {},
  ): Promise<IndexReader | undefined> => {
    const opened = this.#open(namespace);
    if (opened === undefined) return undefined;
    const reader = new EmbeddedReader(opened.catalog, opened.snapshots, options);
    const { atLeast } = options;
    if (atLeast !== undefined && !isAtLeast(reader.version, atLeast)) {
      throw new SvcError("INDEX_UNAVAILABLE", "The index is older than the requested version.", {
        hint: "It was rebuilt in the meantime; repeat the call without a version.",
      });
    }
    return reader;
  };

  readonly writer = async (
    namespace: string,
    { waitMs, embeddings, quarantine }: Parameters<IndexBackend["writer"]>[1],
  ): Promise<IndexWriter | undefined> => {
    const layout = this.layout(namespace);
    mkdirSync(layout.segments, { recursive: true, mode: 0o700 });
    const release = await waitForLock(layout.writerLock, waitMs);
    if (release === undefined) return undefined;
    let catalog: Catalog | undefined;
    try {
      const storage = this.#storageOf(layout.segments);
      if (quarantine !== undefined) quarantineDamaged(layout, storage, quarantine);
      catalog = Catalog.openToWrite(layout.catalog);
      return new EmbeddedWriter(catalog, storage, { release, embeddings });
    } catch (thrown) {
      catalog?.close();
      release();
      throw thrown;
    }
  };

  /** Returns the change log without opening a version of the index; undefined if nothing has been written yet. */
  changeLog(namespace: string): ChangeLogReader | undefined {
    const opened = this.#open(namespace);
    return opened && changeLogReader(opened.catalog);
  }

  /** True while a first build, by any process, has not read every file. */
  isFirstBuildPending(namespace: string): boolean {
    try {
      const opened = this.#open(namespace);
      if (opened === undefined || opened.snapshots.current().segments.length === 0) return true;
      return opened.catalog.files.hasListed();
    } catch {
      // A damaged index gives no results either.
      return true;
    }
  }

  /** Whether this or another process holds the writer's lock. */
  isBeingWritten(namespace: string): boolean {
    return isLockHeld(this.layout(namespace).writerLock);
  }

  /** Records for all processes that an index is damaged; a completed run clears the record. */
  recordDamage(namespace: string, detail: string): void {
    recordDamage(this.layout(namespace), detail);
  }

  /** Reads all of an index and names the damaged parts; undefined if there is no index. */
  verify(namespace: string): readonly string[] | undefined {
    const layout = this.layout(namespace);
    return faultsOf(layout, this.#storageOf(layout.segments));
  }

  /** Returns the recorded damage that is not repaired yet; undefined if there is none. */
  recordedDamage(namespace: string): string | undefined {
    return recordedDamage(this.layout(namespace));
  }

  clearDamage(namespace: string): void {
    clearDamage(this.layout(namespace));
  }

  /** Detaches an index. Returns a function that closes it, to call when no call reads from it any more. */
  detach(namespace: string): (() => void) | undefined {
    const opened = this.#opened.get(namespace);
    this.#opened.delete(namespace);
    return opened && (() => closeIndex(opened));
  }

  readonly close = (): void => {
    for (const opened of [...this.#replaced, ...this.#opened.values()]) closeIndex(opened);
    this.#replaced.length = 0;
    this.#opened.clear();
  };

  #open(namespace: string): OpenIndexFiles | undefined {
    const layout = this.layout(namespace);
    const inode = statSync(layout.catalog, { throwIfNoEntry: false })?.ino;
    const known = this.#opened.get(namespace);
    if (known !== undefined) {
      const { signature } = known.catalog;
      const isUnchanged = signature === undefined || signature === fileSignature(layout.catalog);
      if (known.inode === inode && isUnchanged) return known;
      // Another process has replaced the index, or has written it while this one can only read. Earlier calls
      // still read from it.
      this.#opened.delete(namespace);
      this.#replaced.push(known);
    }
    const catalog = Catalog.openToRead(layout.catalog);
    if (catalog === undefined) return undefined;
    const snapshots = new SnapshotSource(catalog, this.#storageOf(layout.segments));
    const opened = { inode, catalog, snapshots };
    this.#opened.set(namespace, opened);
    return opened;
  }
}

function closeIndex({ catalog, snapshots }: OpenIndexFiles): void {
  snapshots.close();
  catalog.close();
}

function isAtLeast(
  version: { epoch: string; at: number },
  wanted: { epoch: string; at: number },
): boolean {
  return version.epoch === wanted.epoch && version.at >= wanted.at;
}

/** Waits in short attempts, so that the thread can be terminated in between. */
async function waitForLock(path: string, waitMs: number): Promise<(() => void) | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const left = Math.max(0, deadline - performance.now());
    const release = takeExclusiveLock(path, Math.ceil(Math.min(left, LOCK_RETRY_MS)));
    if (release !== undefined || left === 0) return release;
    // eslint-disable-next-line no-await-in-loop -- one attempt after the other
    await new Promise(setImmediate);
  }
}
