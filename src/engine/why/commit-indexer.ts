// Keeps the words of the commits of sources up to date: reads all commits at the first query in words, newest first,
// and later only new ones.

import { Yielder } from "../../base/yielder.ts";
import { shortHash } from "../../base/short-hash.ts";
import { CommitIndex, type CommitDocument } from "../../index/commits/commit-index.ts";
import type { OpenCommitStorage } from "../../index/commits/port.ts";
import { readCommits } from "../../sources/commit-objects.ts";
import { listCommits, readPatches } from "../../sources/commit-patches.ts";
import { headCommit } from "../../sources/git-history.ts";
import {
  openHistory,
  shallowCommits,
  shallowProblem,
  type SourceHistory,
} from "../../sources/open-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import { repositoryAbove } from "../../sources/git.ts";
import { withGit, type Git } from "../../sources/run-git.ts";
import type { CommitProgress } from "../api/why.ts";
import { commitDocument } from "./commit-document.ts";

/** Older commits, and commits beyond this size of the index, are not searched. */
const MAX_COMMITS = 100_000;
const MAX_INDEX_BYTES = 400 << 20;
/** Commits of one call of git. */
const BATCH_COMMITS = 100;
/** Commits of a segment. Writing one takes some 0.1 s, in which no other call is answered. */
const SEGMENT_COMMITS = 2000;
/** Text in memory before it becomes a segment, in characters. */
const MAX_SEGMENT_CHARACTERS = 12 << 20;
const BATCH_LIMITS = { timeoutMs: 120_000, maxBytes: 24 << 20 };
const LIST_TIMEOUT_MS = 60_000;
const MAX_COMMIT_BYTES = 8 << 20;
/** The first segment is small, so that the newest commits can be searched soon. */
const FIRST_COMMITS = 500;

/** The words of the commits of one source. */
export interface SearchedCommits {
  readonly index: CommitIndex;
  /** Why commits are missing, as a sentence; undefined if none are. */
  readonly problem: string | undefined;
}

/** How long a question waits for commits, and who hears how many are read. */
export interface CommitWaiting {
  readonly signal: AbortSignal;
  readonly waitMs: number;
  readonly onProgress?: ((progress: CommitProgress) => void) | undefined;
}

interface Run {
  readonly finished: Promise<void>;
  progress: CommitProgress;
  readonly listeners: Set<(progress: CommitProgress) => void>;
}

interface OpenCommits {
  readonly index: CommitIndex;
  readonly lock: () => (() => void) | undefined;
  run: Run | undefined;
}

/** Opens and updates the words of commits. One run at a time reads those of a source, also among processes. */
export class CommitIndexer {
  readonly #open: OpenCommitStorage;
  readonly #closing = new AbortController();
  readonly #opened = new Map<string, OpenCommits>();

  constructor(open: OpenCommitStorage) {
    this.#open = open;
  }

  /**
   * Returns the words of the commits of a source, when all are read or `waitMs` is over. Reading continues after that. Throws
   * INVALID_PARAMS without a usable repository, and TIMEOUT.
   */
  async of(namespace: string, source: Source, waiting: CommitWaiting): Promise<SearchedCommits> {
    const commits = this.#commitsOf(namespace, source);
    const { index } = commits;
    const isSound = index.refresh();
    const isCurrent = isSound && index.isWhole && index.head === headCommit(source);
    if (isCurrent) return { index, problem: knownProblem(source) };
    const history = await openHistory(source, waiting.signal);
    if (isSound && index.isWhole && index.head === history.head)
      return { index, problem: shallowProblem(history) };
    const problem = await this.#waitFor(this.#start(commits, history), waiting);
    index.refresh();
    return { index, problem: problem ?? shallowProblem(history) };
  }

  /** Aborts running reads and closes files. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { index, run } of this.#opened.values()) {
      // oxlint-disable-next-line no-await-in-loop -- an aborted run ends soon
      await run?.finished.catch(() => undefined);
      index.close();
    }
    this.#opened.clear();
  }

  #commitsOf(namespace: string, source: Source): OpenCommits {
    const place = shortHash(JSON.stringify([source.root, source.identity ?? ""]));
    const key = `${namespace}/${place}`;
    let commits = this.#opened.get(key);
    if (commits === undefined) {
      const { storage, lock } = this.#open(namespace, place);
      commits = { index: new CommitIndex(storage), lock, run: undefined };
      this.#opened.set(key, commits);
    }
    return commits;
  }

  #start(commits: OpenCommits, history: SourceHistory): Run {
    if (commits.run !== undefined) return commits.run;
    const listeners: Run["listeners"] = new Set();
    const report = (progress: CommitProgress): void => {
      run.progress = progress;
      for (const listener of listeners) listener(progress);
    };
    const run: Run = {
      progress: { read: 0, total: 0 },
      listeners,
      // Begins later, when `run` exists.
      finished: Promise.resolve().then(() =>
        updateCommits(commits, history, { signal: this.#closing.signal, report }),
      ),
    };
    commits.run = run;
    const end = (): void => void (commits.run = undefined);
    run.finished.then(end, end);
    return run;
  }

  /** Returns what is missing when the wait is over. */
  async #waitFor(
    run: Run,
    { signal, waitMs, onProgress }: CommitWaiting,
  ): Promise<string | undefined> {
    if (onProgress !== undefined) run.listeners.add(onProgress);
    const { promise: over, resolve, reject } = Promise.withResolvers<"late">();
    const onAbort = (): void => reject(signal.reason);
    const timer = setTimeout(() => resolve("late"), Math.min(waitMs, MAX_TIMER_MS));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      signal.throwIfAborted();
      if ((await Promise.race([run.finished, over])) !== "late") return undefined;
      const { read, total } = run.progress;
      return total === 0
        ? "svc is reading the commits of the repository for the first time; ask again in a minute."
        : `svc has read ${read} of ${total} commits so far, the newest first; ask again in a minute.`;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (onProgress !== undefined) run.listeners.delete(onProgress);
    }
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** What is missing of a history whose words are all read. */
function knownProblem(source: Source): string | undefined {
  const repository = repositoryAbove(source);
  return repository && shallowProblem({ shallow: shallowCommits(repository), url: source.url });
}

interface UpdateOptions {
  readonly signal: AbortSignal;
  readonly report: (progress: CommitProgress) => void;
}

/** Reads the commits that the index lacks, the newest first. Does nothing while another process does. */
async function updateCommits(
  { index, lock }: Pick<OpenCommits, "index" | "lock">,
  { repository, head, below }: SourceHistory,
  { signal, report }: UpdateOptions,
): Promise<void> {
  const release = lock();
  if (release === undefined) return;
  try {
    if (!index.refresh()) index.clear();
    await withGit(repository, async (git) => {
      const wanted = { head, below, max: MAX_COMMITS };
      const { ids } = await listCommits(git, wanted, { signal, timeoutMs: LIST_TIMEOUT_MS });
      const missing = ids.filter((id) => !index.ids.has(id));
      const batches = new CommitBatches(git, { missing, below, signal });
      const total = ids.length;
      let added = 0;
      for (let isOver = false; !isOver;) {
        const size = added === 0 ? FIRST_COMMITS : SEGMENT_COMMITS;
        // oxlint-disable-next-line no-await-in-loop -- segment after segment
        const documents = await batches.next(size);
        isOver = documents.length === 0 || index.sizeBytes > MAX_INDEX_BYTES;
        if (isOver) break;
        index.add(documents);
        added += documents.length;
        report({ read: total - missing.length + added, total });
      }
      index.finish(head, true, new Set(ids));
    });
  } finally {
    release();
  }
}

/** Reads commits batch by batch. */
class CommitBatches {
  readonly #git: Git;
  readonly #missing: readonly string[];
  readonly #below: string;
  readonly #signal: AbortSignal;
  readonly #yielder = new Yielder();
  #at = 0;

  constructor(
    git: Git,
    {
      missing,
      below,
      signal,
    }: {
      readonly missing: readonly string[];
      readonly below: string;
      readonly signal: AbortSignal;
    },
  ) {
    this.#git = git;
    this.#missing = missing;
    this.#below = below;
    this.#signal = signal;
  }

  /** Returns about `count` further commits; none at the end. */
  async next(count: number): Promise<readonly CommitDocument[]> {
    const documents: CommitDocument[] = [];
    let characters = 0;
    while (
      documents.length < count &&
      characters < MAX_SEGMENT_CHARACTERS &&
      this.#at < this.#missing.length
    ) {
      // oxlint-disable-next-line no-await-in-loop -- batch after batch
      const batch = await this.#batch();
      documents.push(...batch);
      for (const { body, changedLines } of batch)
        characters += changedLines.reduce((sum, line) => sum + line.length, body.length);
    }
    return documents;
  }

  async #batch(): Promise<readonly CommitDocument[]> {
    const ids = this.#missing.slice(this.#at, this.#at + BATCH_COMMITS);
    const limits = { ...BATCH_LIMITS, signal: this.#signal };
    const [{ commits: patches, outcome }, commits] = await Promise.all([
      readPatches(this.#git, { ids, below: this.#below }, limits),
      readCommits(this.#git, ids, { ...limits, maxBytes: MAX_COMMIT_BYTES }),
    ]);
    const byId = new Map(patches.map(({ id, files }) => [id, files]));
    const last = patches.at(-1)?.id;
    // Output of a very large commit is cut off: it counts with the part that was read, and those after it come next. If
    // objects are missing, as in a partial clone, the messages are all there is.
    const isCut = outcome === "full" || outcome === "late";
    const read = isCut ? ids.slice(0, Math.max(1, ids.indexOf(last ?? "") + 1)) : ids;
    this.#at += read.length;
    const documents: CommitDocument[] = [];
    for (const id of read) {
      const commit = commits.get(id) ?? { id, subject: "", body: "" };
      documents.push(commitDocument(commit, byId.get(id) ?? []));
      // oxlint-disable-next-line no-await-in-loop -- other calls get a turn between two commits
      await this.#yielder.yieldIfDue();
    }
    return documents;
  }
}
