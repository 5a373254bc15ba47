import { existsSync, mkdirSync, statSync } from "node:fs";

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { IndexBases } from "../index-base.ts";
import type { IndexExports } from "../index-export.ts";
import type { IndexBackend, IndexReader, IndexWriter, ReadOptions, WriteOptions } from "../port.ts";
import { requireVersion } from "../required-version.ts";
import { EmbeddedRevisions } from "./embedded-revisions.ts";
import type { ShardableBackend, Shards } from "../shards/port.ts";
import { Catalog } from "./catalog/catalog.ts";
import { isLockHeld } from "../../base/exclusive-lock.ts";
import { fileSignature } from "../../base/immutable-uri.ts";
import { EmbeddedReader } from "./reader.ts";
import type { Publication } from "./writer.ts";
import { baselineKeeper } from "./change-log/segment-fingerprints.ts";
import { changeLogReader } from "./change-log/change-log-reader.ts";
import { indexLayout, type IndexLayout } from "./layout.ts";
import {
  faultsOf,
  clearDamage,
  reportDamage,
  reportedDamage,
  quarantineDamaged,
} from "./quarantine.ts";
import { emptyTrash, removeIndexFiles } from "./remove-index.ts";
import { EmbeddedExports } from "./embedded-exports.ts";
import { fetchedLayout } from "./fetched-layout.ts";
import { watchVersions } from "./watch-versions.ts";
import { SnapshotSource } from "./snapshot.ts";
import { diskStorage } from "./storage/storage-disk.ts";
import { takeWriterLock } from "./writer-lock.ts";
import type { Storage } from "./storage/storage.ts";

interface OpenIndexFiles {
  /** Inode of the catalogue's file. */
  readonly inode: number | undefined;
  readonly catalog: Catalog;
  readonly snapshots: SnapshotSource;
}

/** The index in local files: one folder per namespace below `dataDirectory`. */
export class EmbeddedBackend implements ShardableBackend {
  readonly #dataDirectory: string;
  readonly #storageOf: (directory: string) => Storage;
  readonly #basesDirectory: string;
  readonly #opened = new Map<string, OpenIndexFiles>();
  /** Indexes that were replaced while they were open. */
  readonly #replaced: OpenIndexFiles[] = [];

  /**
   * `storageOf` creates the storage of a segments folder; on disk by default. `basesDirectory`: the data directory with the
   * indexes that those in this one can start from; the same by default.
   */
  constructor(
    dataDirectory: string,
    storageOf: (directory: string) => Storage = diskStorage,
    basesDirectory = dataDirectory,
  ) {
    this.#dataDirectory = dataDirectory;
    this.#storageOf = storageOf;
    this.#basesDirectory = basesDirectory;
  }

  layout(namespace: string): IndexLayout {
    return indexLayout(this.#dataDirectory, namespace);
  }

  readonly reader = async (
    namespace: AuthorizedNamespace,
    options: ReadOptions = {},
  ): Promise<IndexReader | undefined> => {
    const opened = this.#open(namespace);
    if (opened === undefined) return undefined;
    const reader = new EmbeddedReader(opened.catalog, opened.snapshots, options);
    requireVersion(reader.version, options.atLeast);
    return reader;
  };

  readonly shardCount: Shards["shardCount"] = async (namespace) =>
    this.#open(namespace)?.snapshots.current().shards;

  readonly shard: Shards["shard"] = async (namespace, number, options = {}) => {
    const opened = this.#open(namespace);
    if (opened === undefined) return undefined;
    const reader = new EmbeddedReader(opened.catalog, opened.snapshots, {
      ...options,
      shard: number,
    });
    requireVersion(reader.version, options.atLeast);
    return number < reader.shards ? reader : undefined;
  };

  readonly writer = (namespace: string, options: WriteOptions): Promise<IndexWriter | undefined> =>
    this.writerOf(namespace, options);

  /** With `publicationOf`, the index is a copy of another store. It gets the catalogue of the open writer. */
  async writerOf(
    namespace: string,
    { waitMs, isPatient, embeddings, quarantine, beforeCommit, shards }: WriteOptions,
    publicationOf?: (catalog: Catalog) => Publication,
  ): Promise<IndexWriter | undefined> {
    const layout = this.layout(namespace);
    mkdirSync(layout.segments, { recursive: true, mode: 0o700 });
    const release = await takeWriterLock(layout, { waitMs, isPatient });
    if (release === undefined) return undefined;
    let catalog: Catalog | undefined;
    try {
      const storage = this.#storageOf(layout.segments);
      if (quarantine !== undefined) quarantineDamaged(layout, storage, quarantine);
      const beforeLosing = baselineKeeper(storage);
      catalog = Catalog.openToWrite(layout.catalog, { beforeLosing });
      // Processes that only answer do not load it.
      const [{ EmbeddedWriter }, { FetchedContents }] = await Promise.all([
        import("./writer.ts"),
        import("./fetched-contents.ts"),
      ]);
      const folders = { from: fetchedLayout(layout), to: layout };
      return await EmbeddedWriter.open({
        catalog,
        storage,
        release,
        embeddings,
        beforeCommit,
        shards,
        publication: publicationOf?.(catalog),
        openFetched: (table) => FetchedContents.open(folders, this.#storageOf, table),
      });
    } catch (thrown) {
      catalog?.close();
      release();
      throw thrown;
    }
  }

  readonly changeLog: IndexBackend["changeLog"] = async (namespace) => {
    const opened = this.#open(namespace);
    return opened && changeLogReader(opened.catalog);
  };

  readonly watch: IndexBackend["watch"] = (namespace, listener) =>
    watchVersions(this.layout(namespace), listener);

  readonly isFirstBuildPending: IndexBackend["isFirstBuildPending"] = async (namespace) => {
    try {
      const opened = this.#open(namespace);
      if (opened === undefined || opened.snapshots.current().segments.length === 0) return true;
      return opened.catalog.files.hasListed();
    } catch {
      // A damaged index gives no results either.
      return true;
    }
  };

  readonly health: IndexBackend["health"] = async (namespace) => {
    const layout = this.layout(namespace);
    return { isBeingWritten: isLockHeld(layout.writerLock), damage: reportedDamage(layout) };
  };

  readonly isOutdated: IndexBackend["isOutdated"] = async (namespace) =>
    this.#open(namespace)?.catalog.isOutdated === true;

  readonly reportDamage: IndexBackend["reportDamage"] = async (namespace, detail) =>
    reportDamage(this.layout(namespace), detail);

  readonly clearDamage: IndexBackend["clearDamage"] = async (namespace) =>
    clearDamage(this.layout(namespace));

  readonly verify: IndexBackend["verify"] = async (namespace) =>
    faultsOf(this.layout(namespace), this.#storageOf);

  readonly detach: IndexBackend["detach"] = (namespace) => {
    const opened = this.#opened.get(namespace);
    this.#opened.delete(namespace);
    const closeRevisions = this.revisions.detach(namespace);
    if (opened === undefined) return closeRevisions;
    return () => {
      closeRevisions?.();
      closeIndex(opened);
    };
  };

  readonly bases: IndexBases = {
    isNew: (namespace) => !existsSync(this.layout(namespace).catalog),
    open: async (namespace, embedder) => {
      const layoutOf = (other: string): IndexLayout => this.layout(other);
      const layout = indexLayout(this.#basesDirectory, namespace);
      const options = { layout, layoutOf, storageOf: this.#storageOf };
      // Most processes never need it.
      const { EmbeddedBase } = await import("./embedded-base.ts");
      return EmbeddedBase.open(options, embedder);
    },
    fetchOffer: async (namespace, offer, options) => {
      const { fetchIndex } = await import("./fetch-index.ts");
      return fetchIndex(offer, fetchedLayout(this.layout(namespace)), this.#storageOf, options);
    },
    openFetched: async (namespace, embedder) => {
      const layoutOf = (other: string): IndexLayout => this.layout(other);
      const layout = fetchedLayout(this.layout(namespace));
      const { EmbeddedBase } = await import("./embedded-base.ts");
      return EmbeddedBase.open({ layout, layoutOf, storageOf: this.#storageOf }, embedder);
    },
  };

  readonly exports: IndexExports = new EmbeddedExports((namespace) => {
    const catalog = this.#open(namespace)?.catalog;
    return catalog && { catalog, storage: this.#storageOf(this.layout(namespace).segments) };
  });

  readonly revisions = new EmbeddedRevisions({
    folderOf: (namespace) => this.layout(namespace).revisions,
    open: (dataDirectory) =>
      new EmbeddedBackend(dataDirectory, this.#storageOf, this.#dataDirectory),
  });

  readonly remove: IndexBackend["remove"] = async (namespace) =>
    removeIndexFiles(this.#dataDirectory, namespace);

  readonly sweep: IndexBackend["sweep"] = async () => emptyTrash(this.#dataDirectory);

  readonly close = (): void => {
    this.revisions.close();
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
