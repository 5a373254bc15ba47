// Indexes of commits in files, in the folder of the index of their namespace:
//
//   revisions/<id>/        an index, complete
//   revisions/making-…/    one that a process is making
//   revisions/lock         locked meanwhile

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { SvcError } from "../../base/errors.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { createPrivateDirectory, replaceFile } from "../../base/files.ts";
import type { IndexBackend } from "../port.ts";
import type { RevisionBuild, RevisionIndexes } from "../revision-indexes.ts";
import { CATALOG_VERSION } from "./catalog/catalog-schema.ts";

/** Number of revisions that are kept for a namespace. Most of their segments are links to those of the namespace. */
const MAX_REVISIONS = 8;
const MAKING = "making-";
const LOCK = "lock";
const ATTEMPT_EVERY_MS = 50;

interface RevisionsOptions {
  /** Returns the folder of the revisions of a namespace. */
  readonly folderOf: (namespace: string) => string;
  /** Opens the data directory of a revision. */
  readonly open: (dataDirectory: string) => IndexBackend;
}

export class EmbeddedRevisions implements RevisionIndexes<IndexBackend> {
  readonly #options: RevisionsOptions;
  /** By namespace and folder. */
  readonly #opened = new Map<string, Map<string, IndexBackend>>();

  constructor(options: RevisionsOptions) {
    this.#options = options;
  }

  readonly find: RevisionIndexes<IndexBackend>["find"] = (namespace, id) => {
    const folder = this.#folderOf(namespace, id);
    const opened = this.#opened.get(namespace) ?? new Map<string, IndexBackend>();
    if (!existsSync(folder)) {
      opened.get(folder)?.close();
      opened.delete(folder);
      return undefined;
    }
    noteUse(folder);
    const index = opened.get(folder) ?? this.#options.open(folder);
    opened.set(folder, index);
    this.#opened.set(namespace, opened);
    return index;
  };

  readonly make: RevisionIndexes<IndexBackend>["make"] = async (
    namespace,
    id,
    { build, signal },
  ) => {
    const all = this.#options.folderOf(namespace);
    createPrivateDirectory(all);
    const lock = join(all, LOCK);
    const release = await takeLock(lock, signal);
    const inode = inodeOf(lock);
    try {
      const made = this.find(namespace, id);
      if (made !== undefined) return made;
      // Processes that were killed have begun them.
      remove(
        all,
        foldersIn(all).filter((name) => name.startsWith(MAKING)),
      );
      await this.#build(all, this.#folderOf(namespace, id), build);
      const index = this.find(namespace, id);
      if (index === undefined) throw new Error(`revision ${id} has disappeared`);
      remove(all, byLastUse(all).slice(MAX_REVISIONS));
      return index;
    } catch (thrown) {
      // The folder of the namespace was removed, or another copy has its place.
      throw inodeOf(lock) === inode ? thrown : replacedMeanwhile(thrown);
    } finally {
      release();
    }
  };

  readonly discard: RevisionIndexes<IndexBackend>["discard"] = (namespace, id) => {
    const folder = this.#folderOf(namespace, id);
    const opened = this.#opened.get(namespace);
    opened?.get(folder)?.close();
    opened?.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  };

  /** Gives up the open indexes of a namespace; returns what closes them, if there are any. */
  detach(namespace: string): (() => void) | undefined {
    const opened = this.#opened.get(namespace);
    this.#opened.delete(namespace);
    return opened && ((): void => opened.forEach((index) => index.close()));
  }

  close(): void {
    for (const namespace of this.#opened.keys()) this.detach(namespace)?.();
  }

  /** Another version of the format has other folders. */
  #folderOf(namespace: string, id: string): string {
    return join(this.#options.folderOf(namespace), `${id}-${CATALOG_VERSION}`);
  }

  async #build(
    all: string,
    folder: string,
    build: RevisionBuild<IndexBackend>["build"],
  ): Promise<void> {
    const making = mkdtempSync(join(all, MAKING));
    try {
      const files = join(making, "files");
      mkdirSync(files, { mode: 0o700 });
      const index = this.#options.open(making);
      try {
        await build({ index, files });
      } finally {
        index.close();
      }
      rmSync(files, { recursive: true, force: true });
      replaceFile(making, folder);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function replacedMeanwhile(cause: unknown): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "The index was removed or replaced meanwhile.", {
    hint: "Ask again.",
    cause,
  });
}

/** Records that a revision was used: the most recently used ones are kept. */
function noteUse(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // In a data directory that this process may only read, nothing is removed either.
  }
}

async function takeLock(path: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    const release = takeExclusiveLock(path, 0);
    if (release !== undefined) return release;
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    await sleep(ATTEMPT_EVERY_MS, undefined, { signal });
  }
}

/** The newest first. */
function byLastUse(all: string): readonly string[] {
  return foldersIn(all)
    .map((name) => ({ name, usedMs: statSync(join(all, name)).mtimeMs }))
    .toSorted((one, other) => other.usedMs - one.usedMs)
    .map(({ name }) => name);
}

function foldersIn(all: string): readonly string[] {
  return readdirSync(all, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function remove(all: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(all, name), { recursive: true, force: true });
}
