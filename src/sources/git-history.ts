// Which files usually change together, as the history of a repository has it. Read by one `git log` over the
// newest commits when somebody asks, and kept in memory until HEAD moves: half a second for 3,000 commits of
// a tree of 10,000 files, and about a megabyte.

import { join } from "node:path";

import { untilAborted } from "../base/deadline.ts";
import { pathFromBytes } from "../base/path-bytes.ts";
import { repositoryAbove, repositoryProblem, type Repository, type GitSource } from "./git.ts";
import { storeProblem } from "./git-store.ts";
import { readInside } from "./guarded-read.ts";
import { pathInRepository, resolveRevision, withGit, type GitOutput } from "./run-git.ts";

/** Commits that are looked at: older ones tell of a program that is another by now. */
const MAX_COMMITS = 3000;
/** A commit of more files is a renaming or a new licence: it tells nothing of what belongs together. */
const MAX_FILES_PER_COMMIT = 50;
/** So many commits ago a commit counted half. */
const HALF_LIFE_COMMITS = 1000;
/** What is found by then counts; the newest commits come first. */
const TIME_LIMIT_MS = 2000;
const MAX_LOG_BYTES = 32 << 20;
/** Repositories whose histories are kept. */
const MAX_CACHED_HISTORIES = 8;

export interface CoChange {
  /** Relative to the source's root. */
  readonly path: string;
  /** Commits that changed both. */
  readonly sharedCommits: number;
  /** Commits that changed what was asked for. */
  readonly subjectCommits: number;
  /** When both changed last, ISO 8601. */
  readonly last: string;
  /** The share of those commits, by their weights, 0 to 1. */
  readonly score: number;
  /** The weights of the commits that changed both: 1 for a new one of these two files alone. */
  readonly evidence: number;
}

/** What stands before the files of a commit; hardly the name of a file. */
// oxlint-disable-next-line no-control-regex -- for that reason
const COMMIT = /^\x01\d+$/;

interface Commit {
  /** Seconds since 1970. */
  readonly time: number;
  /** Numbers of its files. */
  readonly files: Uint32Array;
  readonly weight: number;
}

/**
 * The newest commits of a source, those left out that touch very many of its files. Partners are ranked by
 * the share of commits, a commit of many files counting less and an old one too. Of the 300 newest commits of
 * eight repositories, what the others say of each file names a right partner first or soon (mean reciprocal
 * rank .37), with the cosine of the two sets of commits at most .35, and without weights .36.
 */
export class GitHistory {
  readonly #paths: readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #commits: readonly Commit[];
  /** Of each file its commits, newest first, and the sum of their weights. */
  readonly #commitsOf: readonly (readonly number[])[];
  readonly #weights: Float64Array;

  /** Commits come newest first; their files are numbers of paths. */
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

  /** Commits that changed the file. */
  commitsOf(path: string): number {
    return this.#of(path).length;
  }

  /** Commits that are newer than the last that changed the file; undefined where none did. */
  commitsSince(path: string): number | undefined {
    return this.#of(path)[0];
  }

  /** The files that change with these, without these, the closest first; all of them, however far. */
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

  /** Of two that came as often, the one that changes more seldom without. */
  #compare(one: CoChange, other: CoChange): number {
    const seldom = this.#weightOf(one.path) - this.#weightOf(other.path);
    return seldom || (one.path < other.path ? -1 : 1);
  }

  #weightOf(path: string): number {
    return this.#weights[this.#numbers.get(path) ?? -1] ?? 0;
  }

  #of(path: string): readonly number[] {
    const number = this.#numbers.get(path);
    return number === undefined ? [] : (this.#commitsOf[number] ?? []);
  }
}

/** A history, or why there is none, as a sentence. */
export type HistoryResult =
  | { readonly history: GitHistory; readonly problem: undefined }
  | { readonly history: undefined; readonly problem: string };

/** The histories of the sources that have been asked for. */
export class GitHistoryCache {
  readonly #closing = new AbortController();
  /** By root, the one that was asked for last at the end. */
  readonly #cache = new Map<
    string,
    { readonly head: string; readonly answer: Promise<HistoryResult> }
  >();

  /**
   * The history of a source as of HEAD now. Throws TIMEOUT when the call is over; the history is read to its
   * end all the same, for the next one.
   */
  async of(source: GitSource, signal: AbortSignal): Promise<HistoryResult> {
    const { root } = source;
    const repository = repositoryAbove(source);
    if (repository === undefined) {
      return none(repositoryProblem(source)?.detail ?? "This is no git repository.");
    }
    const below = pathInRepository(repository, root);
    const known = headOf(repository);
    let kept = this.#cache.get(root);
    // What is kept needs no git.
    const problem =
      known === undefined || kept?.head !== known ? storeProblem(repository) : undefined;
    if (problem !== undefined) return none(problem.detail);
    const head = known ?? (await resolveRevision(repository, "HEAD^{commit}", signal));
    if (head === undefined)
      return none("The git repository has no commit, or git is not installed.");
    if (kept?.head !== head) {
      kept = {
        head,
        answer: readHistory(repository, { head, below, signal: this.#closing.signal }),
      };
      // A failure is not kept.
      kept.answer.catch(() => this.#cache.delete(root));
    }
    this.#cache.delete(root);
    this.#cache.set(root, kept);
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= MAX_CACHED_HISTORIES) break;
      this.#cache.delete(oldest);
    }
    return untilAborted(kept.answer, signal);
  }

  /** Ends what is being read. */
  close(): void {
    this.#closing.abort();
    this.#cache.clear();
  }
}

/**
 * The commit that a folder's history begins with, as cheaply as it can be had; "" without a repository, undefined where
 * only git could tell.
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
  if (outcome === "whole") return "No commit tells which of these files belong together.";
  return "git could not read the history in time.";
}

/**
 * For each commit \x01, its time and a NUL, then a line end and its paths, a NUL behind each. What was cut
 * off ends within a commit, which is left out.
 */
function parseLog({ bytes, outcome }: GitOutput, below: string): GitHistory {
  // A path is decoded when it first comes, and told from others by its bytes till then.
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

/** The commit that HEAD is, read from its files; undefined where they are of another form, or there is none. */
function headOf({ gitDirectory, commonDirectory, within }: Repository): string | undefined {
  // Without white space at its end; empty where there is no such file.
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
