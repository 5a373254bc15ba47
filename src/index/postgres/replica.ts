// The copy of one index on this machine. Queries read it; commits of any node arrive in it.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { replaceFile, whileInUse } from "../../base/files.ts";
import type { Database } from "../../postgres/database.ts";
import { IndexDamage } from "../damage.ts";
import { Catalog } from "../embedded/catalog/catalog.ts";
import { collectSegments } from "../embedded/collector.ts";
import { indexLayout, type IndexLayout } from "../embedded/layout.ts";
import { removeIndexFiles } from "../embedded/remove-index.ts";
import { diskStorage } from "../embedded/storage/storage-disk.ts";
import { copyPosition } from "./copy-position.ts";
import { CommitLog, type SharedCommit, type SharedHead } from "./commit-log.ts";
import { ObjectStore } from "./object-store.ts";
import { markOf } from "./replica-mark.ts";

/** How long a caller waits for another process that brings the same copy up to date, if it needs that. */
const MAX_LOCK_WAIT_MS = 5000;
const LOCK_RETRY_MS = 20;

/** The copy of the index of one namespace. */
export class Replica {
  readonly log: CommitLog;
  readonly objects: ObjectStore;
  readonly layout: IndexLayout;
  readonly #cacheDirectory: string;
  /** Where a new copy is made. */
  readonly #draft: IndexLayout;
  /** The end of the last catch-up that was begun: they run one after the other. */
  #lastCatchUp: Promise<unknown> = Promise.resolve();

  constructor(database: Database, cacheDirectory: string, namespace: string) {
    this.log = new CommitLog(database, namespace);
    this.objects = new ObjectStore(database, namespace);
    this.layout = indexLayout(cacheDirectory, namespace);
    this.#cacheDirectory = cacheDirectory;
    this.#draft = indexLayout(join(cacheDirectory, "hydrating"), namespace);
  }

  /** Whether there is a copy, old or new. */
  get exists(): boolean {
    return existsSync(this.layout.catalog);
  }

  /**
   * Brings the copy to the newest generation. While another process does that, or a writer of this machine has it open,
   * the copy stays as it is, unless `isRequired`: then the call waits for that. Returns the state in the database;
   * undefined if there is no index. Throws BACKEND_UNAVAILABLE and INDEX_UNAVAILABLE.
   */
  catchUp({ isRequired = false } = {}): Promise<SharedHead | undefined> {
    const caught = this.#lastCatchUp.then(() => this.#catchUp(isRequired));
    this.#lastCatchUp = caught.catch(() => undefined);
    return caught;
  }

  async #catchUp(isRequired: boolean): Promise<SharedHead | undefined> {
    const end = performance.now() + (isRequired ? MAX_LOCK_WAIT_MS : 0);
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const head = await this.log.head();
      // oxlint-disable-next-line no-await-in-loop -- as above
      const isDone = await this.#bringTo(head);
      if (isDone || performance.now() >= end) return head;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise((done) => setTimeout(done, LOCK_RETRY_MS));
    }
  }

  /** Returns false if the copy is in use. */
  async #bringTo(head: SharedHead | undefined): Promise<boolean> {
    if (isIndex(head) ? this.#isAt(head) : !this.exists) return true;
    // Until the lock was there, another process could bring the copy past `head`.
    return this.#locked(async () => {
      const latest = await this.log.head();
      if (isIndex(latest)) return this.#isAt(latest) || this.#update(latest);
      this.remove();
      return true;
    });
  }

  /** Removes the copy, unless a writer has it open. Open readers keep what they read. Returns whether it did. */
  removeIfUnused(): Promise<boolean> {
    return this.#locked(async () => {
      this.remove();
      return true;
    });
  }

  /** Returns false if another process makes the copy. */
  async #update(head: SharedHead): Promise<boolean> {
    const known = copyPosition(this.#cacheDirectory, this.log.namespace);
    const isSameEpoch = known?.epoch === head.epoch && known.generation <= head.generation;
    const commits = isSameEpoch ? await this.log.after(known.generation) : [];
    const isContinued =
      isSameEpoch &&
      commits[0]?.generation === known.generation + 1 &&
      commits[0].follows === known.commit &&
      !commits.some(({ resets }) => resets);
    if (!isContinued) return this.#hydrate(head);
    try {
      await this.#apply(this.layout, head.epoch, commits);
      return true;
    } catch (thrown) {
      // The copy is not what it should be. The database has a good one.
      if (!(thrown instanceof IndexDamage)) throw thrown;
      return this.#hydrate(head);
    }
  }

  /** Removes the copy, and one that was begun. Open readers keep what they read. */
  remove(): void {
    removeIndexFiles(this.#cacheDirectory, this.log.namespace);
    removeFolder(this.#draft.directory);
  }

  /** Whether the copy shows this state. */
  #isAt(head: SharedHead): boolean {
    const known = copyPosition(this.#cacheDirectory, this.log.namespace);
    return known !== undefined && markOf(known) === markOf(head);
  }

  /** Returns false without the work if another process, or a writer, holds the lock of the copy. */
  #locked(work: () => Promise<boolean>): Promise<boolean> {
    return whileLocked(this.layout, work);
  }

  /**
   * Makes a new copy from the base, and puts it in the place of this one. What an interrupted call has got is not got again.
   * Returns false if another process does that.
   */
  #hydrate(head: SharedHead): Promise<boolean> {
    const { base } = head;
    if (base === undefined) throw new IndexDamage("The shared backend has no base.");
    return whileLocked(this.#draft, async () => {
      try {
        await this.#fetchDraft(base, head.epoch);
      } catch (thrown) {
        const isUnreachable = thrown instanceof SvcError && thrown.code === "BACKEND_UNAVAILABLE";
        if (!isUnreachable) removeFolder(this.#draft.directory);
        throw thrown;
      }
      removeIndexFiles(this.#cacheDirectory, this.log.namespace);
      mkdirSync(dirname(this.layout.directory), { recursive: true, mode: 0o700 });
      whileInUse(() => renameSync(this.#draft.directory, this.layout.directory));
      return true;
    });
  }

  async #fetchDraft(
    base: { readonly name: string; readonly generation: number },
    epoch: string,
  ): Promise<void> {
    const draft = this.#draft;
    mkdirSync(draft.segments, { recursive: true, mode: 0o700 });
    removeCatalog(draft);
    await this.objects.get(base.name, draft.catalog);
    await this.#removeDamagedSegments(draft);
    await this.#fetchSegments(draft, segmentFilesOf(draft));
    await this.#apply(draft, epoch, await this.log.after(base.generation));
  }

  /** A segment that an interrupted call has got may be cut off, if the power failed, or no longer be in use. */
  async #removeDamagedSegments({ segments }: IndexLayout): Promise<void> {
    for (const name of readdirSync(segments)) {
      const path = join(segments, name);
      // oxlint-disable-next-line no-await-in-loop -- each reads a file
      if (!(await this.objects.isCopy(name, path))) rmSync(path);
    }
  }

  /** Applies commits, which continue what the copy shows, in one transaction. */
  async #apply(
    layout: IndexLayout,
    epoch: string,
    commits: readonly SharedCommit[],
  ): Promise<void> {
    const last = commits.at(-1);
    if (last === undefined) return;
    const dropped = new Set(commits.flatMap((commit) => commit.dropped));
    const added = commits.flatMap((commit) => commit.added).filter((name) => !dropped.has(name));
    // Before the changes that name them.
    await this.#fetchSegments(layout, added);
    const catalog = Catalog.openToWrite(layout.catalog, { isReplica: true });
    try {
      const mark = markOf({ epoch, generation: last.generation, commit: last.id });
      catalog.applyChanges(
        commits.map(({ changes }) => changes),
        mark,
      );
      collectSegments(catalog, diskStorage(layout.segments));
    } finally {
      catalog.close();
    }
  }

  async #fetchSegments({ segments }: IndexLayout, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = join(segments, name);
      if (existsSync(path)) continue;
      const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
      try {
        // oxlint-disable-next-line no-await-in-loop -- each fills the connection
        await this.objects.get(name, temporary);
        replaceFile(temporary, path);
      } finally {
        rmSync(temporary, { force: true });
      }
    }
  }
}

/** Whether something was ever committed. */
function isIndex(head: SharedHead | undefined): head is SharedHead {
  return head !== undefined && head.generation > 0;
}

/** Returns false without the work if another process, or a writer, holds the lock of the index. */
async function whileLocked(
  { directory, writerLock }: IndexLayout,
  work: () => Promise<boolean>,
): Promise<boolean> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const release = takeExclusiveLock(writerLock, 0);
  if (release === undefined) return false;
  try {
    return await work();
  } finally {
    release();
  }
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** Removes everything but the segments and the lock, which is held: a new catalogue must not meet an older journal. */
function removeCatalog({ directory, segments, writerLock }: IndexLayout): void {
  const kept = new Set([segments, writerLock].map((path) => basename(path)));
  for (const name of readdirSync(directory)) {
    if (!kept.has(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function segmentFilesOf({ catalog: path }: IndexLayout): readonly string[] {
  const catalog = Catalog.openToRead(path);
  if (catalog === undefined) throw new IndexDamage("The base of the index has another format.");
  try {
    return catalog.segments.all().flatMap(({ name, isRow }) => (isRow ? [] : [name]));
  } finally {
    catalog.close();
  }
}
