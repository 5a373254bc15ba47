// Keeps the list of names that commits removed up to date: reads all commits at first, newest first, and later only new
// ones.

import { setTimeout as delay } from "node:timers/promises";

import { shortHash } from "../../base/short-hash.ts";
import { Yielder } from "../../base/yielder.ts";
import type { OpenCommitStorage } from "../../index/commits/port.ts";
import {
  loadRemovals,
  newestRemovals,
  NO_REMOVALS,
  saveRemovals,
  type CommitRemovals,
  type Removal,
  type Removals,
} from "../../index/commits/removal-store.ts";
import { listCommits, listMissingCommits, readPatches } from "../../sources/commit-patches.ts";
import { shallowProblem, type SourceHistory } from "../../sources/open-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import { withGit, type Git } from "../../sources/run-git.ts";
import type { CommitProgress } from "../api/why.ts";
import { removedIn } from "./removed-names.ts";

/** Older commits are not read. */
const MAX_COMMITS = 100_000;
/** Commits of one call of git. */
const BATCH_COMMITS = 200;
/** Number of commits after which the results so far are stored. */
const STORED_COMMITS = 5000;
const BATCH_LIMITS = { timeoutMs: 120_000, maxBytes: 24 << 20 };
const LIST_TIMEOUT_MS = 60_000;
/** More names than one call reads of a program of any size; further ones are left out. */
const MAX_NAMES = 1_000_000;
/** How long to wait for another process that reads the commits: mostly it reads few. */
const LOCK_WAIT_MS = 5000;
const LOCK_POLL_MS = 100;

export interface RemovalOptions {
  readonly signal: AbortSignal;
  /** How long to read commits. The next call continues. */
  readonly maxMs: number;
  /** With more new commits, or other ones missing, nothing is read. */
  readonly maxNew?: number | undefined;
  /** Gives other work its turn. */
  readonly yielder?: Yielder | undefined;
  readonly onProgress?: ((progress: CommitProgress) => void) | undefined;
}

/** What was removed, and why something may be missing, as a sentence. */
export interface ReadRemovals {
  readonly byKey: ReadonlyMap<string, Removal>;
  readonly problem: string | undefined;
}

/**
 * Returns what the commits of a source removed. Reads those that have not been read yet; without the lock of the one
 * process that does, it returns what is stored. Throws TIMEOUT.
 */
export async function readRemovals(
  open: OpenCommitStorage,
  { namespace, source, history }: RemovalPlace,
  options: RemovalOptions,
): Promise<ReadRemovals> {
  const place = shortHash(JSON.stringify(["removals", source.root, source.identity ?? ""]));
  const { storage, lock } = open(namespace, place);
  const waitMs = Math.min(LOCK_WAIT_MS, options.maxMs);
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const known = loadRemovals(storage);
    if (known.head === history.head && known.isWhole)
      return { byKey: newestRemovals(known), problem: shallowProblem(history) };
    const release = lock();
    if (release !== undefined) {
      const run = new RemovalRun(known, history, options);
      return run.update((removals) => saveRemovals(storage, removals)).finally(release);
    }
    if (waited >= waitMs) {
      const problem = "Another svc is reading the commits; ask again in a minute.";
      return { byKey: newestRemovals(known), problem };
    }
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    await delay(LOCK_POLL_MS);
  }
}

/** The history of a source of a namespace. */
export interface RemovalPlace {
  readonly namespace: string;
  readonly source: Source;
  readonly history: SourceHistory;
}

class RemovalRun {
  readonly #known: Removals;
  readonly #history: SourceHistory;
  readonly #options: RemovalOptions;
  readonly #yielder: Yielder;
  readonly #endsAt: number;
  #read = 0;
  #names = 0;
  #total = 0;

  constructor(known: Removals, history: SourceHistory, options: RemovalOptions) {
    this.#known = known;
    this.#history = history;
    this.#options = options;
    this.#yielder = options.yielder ?? new Yielder();
    this.#endsAt = performance.now() + options.maxMs;
  }

  update(save: (removals: Removals) => void): Promise<ReadRemovals> {
    return withGit(this.#history.repository, async (git) => {
      const current = (await this.#withNew(git)) ?? (await this.#withOlder(git, save));
      if (current.isWhole) save(current);
      return { byKey: newestRemovals(current), problem: this.#problem(current) };
    });
  }

  /**
   * What is known, with the commits that are new in the history, and without those that are no longer in it. Undefined if not
   * all older ones are known.
   */
  async #withNew(git: Git): Promise<Removals | undefined> {
    const { head, below } = this.#history;
    const { head: old, commits, read, isWhole } = this.#known;
    if (!isWhole || old === head) return undefined;
    const max = this.#options.maxNew ?? MAX_COMMITS;
    const limits = this.#listLimits();
    const ids = await listMissingCommits(git, { head, old, below, max }, limits);
    const gone = await listMissingCommits(git, { head: old, old: head, below, max }, limits);
    if (ids === undefined || gone === undefined) return undefined;
    this.#total = ids.length;
    const fresh: CommitRemovals[] = [];
    await this.#addTo(fresh, git, ids);
    // Some of the new commits would hide that others are missing.
    if (this.#read < ids.length) return { head: old, read, isWhole: false, commits };
    const left = new Set(gone);
    return {
      head,
      read: read + ids.length - gone.length,
      isWhole: true,
      commits: [...fresh, ...commits.filter(([id]) => !left.has(id))],
    };
  }

  /** What is known of this head, with older commits. */
  async #withOlder(git: Git, save: (removals: Removals) => void): Promise<Removals> {
    const { head, below } = this.#history;
    if (this.#options.maxNew !== undefined) return { ...this.#known, isWhole: false };
    const known = this.#known.head === head ? this.#known : NO_REMOVALS;
    const { ids } = await listCommits(git, { head, below, max: MAX_COMMITS }, this.#listLimits());
    const commits = [...known.commits];
    [this.#read, this.#total] = [known.read, ids.length];
    for (let at = known.read; at < ids.length && !this.#isLate; at += STORED_COMMITS) {
      // oxlint-disable-next-line no-await-in-loop -- part after part
      await this.#addTo(commits, git, ids.slice(at, at + STORED_COMMITS));
      if (this.#read < ids.length) save({ head, read: this.#read, isWhole: false, commits });
    }
    return { head, read: this.#read, isWhole: this.#read >= ids.length, commits };
  }

  /** Reads commits, the newest first. */
  async #addTo(list: CommitRemovals[], git: Git, ids: readonly string[]): Promise<void> {
    const limits = { ...BATCH_LIMITS, signal: this.#options.signal };
    for (let at = 0; at < ids.length && !this.#isLate;) {
      const batch = ids.slice(at, at + BATCH_COMMITS);
      const wanted = { ids: batch, below: this.#history.below };
      // oxlint-disable-next-line no-await-in-loop -- batch after batch
      const { commits, outcome } = await readPatches(git, wanted, limits);
      // A commit that is too large counts with the part that was read; those after it come next.
      const isCut = outcome === "full" || outcome === "late";
      const last = commits.at(-1)?.id ?? "";
      const size = isCut ? Math.max(1, batch.indexOf(last) + 1) : batch.length;
      for (const { id, files } of commits.slice(0, size)) {
        const removed = removedIn(files);
        this.#names += removed.length;
        if (removed.length > 0 && this.#names <= MAX_NAMES)
          list.push([id, removed.map((one) => [one.key, one.path, one.became, one.certainty])]);
        // oxlint-disable-next-line no-await-in-loop -- other calls get a turn between two commits
        await this.#yielder.yieldIfDue();
      }
      at += size;
      this.#read += size;
      this.#options.onProgress?.({ read: this.#read, total: this.#total });
    }
  }

  get #isLate(): boolean {
    return performance.now() > this.#endsAt;
  }

  #listLimits(): { readonly signal: AbortSignal; readonly timeoutMs: number } {
    return { signal: this.#options.signal, timeoutMs: LIST_TIMEOUT_MS };
  }

  #problem({ isWhole }: Removals): string | undefined {
    if (!isWhole) {
      return `svc has read ${this.#read} of ${this.#total} commits, the newest first; ask again to continue.`;
    }
    const shallow = shallowProblem(this.#history);
    if (shallow !== undefined) return shallow;
    return this.#total < MAX_COMMITS
      ? undefined
      : `Only the newest ${MAX_COMMITS} commits are read.`;
  }
}
