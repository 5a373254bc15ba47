// Finds the files that usually change together, from a repository's history. One `git log` reads the newest
// commits on the first call. The result stays in memory until HEAD moves: half a second for 3,000 commits of a
// tree of 10,000 files, and about a megabyte.

import { join } from "node:path";

import { untilAborted } from "../base/deadline.ts";
import { pathFromBytes } from "../base/path-bytes.ts";
import { repositoryAbove, repositoryProblem, type Repository, type GitSource } from "./git.ts";
import { storeProblem } from "./git-store.ts";
import { readInside } from "./guarded-read.ts";
import { pathInRepository, resolveRevision, withGit, type GitOutput } from "./run-git.ts";

/** Number of commits to read. Older ones describe a different program. */
const MAX_COMMITS = 3000;
/** Commits with more files are ignored: a rename or a new licence does not show which files belong together. */
const MAX_FILES_PER_COMMIT = 50;
/** The weight of a commit halves every this many commits. */
const HALF_LIFE_COMMITS = 1000;
/**
 * The commits read by then are used; the newest come first. Much longer than git takes: on a busy machine, or while the
 * caller has other work than to read what git writes, the answer must be the same.
 */
const TIME_LIMIT_MS = 15_000;
const MAX_LOG_BYTES = 32 << 20;
/** Maximum number of cached histories. */
const MAX_CACHED_HISTORIES = 8;

/** A file that changes together with the given files. */
export interface CoChange {
  /** Relative to the source's root. */
  readonly path: string;
  /** Number of commits that changed both. */
  readonly sharedCommits: number;
  /** Number of commits that changed the given files. */
  readonly subjectCommits: number;
  /** Time of the last commit that changed both, ISO 8601. */
  readonly last: string;
  /** The weighted share of those commits, 0 to 1. */
  readonly score: number;
  /** The sum of the weights of the commits that changed both: 1 for a new one with only these two files. */
  readonly evidence: number;
}

/** The part before the files of a commit; very unlikely as a file name. */
// oxlint-disable-next-line no-control-regex -- for that reason
const COMMIT = /^\x01\d+$/;

interface Commit {
  /** Seconds since 1970. */
  readonly time: number;
  /** Indexes of its files in the list of paths. */
  readonly files: Uint32Array;
  readonly weight: number;
}

/**
 * The newest commits of a source, except those that change very many of its files. Partners are ranked by their
 * weighted share of commits; a commit with many files weighs less, and so does an old one. On the 300 newest
 * commits of eight repositories, a file's partners by the remaining history had a mean reciprocal rank of .37.
 * The cosine of the two sets of commits reached at most .35, and unweighted shares .36.
 */
export class GitHistory {
  readonly #paths: readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #commits: readonly Commit[];
  /** For each file, its commits, newest first, and the sum of their weights. */
  readonly #commitsOf: readonly (readonly number[])[];
  readonly #weights: Float64Array;

  /** Commits come newest first; their files are indexes of `paths`. */
  constructor(
    paths: readonly string[],
    commits: readonly { readonly time: number; readonly files: readonly number[] }[],
  ) {
    this.#paths = paths;
    for (const [number, path] of paths.entries()) this.#numbers.set(path, number);
    this.#commits = commits.map(({ time, files }, at) => ({
      time,
      files: Uint32Array.from(files),
      weight: 2 ** (-at / HALF_LIFE_COMMITS) / Math.log2(1 + files.length),
    }));
    const commitsOf: number[][] = paths.map(() => []);
    this.#weights = new Float64Array(paths.length);
    for (const [at, { files, weight }] of this.#commits.entries()) {
      for (const file of files) {
        commitsOf[file]?.push(at);
        this.#weights[file] = (this.#weights[file] ?? 0) + weight;
      }
    }
    this.#commitsOf = commitsOf;
  }

  get commits(): number {
    return this.#commits.length;
  }

  /** The number of commits that changed the file. */
  commitsOf(path: string): number {
    return this.#of(path).length;
  }

  /** The number of commits after the last one that changed the file; undefined if none did. */
  commitsSince(path: string): number | undefined {
    return this.#of(path)[0];
  }

  /** Returns all files that changed with these, except these, the strongest first. */
  changedWith(paths: readonly string[]): readonly CoChange[] {
    const subjects = new Set(paths);
    const shared = new Map<number, { weight: number; sharedCommits: number; last: number }>();
    const commits = new Set(paths.flatMap((path) => this.#of(path)));
    let weight = 0;
    for (const at of commits) {
      const commit = this.#commits[at];
      if (commit === undefined) continue;
      weight += commit.weight;
      for (const file of commit.files) {
        const known = shared.get(file);
        if (known === undefined) {
          shared.set(file, { weight: commit.weight, sharedCommits: 1, last: commit.time });
        } else {
          known.weight += commit.weight;
          known.sharedCommits += 1;
          known.last = Math.max(known.last, commit.time);
        }
      }
    }
    return [...shared]
      .map(([file, one]) => ({
        path: this.#paths[file] ?? "",
        sharedCommits: one.sharedCommits,
        subjectCommits: commits.size,
        last: new Date(one.last * 1000).toISOString(),
        score: one.weight / weight,
        evidence: one.weight * Math.log2(3),
      }))
      .filter(({ path }) => !subjects.has(path))
      .toSorted((one, other) => other.score - one.score || this.#compare(one, other));
  }

  /** Of two files with the same score, the one that changes less often comes first. */
  #compare(one: CoChange, other: CoChange): number {
    const difference = this.#weightOf(one.path) - this.#weightOf(other.path);
    return difference || (one.path < other.path ? -1 : 1);
  }

  #weightOf(path: string): number {
    return this.#weights[this.#numbers.get(path) ?? -1] ?? 0;
  }

  #of(path: string): readonly number[] {
    const number = this.#numbers.get(path);
    return number === undefined ? [] : (this.#commitsOf[number] ?? []);
  }
}

/** A history, or a sentence that says why there is none. */
export type HistoryResult =
  | { readonly history: GitHistory; readonly problem: undefined }
  | { readonly history: undefined; readonly problem: string };

/** Caches the histories of sources. */
export class GitHistoryCache {
  readonly #closing = new AbortController();
  /** By root and commit, if one was asked for; the most recently used last. */
  readonly #cache = new Map<
    string,
    { readonly head: string; readonly answer: Promise<HistoryResult> }
  >();

  /**
   * Returns the history of a source up to a commit, the one at HEAD by default. Throws TIMEOUT if the call is aborted; the history is
   * still read to its end for the next call.
   */
  async of(source: GitSource, signal: AbortSignal, commit?: string): Promise<HistoryResult> {
    const { root } = source;
    const repository = repositoryAbove(source);
    if (repository === undefined) {
      return none(repositoryProblem(source)?.detail ?? "This is not a git repository.");
    }
    const below = pathInRepository(repository, root);
    const key = `${root}\0${commit}`;
    const known = commit ?? headOf(repository);
    let cached = this.#cache.get(key);
    // A cached history needs no git.
    const problem =
      known === undefined || cached?.head !== known ? storeProblem(repository) : undefined;
    if (problem !== undefined) return none(problem.detail);
    const head = known ?? (await resolveRevision(repository, "HEAD^{commit}", signal));
    if (head === undefined)
      return none("The git repository has no commit, or git is not installed.");
    if (cached?.head !== head) {
      cached = {
        head,
        answer: readHistory(repository, { head, below, signal: this.#closing.signal }),
      };
      // Failures are not cached.
      cached.answer.catch(() => this.#cache.delete(key));
    }
    this.#cache.delete(key);
    this.#cache.set(key, cached);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= MAX_CACHED_HISTORIES) break;
      this.#cache.delete(oldest);
    }
    return untilAborted(cached.answer, signal);
  }

  /** Aborts running reads and clears the cache. */
  close(): void {
    this.#closing.abort();
    this.#cache.clear();
  }
}

/**
 * Returns the id of the HEAD commit without running git: "" without a repository, undefined if only git can
 * determine it.
 */
export function headCommit(source: GitSource): string | undefined {
  const repository = repositoryAbove(source);
  return repository === undefined ? "" : headOf(repository);
}

async function readHistory(
  repository: Repository,
  { head, below, signal }: { head: string; below: string; signal: AbortSignal },
): Promise<HistoryResult> {
  const log = ["log", "--no-merges", `--max-count=${MAX_COMMITS}`, "--format=%x01%ct"];
  const names = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"];
  const where = below === "" ? [] : ["--", below];
  const output = await withGit(repository, (git) =>
    git([...log, ...names, "--end-of-options", head, ...where], {
      signal,
      timeoutMs: TIME_LIMIT_MS,
      maxBytes: MAX_LOG_BYTES,
    }),
  );
  const history = parseLog(output, below);
  if (history.commits > 0) return { history, problem: undefined };
  return none(problemOf(output));
}

function problemOf({ outcome }: GitOutput): string {
  if (outcome === "absent") return "git is not installed.";
  if (outcome === "whole") return "No commit shows which of these files belong together.";
  return "git could not read the history in time.";
}

/**
 * Parses the log. For each commit it has \x01, its time and a NUL, then a line end and its paths, each with a
 * NUL at its end. A truncated log ends within a commit, which is dropped.
 */
function parseLog({ bytes, outcome }: GitOutput, below: string): GitHistory {
  // Paths are compared as bytes and decoded once at the end.
  const numbers = new Map<string, number>();
  const commits: { time: number; files: number[] }[] = [];
  let files: number[] = [];
  for (const part of bytes.toString("latin1").split("\0")) {
    if (COMMIT.test(part)) {
      files = [];
      commits.push({ time: Number(part.slice(1)), files });
    } else if (part !== "" && files.length <= MAX_FILES_PER_COMMIT) {
      const path = files.length === 0 ? part.slice(1) : part;
      const number = numbers.get(path) ?? numbers.size;
      numbers.set(path, number);
      files.push(number);
    }
  }
  if (outcome !== "whole") commits.pop();
  const skipped = below === "" ? 0 : Buffer.byteLength(below) + 1;
  const paths = [...numbers.keys()].map((path) =>
    pathFromBytes(Buffer.from(path.slice(skipped), "latin1")),
  );
  const relevant = commits.filter(
    ({ files: all }) => all.length > 0 && all.length <= MAX_FILES_PER_COMMIT,
  );
  return new GitHistory(paths, relevant);
}

/** Reads the id of the HEAD commit from git's files; undefined if they have another form or there is no commit. */
function headOf({ gitDirectory, commonDirectory, within }: Repository): string | undefined {
  // The content without trailing white space; empty if the file does not exist.
  const textOf = (path: string): string =>
    readInside(within, path, MAX_LOG_BYTES)?.toString("latin1").trimEnd() ?? "";
  const head = textOf(join(gitDirectory, "HEAD"));
  const reference = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1];
  if (reference === undefined) return idIn(head);
  if (reference.split("/").includes("..")) return undefined;
  const loose = idIn(textOf(join(commonDirectory, reference)));
  if (loose !== undefined) return loose;
  const line = textOf(join(commonDirectory, "packed-refs"))
    .split("\n")
    .find((one) => one.endsWith(` ${reference}`));
  return line === undefined ? undefined : idIn(line.slice(0, line.indexOf(" ")));
}

function idIn(text: string): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.exec(text)?.[0];
}

function none(problem: string): HistoryResult {
  return { history: undefined, problem };
}
