// The indexes of a team in PostgreSQL. Each machine has a copy of the indexes that it uses and answers from it with the
// reader of the embedded index: answers are the same by construction.

import { SvcError } from "../../base/errors.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { Database } from "../../postgres/database.ts";
import { Notifications } from "../../postgres/notifications.ts";
import { EmbeddedBackend } from "../embedded/backend.ts";
import { Catalog, REPLICA_KEY } from "../embedded/catalog/catalog.ts";
import { placeIndex } from "../embedded/copy-index.ts";
import type { IndexLayout } from "../embedded/layout.ts";
import type { IndexExports } from "../index-export.ts";
import { emptyTrash } from "../embedded/remove-index.ts";
import { writtenByAnother } from "../fence.ts";
import type { IndexBackend, IndexVersion, IndexWriter, WriteOptions } from "../port.ts";
import type { ShardableBackend, Shards } from "../shards/port.ts";
import type { FileRow } from "../types.ts";
import { makeRoom, MARK_AGE_MS, markUsed } from "./copy-limit.ts";
import { commitChannel, type SharedHead, type WriteLease } from "./commit-log.ts";
import { Publisher } from "./publisher.ts";
import { Replica } from "./replica.ts";

/** How often a writer tries to take the lease. */
const LEASE_RETRY_MS = 50;

/** A lease of a process that was killed runs out after 15 s. */
const ADOPT_WAIT_MS = 20_000;
/** A reader holds the lock of the copy only while it brings it up to date. */
const MIN_LOCK_WAIT_MS = 2000;

interface PostgresIndexOptions {
  readonly database: Database;
  /** Folder of the copies, of this machine only. */
  readonly cacheDirectory: string;
  /** Bytes of the copies, without those in use; unlimited by default. */
  readonly maxCacheBytes?: number | undefined;
  /** How long a copy counts as the newest without a look at the database, in milliseconds. */
  readonly maxAgeMs?: number;
}

export class PostgresIndex implements ShardableBackend {
  readonly #database: Database;
  readonly #cacheDirectory: string;
  readonly #maxCacheBytes: number;
  readonly #maxAgeMs: number;
  readonly #local: EmbeddedBackend;
  readonly #replicas = new Map<string, Replica>();
  readonly #notifications: Notifications;
  /** Namespace -> when its copy was last brought up to date, in milliseconds of `performance.now`. */
  readonly #checked = new Map<string, number>();
  /** Namespace -> when its copy was last marked as used, in the same milliseconds. */
  readonly #marked = new Map<string, number>();

  constructor({
    database,
    cacheDirectory,
    maxCacheBytes = Infinity,
    maxAgeMs = 0,
  }: PostgresIndexOptions) {
    this.#database = database;
    this.#cacheDirectory = cacheDirectory;
    this.#maxCacheBytes = maxCacheBytes;
    this.#maxAgeMs = maxAgeMs;
    this.#local = new EmbeddedBackend(cacheDirectory);
    this.#notifications = new Notifications(database, commitChannel(database.address.schema));
  }

  readonly reader: IndexBackend["reader"] = async (namespace, options = {}) => {
    await this.#catchUp(namespace, options.atLeast);
    return this.#local.reader(namespace, options);
  };

  readonly shardCount: Shards["shardCount"] = async (namespace) => {
    await this.#catchUp(namespace);
    return this.#local.shardCount(namespace);
  };

  readonly shard: Shards["shard"] = async (namespace, number, options = {}) => {
    await this.#catchUp(namespace, options.atLeast);
    return this.#local.shard(namespace, number, options);
  };

  /** Returns the row of a file in the present copy; undefined if the index does not list it. */
  async fileOf(namespace: AuthorizedNamespace, path: string): Promise<FileRow | undefined> {
    const reader = await this.#local.reader(namespace);
    return reader?.file(path);
  }

  /**
   * Makes the files of a folder, which this moves, the index of a namespace that has none. What an interrupted call has
   * stored already is not sent again. Throws INDEX_UNAVAILABLE, BACKEND_UNAVAILABLE and STORAGE_FULL.
   */
  async adopt(namespace: string, from: IndexLayout): Promise<void> {
    const replica = this.#replica(namespace);
    const lease = await takeLease(replica, ADOPT_WAIT_MS);
    if (lease === undefined) throw writtenByAnother();
    try {
      if (lease.head.generation > 0) throw alreadyThere(namespace);
      replica.remove();
      placeIndex(from, this.#cacheDirectory, namespace);
    } catch (thrown) {
      await replica.log.releaseLease(lease).catch(() => undefined);
      throw thrown;
    }
    await publishAll(replica, lease);
  }

  /** The copies of this machine are embedded indexes. */
  readonly exports: IndexExports = {
    version: async (namespace) => {
      await this.#catchUp(namespace);
      return this.#local.exports.version(namespace);
    },
    list: (namespace) => this.#local.exports.list(namespace),
    part: (namespace, segment, range) => this.#local.exports.part(namespace, segment, range),
  };

  /**
   * Indexes of commits whose repository is on this machine. They are next to the copy of their namespace, and are
   * removed with it.
   */
  get revisions(): NonNullable<IndexBackend["revisions"]> {
    return this.#local.revisions;
  }

  readonly changeLog: IndexBackend["changeLog"] = async (namespace) => {
    await this.#catchUp(namespace);
    return this.#local.changeLog(namespace);
  };

  readonly writer = async (
    namespace: string,
    options: WriteOptions,
  ): Promise<IndexWriter | undefined> => {
    const replica = this.#replica(namespace);
    const lease = await takeLease(replica, options.waitMs);
    if (lease === undefined) return undefined;
    try {
      await replica.catchUp({ isRequired: true });
      const waitMs = Math.max(options.waitMs, MIN_LOCK_WAIT_MS);
      const writer = await this.#local.writerOf(
        namespace,
        { ...options, waitMs },
        (catalog) => new Publisher(replica, lease, catalog),
      );
      if (writer === undefined) throw writtenByAnother();
      return writer;
    } catch (thrown) {
      await replica.log.releaseLease(lease).catch(() => undefined);
      throw thrown;
    }
  };

  readonly watch: IndexBackend["watch"] = (namespace, listener) =>
    this.#notifications.listen((changed) => {
      if (changed !== undefined && changed !== namespace) return;
      this.#checked.delete(namespace);
      listener();
    });

  readonly isFirstBuildPending: IndexBackend["isFirstBuildPending"] = async (namespace) => {
    await this.#catchUp(namespace);
    return this.#local.isFirstBuildPending(namespace);
  };

  readonly health: IndexBackend["health"] = async (namespace) => {
    const head = await this.#replica(namespace).log.head();
    return { isBeingWritten: head?.isBeingWritten === true, damage: head?.damage };
  };

  readonly isOutdated: IndexBackend["isOutdated"] = (namespace) =>
    this.#local.isOutdated(namespace);

  /** A damaged copy is made again from the database. Only damage there outlives that. */
  readonly reportDamage: IndexBackend["reportDamage"] = async (namespace, detail) => {
    const replica = this.#replica(namespace);
    await replica.log.setDamage(detail);
    this.#checked.delete(namespace);
    await replica.removeIfUnused();
  };

  readonly clearDamage: IndexBackend["clearDamage"] = async (namespace) =>
    this.#replica(namespace).log.setDamage(null);

  readonly verify: IndexBackend["verify"] = async (namespace) => {
    await this.#catchUp(namespace);
    return this.#local.verify(namespace);
  };

  readonly detach: IndexBackend["detach"] = (namespace) => this.#local.detach(namespace);

  readonly remove: IndexBackend["remove"] = async (namespace) => {
    const replica = this.#replica(namespace);
    await replica.log.remove();
    replica.remove();
  };

  readonly sweep: IndexBackend["sweep"] = () => this.#local.sweep();

  readonly close = (): void => {
    this.#notifications.close();
    this.#local.close();
  };

  /** Without a connection, queries are answered from the copy, unless it must have a certain version. */
  async #catchUp(namespace: string, atLeast?: IndexVersion): Promise<SharedHead | undefined> {
    const begun = performance.now();
    this.#markUsed(namespace, begun);
    const isFresh = begun - (this.#checked.get(namespace) ?? -Infinity) < this.#maxAgeMs;
    if (isFresh && atLeast === undefined) return undefined;
    const replica = this.#replica(namespace);
    const isNew = !replica.exists;
    try {
      const head = await replica.catchUp({ isRequired: atLeast !== undefined });
      this.#checked.set(namespace, begun);
      if (isNew && replica.exists) await this.#makeRoomFor(namespace);
      return head;
    } catch (thrown) {
      const isUnreachable = thrown instanceof SvcError && thrown.code === "BACKEND_UNAVAILABLE";
      if (!isUnreachable || atLeast !== undefined) throw thrown;
      if (!replica.exists) throw thrown;
      return undefined;
    }
  }

  /** The file of the mark is checked twice a minute, and not for each question. */
  #markUsed(namespace: string, now: number): void {
    if (now - (this.#marked.get(namespace) ?? -Infinity) < MARK_AGE_MS / 2) return;
    this.#marked.set(namespace, now);
    markUsed(this.#cacheDirectory, namespace);
  }

  /** Removes copies that nobody uses, after a new one was made. */
  async #makeRoomFor(namespace: string): Promise<void> {
    markUsed(this.#cacheDirectory, namespace);
    if (this.#maxCacheBytes === Infinity) return;
    await makeRoom(this.#cacheDirectory, this.#maxCacheBytes, async (unused) => {
      if (!(await this.#replica(unused).removeIfUnused())) return false;
      // Open files would keep their space on the disk. No call of this process uses them.
      this.#local.detach(unused)?.();
      return true;
    });
    emptyTrash(this.#cacheDirectory);
  }

  #replica(namespace: string): Replica {
    let replica = this.#replicas.get(namespace);
    if (replica === undefined) {
      replica = new Replica(this.#database, this.#cacheDirectory, namespace);
      this.#replicas.set(namespace, replica);
    }
    return replica;
  }
}

/** Publishes a copy that the database does not have, as it is. */
async function publishAll(replica: Replica, lease: WriteLease): Promise<void> {
  const { layout } = replica;
  const release = takeExclusiveLock(layout.writerLock, 0);
  const catalog = Catalog.openToWrite(layout.catalog);
  const publisher = new Publisher(replica, lease, catalog);
  try {
    if (release === undefined) throw writtenByAnother();
    const segmentFiles = catalog.segments.all().flatMap(({ name, isRow }) => (isRow ? [] : [name]));
    await catalog.changeConfirmed(() => catalog.setMeta(REPLICA_KEY, publisher.nextMark()), {
      needsChanges: true,
      confirm: (changes) => publisher.publish({ changes, segmentFiles }),
    });
  } finally {
    catalog.close();
    await publisher.end();
    release?.();
  }
}

function alreadyThere(namespace: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The database already has an index of "${namespace}".`, {
    hint: `Run \`svc namespaces remove ${namespace}\` there first.`,
  });
}

async function takeLease(replica: Replica, waitMs: number): Promise<WriteLease | undefined> {
  const end = performance.now() + waitMs;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    const lease = await replica.log.takeLease();
    if (lease !== undefined || performance.now() >= end) return lease;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((done) => setTimeout(done, LEASE_RETRY_MS));
  }
}
