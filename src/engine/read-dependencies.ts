// The dependencies of an answer besides the index: the files that its query read and the HEAD commits of the
// histories that it used.

import { fstatSync, type Stats } from "node:fs";

import { headCommit } from "../sources/git-history.ts";
import type { GitSource } from "../sources/git.ts";
import type { Source } from "../sources/registry.ts";
import type { OnRead, TrackedSource } from "./files/tracked-source.ts";
import { SourceFolders } from "./files/source-folders.ts";

/** Each file takes some system calls to validate; with more files, caching would not pay. */
const MAX_FILES = 256;
/**
 * A file written so shortly before it was read may be written again within the same tick of the file system's clock,
 * with the same stamp.
 */
const CLOCK_TICK_MS = 50;
/** The same for file systems with times in units of one or two seconds. */
const COARSE_CLOCK_TICK_MS = 2000;

/** Filled while a query runs. */
export class ReadDependencies {
  readonly #wallClock: () => number;
  /** Path -> stamp of the file; "" when it did not exist. */
  readonly #files = new Map<string, string>();
  /** Root folder -> HEAD commit of its repository. */
  readonly #commits = new Map<string, string>();
  #isComplete = true;

  /** `wallClock`: milliseconds since 1970, like the times of files. */
  constructor(wallClock: () => number = Date.now) {
    this.#wallClock = wallClock;
  }

  /** False when the answer must not be cached. */
  get isCacheable(): boolean {
    return this.#isComplete;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    let bytes = 0;
    for (const [path, stamp] of this.#files) bytes += 2 * (path.length + stamp.length) + 100;
    return bytes;
  }

  /** The answer depends on something that cannot be validated: time, a model, the state of a repository. */
  markUncacheable(): void {
    this.#isComplete = false;
    this.#files.clear();
    this.#commits.clear();
  }

  /** Adds a dependency on the current HEAD commit of a source. */
  dependOnHistory(source: GitSource): void {
    const { root } = source;
    const commit = headCommit(source);
    if (commit === undefined || (this.#commits.get(root) ?? commit) !== commit)
      this.markUncacheable();
    else if (this.#isComplete) this.#commits.set(root, commit);
  }

  /** The same sources, with a callback that records each file that is read. */
  track(sources: readonly Source[]): readonly TrackedSource[] {
    return sources.map((source) => ({ ...source, onRead: this.#onRead }));
  }

  /** Whether all dependencies are unchanged. Opens files with the link check: a folder may now be a link out. */
  isValid(sources: readonly Source[]): boolean {
    if (!this.#isComplete) return false;
    for (const [root, commit] of this.#commits) {
      const source = sources.find((one) => one.root === root);
      if (source === undefined || headCommit(source) !== commit) return false;
    }
    const folders = new SourceFolders(sources);
    for (const [path, stamp] of this.#files) {
      const now = folders.withFile(path, (file) => fileStamp(fstatSync(file))) ?? "";
      if (now !== stamp) return false;
    }
    return true;
  }

  readonly #onRead: OnRead = (path, file) => {
    if (!this.#isComplete) return;
    const stats = file === undefined ? undefined : fstatSync(file);
    const stamp = stats === undefined ? "" : fileStamp(stats);
    const known = this.#files.get(path);
    const isOther = known !== undefined && known !== stamp;
    this.#files.set(path, stamp);
    if (isOther || this.#files.size > MAX_FILES || this.#isTooRecent(stats)) this.markUncacheable();
  };

  #isTooRecent(stats: Stats | undefined): boolean {
    if (stats === undefined) return false;
    const tick = stats.mtimeMs % 1000 === 0 ? COARSE_CLOCK_TICK_MS : CLOCK_TICK_MS;
    return Math.abs(this.#wallClock() - stats.mtimeMs) < tick;
  }
}

/** The ctime reveals writes after which the mtime was set back. */
function fileStamp({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
