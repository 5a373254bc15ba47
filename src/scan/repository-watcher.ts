import { hash } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";

import { toFilePath } from "../base/path-bytes.ts";
import { trackedPaths, type Repository } from "../sources/git.ts";
import { watchFolder, type FolderWatcher } from "./folder-watcher.ts";

interface Watched {
  readonly repository: Repository;
  readonly watches: readonly (FolderWatcher | undefined)[];
  /** Hash of the paths that git tracks. */
  fingerprint: string;
  hasIndexChanged: boolean;
}

/** A lock older than this was left by a git process that died, or belongs to a long-running one. */
const MAX_LOCK_AGE_MS = 10_000;

/** Watches the files of git that affect a walk: its index, which lists the tracked files, and `info/exclude`. */
export class RepositoryWatcher {
  readonly #onEvent: () => void;
  readonly #watched = new Map<string, Watched>();
  #haveRulesChanged = false;

  constructor(onEvent: () => void) {
    this.#onEvent = onEvent;
  }

  /** Watches a repository, unless it is watched already. Throws WatchLimitError. */
  add(repository: Repository): void {
    const { gitDirectory, commonDirectory } = repository;
    if (this.#watched.has(gitDirectory)) return;
    const watched: Watched = {
      repository,
      watches: [
        watchFolder(gitDirectory, (name) => {
          if (name !== undefined && name !== "index") return;
          watched.hasIndexChanged = true;
          this.#onEvent();
        }),
        watchFolder(join(commonDirectory, "info"), (name) => {
          if (name !== undefined && name !== "exclude") return;
          this.#haveRulesChanged = true;
          this.#onEvent();
        }),
      ],
      fingerprint: "",
      hasIndexChanged: false,
    };
    this.#watched.set(gitDirectory, watched);
    watched.fingerprint = trackedFingerprint(repository);
  }

  /** Whether a git process is changing a work tree now. Its changes are handled as one. */
  isBusy(): boolean {
    return [...this.#watched.values()].some(({ repository }) => {
      const lock = statOf(join(repository.gitDirectory, "index.lock"));
      return lock !== undefined && Math.abs(Date.now() - lock.mtimeMs) < MAX_LOCK_AGE_MS;
    });
  }

  /**
   * Whether the set of tracked files or the exclude rules have changed since the last call. Tracked files are
   * indexed whatever the rules say.
   */
  haveRulesChanged(): boolean {
    let hasChanged = this.#haveRulesChanged;
    this.#haveRulesChanged = false;
    for (const watched of this.#watched.values()) {
      if (!watched.hasIndexChanged) continue;
      watched.hasIndexChanged = false;
      const fingerprint = trackedFingerprint(watched.repository);
      if (fingerprint !== watched.fingerprint) hasChanged = true;
      watched.fingerprint = fingerprint;
    }
    return hasChanged;
  }

  close(): void {
    for (const { watches } of this.#watched.values()) {
      for (const watch of watches) watch?.close();
    }
    this.#watched.clear();
  }
}

function trackedFingerprint(repository: Repository): string {
  const paths = trackedPaths(repository);
  return paths === undefined ? "" : hash("sha1", [...paths].join("\0"));
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(toFilePath(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
