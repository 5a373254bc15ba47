// What an answer rests on besides the index: the files that were read for it and the commits that were looked at, as
// they were then.

import { fstatSync, type Stats } from "node:fs";

import { commitNow } from "../sources/git-history.ts";
import type { Source } from "../sources/registry.ts";
import { SourceFolders } from "./files/source-folders.ts";

/** A source that hears what is read of it. */
export interface HeardSource extends Source {
  readonly hear?: Hear;
}

/** Told of each file, by its path in the namespace; undefined for one that could not be opened. */
type Hear = (path: string, file: number | undefined) => void;

/** Each takes some system calls to look at again: beyond so many, a repeat would not be worth the look. */
const MOST_FILES = 256;
/**
 * A file that was written so shortly before it was read may be written again within the same tick of the
 * file system's clock, and look the same.
 */
const TICK_MS = 50;
/** The same where times are kept in seconds, or in pairs of them. */
const COARSE_TICK_MS = 2000;

/** Filled while an answer is made. */
export class Grounds {
  readonly #wallClock: () => number;
  /** By path, how the file looked; "" for one that was not there. */
  readonly #files = new Map<string, string>();
  /** By folder, the commit that its repository was at. */
  readonly #commits = new Map<string, string>();
  #isFirm = true;

  /** `wallClock`: milliseconds since 1970, as the times of files are. */
  constructor(wallClock: () => number = Date.now) {
    this.#wallClock = wallClock;
  }

  /** False for an answer that must not be given again. */
  get isFirm(): boolean {
    return this.#isFirm;
  }

  /** About what it takes in memory. */
  get bytes(): number {
    let bytes = 0;
    for (const [path, look] of this.#files) bytes += 2 * (path.length + look.length) + 100;
    return bytes;
  }

  /** It rests on something that nobody can look at again: time, a model, the state of a repository. */
  shake(): void {
    this.#isFirm = false;
    this.#files.clear();
    this.#commits.clear();
  }

  /** It rests on the history that a folder has now. */
  restOnHistory(root: string): void {
    const commit = commitNow(root);
    if (commit === undefined || (this.#commits.get(root) ?? commit) !== commit) this.shake();
    else if (this.#isFirm) this.#commits.set(root, commit);
  }

  /** The same sources, all that is read of which is heard of. */
  over(sources: readonly Source[]): readonly HeardSource[] {
    return sources.map((source) => ({ ...source, hear: this.#hear }));
  }

  /** Whether all is as it was. Opens the files through the guard: a folder may have become a link that leads out. */
  stillHold(sources: readonly Source[]): boolean {
    if (!this.#isFirm) return false;
    for (const [root, commit] of this.#commits) if (commitNow(root) !== commit) return false;
    const folders = new SourceFolders(sources);
    for (const [path, look] of this.#files) {
      const now = folders.withFile(path, (file) => lookOf(fstatSync(file))) ?? "";
      if (now !== look) return false;
    }
    return true;
  }

  readonly #hear: Hear = (path, file) => {
    if (!this.#isFirm) return;
    const stats = file === undefined ? undefined : fstatSync(file);
    const look = stats === undefined ? "" : lookOf(stats);
    const known = this.#files.get(path);
    const isOther = known !== undefined && known !== look;
    this.#files.set(path, look);
    if (isOther || this.#files.size > MOST_FILES || this.#isHot(stats)) this.shake();
  };

  #isHot(stats: Stats | undefined): boolean {
    if (stats === undefined) return false;
    const tick = stats.mtimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
    return Math.abs(this.#wallClock() - stats.mtimeMs) < tick;
  }
}

/** The time of the inode tells of writes after which the other time was set back. */
function lookOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
