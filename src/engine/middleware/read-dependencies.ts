// The dependencies of an answer besides the index: the files that its query read and the HEAD commits of the
// histories that it used.

import { headCommit } from "../../sources/git-history.ts";
import type { GitSource } from "../../sources/git.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { TextReader, TextResult } from "../../sources/text/port.ts";

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

  /** What another thread must know to add the same files; undefined when the answer must not be cached. */
  get files(): ReadonlyMap<string, string> | undefined {
    return this.#isComplete ? this.#files : undefined;
  }

  /** Adds the `files` of a query that ran in another thread. */
  addFiles(files: ReadonlyMap<string, string> | undefined): void {
    if (files === undefined) this.markUncacheable();
    else for (const [path, stamp] of files) this.#addStamp(path, stamp);
  }

  /** Adds a dependency on the current HEAD commit of a source. */
  dependOnHistory(source: GitSource): void {
    const { root } = source;
    const commit = headCommit(source);
    if (commit === undefined || (this.#commits.get(root) ?? commit) !== commit)
      this.markUncacheable();
    else if (this.#isComplete) this.#commits.set(root, commit);
  }

  /** Returns a reader of the same texts that adds a dependency on each file that is read. */
  track(texts: TextReader): TextReader {
    return {
      ...texts,
      read: async (path, known) => this.#added(path, await texts.read(path, known)),
      prefetch: async (paths) => {
        const readNow = await texts.prefetch(paths);
        return (path) => this.#added(path, readNow(path));
      },
    };
  }

  /** Whether all dependencies are unchanged. `texts` must be newly opened: a folder may now be a link out. */
  async isValid(sources: readonly Source[], texts: TextReader): Promise<boolean> {
    if (!this.#isComplete) return false;
    for (const [root, commit] of this.#commits) {
      const source = sources.find((one) => one.root === root);
      if (source === undefined || headCommit(source) !== commit) return false;
    }
    for (const [path, stamp] of this.#files) {
      // oxlint-disable-next-line no-await-in-loop -- the first change decides
      if ((await texts.stampOf(path)) !== stamp) return false;
    }
    return true;
  }

  #added(path: string, result: TextResult): TextResult {
    this.#addStamp(path, result.stamp);
    if (!("problem" in result) && this.#isTooRecent(result.mtimeMs)) this.markUncacheable();
    return result;
  }

  #addStamp(path: string, stamp: string): void {
    if (!this.#isComplete) return;
    const known = this.#files.get(path);
    this.#files.set(path, stamp);
    const isOther = known !== undefined && known !== stamp;
    if (isOther || this.#files.size > MAX_FILES) this.markUncacheable();
  }

  #isTooRecent(mtimeMs: number): boolean {
    const tick = mtimeMs % 1000 === 0 ? COARSE_CLOCK_TICK_MS : CLOCK_TICK_MS;
    return Math.abs(this.#wallClock() - mtimeMs) < tick;
  }
}
