// What an answer rests on besides the index: the files that were read for it and the commits that were looked at, as
// they were then.

import { fstatSync, type Stats } from "node:fs";

import { headCommit } from "../sources/git-history.ts";
import type { GitSource } from "../sources/git.ts";
import type { Source } from "../sources/registry.ts";
import { SourceFolders } from "./files/source-folders.ts";

/** A source that hears what is read of it. */
export interface TrackedSource extends Source {
  readonly onRead?: OnRead;
}

/** Told of each file, by its path in the namespace; undefined for one that could not be opened. */
type OnRead = (path: string, file: number | undefined) => void;

/** Each takes some system calls to look at again: beyond so many, a repeat would not be worth the look. */
const MAX_FILES = 256;
/**
 * A file that was written so shortly before it was read may be written again within the same tick of the
 * file system's clock, and look the same.
 */
const CLOCK_TICK_MS = 50;
/** The same where times are kept in seconds, or in pairs of them. */
const COARSE_CLOCK_TICK_MS = 2000;

/** Filled while an answer is made. */
export class ReadDependencies {
  readonly #wallClock: () => number;
  /** By path, how the file looked; "" for one that was not there. */
  readonly #files = new Map<string, string>();
  /** By folder, the commit that its repository was at. */
  readonly #commits = new Map<string, string>();
  #isComplete = true;

  /** `wallClock`: milliseconds since 1970, as the times of files are. */
  constructor(wallClock: () => number = Date.now) {
    this.#wallClock = wallClock;
  }

  /** False for an answer that must not be given again. */
  get isCacheable(): boolean {
    return this.#isComplete;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    let bytes = 0;
    for (const [path, stamp] of this.#files) bytes += 2 * (path.length + stamp.length) + 100;
    return bytes;
  }

  /** It rests on something that nobody can look at again: time, a model, the state of a repository. */
  markUncacheable(): void {
    this.#isComplete = false;
    this.#files.clear();
    this.#commits.clear();
  }

  /** It rests on the history that a folder has now. */
  dependOnHistory(source: GitSource): void {
    const { root } = source;
    const commit = headCommit(source);
    if (commit === undefined || (this.#commits.get(root) ?? commit) !== commit)
      this.markUncacheable();
    else if (this.#isComplete) this.#commits.set(root, commit);
  }

  /** The same sources, all that is read of which is heard of. */
  track(sources: readonly Source[]): readonly TrackedSource[] {
    return sources.map((source) => ({ ...source, onRead: this.#onRead }));
  }

  /** Whether all is as it was. Opens the files through the guard: a folder may have become a link that leads out. */
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

/** The time of the inode tells of writes after which the other time was set back. */
function fileStamp({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
