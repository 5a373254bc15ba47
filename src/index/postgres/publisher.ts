import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { oneAtATime } from "../../base/one-at-a-time.ts";
import { Catalog, REPLICA_KEY } from "../embedded/catalog/catalog.ts";
import type { Publication, PublishedChange } from "../embedded/writer.ts";
import { LEASE_MS, type WriteLease } from "./commit-log.ts";
import type { Replica } from "./replica.ts";
import { markOf } from "./replica-mark.ts";

/** A new base is made when a new copy would have to apply more than this. */
const MAX_COMMITS_AFTER_BASE = 64;
const MAX_BYTES_AFTER_BASE = 8 << 20;

/** Publishes the transactions of one writer in the database, and the files that they name. */
export class Publisher implements Publication {
  readonly #replica: Replica;
  readonly #lease: WriteLease;
  /** Generation and id of the last transaction. */
  #generation: number;
  #commit: string | undefined;
  /** Id of the next one. */
  #next = randomUUID();
  /** Segments that the database has and uses. */
  #known: ReadonlySet<string>;
  /** True until the first transaction of an index that begins, or begins again: it needs a base. */
  #isNew: boolean;
  readonly #renewing: NodeJS.Timeout;

  /** `catalog`: the one of the writer. */
  constructor(replica: Replica, lease: WriteLease, catalog: Catalog) {
    const { epoch, generation, commit } = lease.head;
    this.#replica = replica;
    this.#lease = lease;
    this.#generation = generation;
    this.#commit = commit;
    this.#isNew = catalog.meta(REPLICA_KEY) !== markOf({ epoch, generation, commit });
    const segments = catalog.segments.all();
    this.#known = new Set(segments.flatMap(({ name, isRow }) => (isRow ? [] : [name])));
    // A failure to renew the lease shows with the next commit. While the standby is away, each renewal waits for it, with
    // a connection of its own.
    const renew = oneAtATime(() => replica.log.renewLease(lease).catch(() => undefined));
    this.#renewing = setInterval(renew, LEASE_MS / 3).unref();
  }

  get isNew(): boolean {
    return this.#isNew;
  }

  readonly nextMark = (): string =>
    markOf({
      epoch: this.#lease.head.epoch,
      generation: this.#generation + 1,
      commit: this.#next,
    });

  readonly publish = async ({ changes, segmentFiles }: PublishedChange): Promise<void> => {
    const base = this.#isNew ? await this.#putBase() : undefined;
    const live = new Set(segmentFiles);
    const added = segmentFiles.filter((name) => this.#isNew || !this.#known.has(name));
    const { segments } = this.#replica.layout;
    // Before the commit: an object that no commit names does no harm.
    for (const name of added) {
      // oxlint-disable-next-line no-await-in-loop -- each fills the connection
      await this.#replica.objects.put(name, join(segments, name));
    }
    this.#generation = await this.#replica.log.append(this.#lease, {
      id: this.#next,
      follows: this.#commit,
      after: this.#generation,
      changes: Buffer.from(changes.buffer, changes.byteOffset, changes.byteLength),
      added,
      dropped: [...this.#known].filter((name) => !live.has(name)),
      base,
    });
    this.#commit = this.#next;
    this.#next = randomUUID();
    this.#known = live;
    this.#isNew = false;
  };

  readonly end = async (): Promise<void> => {
    clearInterval(this.#renewing);
    // Without a connection it runs out by itself.
    await this.#replica.log.releaseLease(this.#lease).catch(() => undefined);
  };

  /** Makes a new base if there are many commits since the last one. */
  readonly collect = async (): Promise<void> => {
    if (this.#isNew) return;
    const { log, objects } = this.#replica;
    const { commits, bytes } = await log.backlog();
    if (commits <= MAX_COMMITS_AFTER_BASE && bytes <= MAX_BYTES_AFTER_BASE) return;
    const generation = this.#generation;
    await log.setBase(this.#lease, { name: await this.#putBase(), generation });
    await objects.collect(generation);
  };

  /** Stores an image of the committed state of the catalogue, and returns its name. */
  async #putBase(): Promise<string> {
    const { layout, objects } = this.#replica;
    const name = `base-${this.#generation}-${randomBytes(4).toString("hex")}`;
    const path = join(layout.directory, `${name}.tmp`);
    try {
      // Another connection: the writer's has changes that are not committed yet.
      const catalog = Catalog.openToRead(layout.catalog);
      catalog?.copyTo(path);
      catalog?.close();
      await objects.put(name, path);
      return name;
    } finally {
      rmSync(path, { force: true });
    }
  }
}
