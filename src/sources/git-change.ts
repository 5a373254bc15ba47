// Reads changes from git: in the work tree, in the index, since a commit, or between two commits.

import { SvcError } from "../base/errors.ts";
import { hasEscapedBytes, pathFromBytes } from "../base/path-bytes.ts";
import {
  mapOldLine,
  parseDiff,
  parseNames,
  type ChangedName,
  type FileDiff,
  type DiffHunk,
} from "./diff-output.ts";
import { refused } from "./git-location.ts";
import { repositoryAbove, repositoryProblem, type Repository, type GitSource } from "./git.ts";
import {
  gitMissing,
  gitVersion,
  pathInRepository,
  resolveRevision,
  withGit,
  type Git,
  type GitOutput,
} from "./run-git.ts";

/** Lines of the current file; 1-based, inclusive. */
export interface ChangedLines {
  readonly startLine: number;
  readonly endLine: number;
  /** True if lines between these two were removed and the two themselves are unchanged. */
  readonly isGap: boolean;
}

/** A file of a change. */
export interface ChangedFile {
  /** Relative to the source's root; the old path of a deleted file. */
  readonly path: string;
  /** The path before a rename, if it was inside the source. */
  readonly oldPath: string | undefined;
  readonly status: "added" | "modified" | "deleted";
  /** In order. Undefined if lines are not known: binary files, submodules, files that git does not track. */
  readonly lines: readonly ChangedLines[] | undefined;
  /** The removed lines. Other files may use symbols that they defined. */
  readonly removed: readonly string[];
}

/** A change of a source. */
export interface GitChange {
  /** The two compared sides: "work tree against HEAD". */
  readonly description: string;
  /** In git's order, which is path order; untracked files last. */
  readonly files: readonly ChangedFile[];
}

const TIME_LIMIT_MS = 10_000;
/** A larger diff is not parsed. */
const MAX_DIFF_BYTES = 64 << 20;
const MAX_NAME_LENGTH = 250;
/** Maximum paths per git command. More are a large part of the repository, so git compares the whole folder. */
const MAX_PATH_ARGUMENTS = 2000;
/** The id of the empty tree, by the length of object ids in bytes; git has it built in. */
const EMPTY_TREE: Readonly<Record<number, string>> = {
  20: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  32: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Files that may have changed since a commit. */
export interface ChangedNames {
  /** The two compared sides: "work tree against v1.2". */
  readonly description: string;
  /** The full id of the commit. */
  readonly commit: string;
  /** With paths relative to the source's root, in git's order; untracked files last. */
  readonly names: readonly ChangedName[];
}

/** The git arguments for the change itself and for later changes of its files. */
interface Comparison {
  readonly description: string;
  readonly change: readonly string[];
  /** From the new side of the change to the work tree; undefined if the work tree is the new side. */
  readonly since: readonly string[] | undefined;
  readonly hasUntracked: boolean;
}

/**
 * Reads a change:
 *
 *     working        the work tree against HEAD, including files that git does not track yet
 *     staged         the index against HEAD
 *     REF            the work tree against that commit, branch or tag
 *     A..B   A...B   from A, or from the merge base of A and B, to B; an omitted side is HEAD
 *     REF^!          only that commit
 *
 * Lines are those of the current files in the work tree, whatever changed after the commit. Throws
 * INVALID_PARAMS if there is no usable repository, no such commit, or too much to compare, and TIMEOUT.
 */
export async function readGitChange(
  source: GitSource,
  change: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<GitChange> {
  const repository = requireRepository(source);
  const { description, since, ...compared } = await comparisonOf(repository, change, signal);
  const below = pathInRepository(repository, source.root);
  return withGit(repository, async (git) => {
    const reader = diffReader(git, { change, below, signal });
    const [diffs, moved, untracked] = await Promise.all([
      reader.diffs(compared.change),
      since === undefined ? [] : reader.names(since),
      compared.hasUntracked ? reader.untracked() : [],
    ]);
    const paths = new Set(diffs.map(({ path }) => path));
    const later = moved.filter(({ path, oldPath }) => paths.has(oldPath ?? path));
    const lines = since === undefined ? [] : await reader.diffs(since, later);
    const files = [
      ...diffs.map((one) => mappedToWorkTree(one, lines)),
      ...untracked.map((one) => ({ ...one, lines: undefined, removed: [] })),
    ];
    return { description, files: files.map((file) => inside(file, below)) };
  });
}

/**
 * Returns the files of the work tree that may differ from a commit, branch or tag. This takes a tenth of the
 * time that their lines take. Throws as `readGitChange` does.
 */
export async function readChangedNames(
  source: GitSource,
  name: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<ChangedNames> {
  const repository = requireRepository(source);
  const commit = await requireCommit(repository, name, { signal });
  const below = pathInRepository(repository, source.root);
  return withGit(repository, async (git) => {
    const reader = diffReader(git, { change: name, below, signal });
    const [tracked, untracked] = await Promise.all([
      reader.names(toWorkTree(commit)),
      reader.untracked(),
    ]);
    const names = [...tracked, ...untracked].map((file) => inside(file, below));
    return { description: againstWorkTree(name), commit, names };
  });
}

/** Returns the `names` whose files really differ from the commit. Throws as `readGitChange` does. */
export async function readDiffering(
  source: GitSource,
  { commit, names }: { readonly commit: string; readonly names: readonly ChangedName[] },
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly ChangedName[]> {
  const known = names.filter((one) => one.differs !== false);
  const candidates = known.filter((one) => one.differs === undefined);
  if (candidates.length === 0) return known;
  const repository = requireRepository(source);
  const below = pathInRepository(repository, source.root);
  return withGit(repository, async (git) => {
    const reader = diffReader(git, { change: commit, below, signal });
    const where = candidates.map(({ path }) => ({
      path: outside(path, below),
      oldPath: undefined,
    }));
    const files = await reader.diffs(toWorkTree(commit), where);
    const paths = new Set(files.map((file) => inside(file, below).path));
    return known.filter((one) => one.differs === true || paths.has(one.path));
  });
}

function requireRepository(source: GitSource): Repository {
  const repository = repositoryAbove(source);
  if (repository !== undefined) return repository;
  const problem = repositoryProblem(source);
  if (problem !== undefined) throw refused(problem);
  const { root } = source;
  throw new SvcError(
    "INVALID_PARAMS",
    `${root} is not in a git repository, so it has no changes.`,
    {
      hint: "Name files or symbols instead.",
    },
  );
}

type ChangedPaths = readonly Pick<ChangedName, "path" | "oldPath">[];

interface DiffReader {
  readonly names: (args: readonly string[]) => Promise<readonly ChangedName[]>;
  /** Returns the changed lines, only those of `places` if given. */
  readonly diffs: (args: readonly string[], places?: ChangedPaths) => Promise<readonly FileDiff[]>;
  readonly untracked: () => Promise<readonly ChangedName[]>;
}

/** Returns functions that run git's diffs in a folder of the repository. Paths are relative to its top level. */
function diffReader(
  git: Git,
  { change, below, signal }: { change: string; below: string; signal: AbortSignal },
): DiffReader {
  const limits = { signal, timeoutMs: TIME_LIMIT_MS, maxBytes: MAX_DIFF_BYTES };
  const folder = ["--", ...(below === "" ? [] : [below])];
  const read = async (args: readonly string[], where: readonly string[]): Promise<Buffer> =>
    requireComplete(await git([...args, ...where], limits), change);
  return {
    names: async (args) => parseNames(await read([...args, ...NAMES], folder)),
    diffs: async (args, places) => {
      if (places?.length === 0) return [];
      return parseDiff(await read([...args, ...PATCH], argumentsFor(places) ?? folder));
    },
    untracked: () => untrackedIn(git, { limits, where: folder }),
  };
}

/** Undefined if an argument cannot express one of the paths, or if they are too many. */
function argumentsFor(changedPaths: ChangedPaths | undefined): readonly string[] | undefined {
  const paths = changedPaths?.flatMap(({ path, oldPath }) =>
    oldPath === undefined ? [path] : [oldPath, path],
  );
  if (paths === undefined || paths.length > MAX_PATH_ARGUMENTS || paths.some(hasEscapedBytes))
    return undefined;
  return ["--", ...paths];
}

/** Whether a text can only be a git change: no file or symbol has such a name. */
export function isGitChange(text: string): boolean {
  return (
    text === "working" ||
    text === "staged" ||
    /^HEAD(?:[~^@].*)?$/.test(text) ||
    /[~^]\d*$|\^!$|@\{[^}]*\}$/.test(text) ||
    /^[^\s/][^\s]*\.\.\.?(?![/.])[^\s]*$/.test(text)
  );
}

/** Options of plumbing commands, which read no diff configuration and write nothing. */
const NAMES = ["--raw", "-z", "--find-renames", "--ignore-submodules=dirty"];
const PATCH = [
  "--raw --numstat --patch -z --unified=0 --find-renames --full-index --no-color --src-prefix=a/ --dst-prefix=b/",
  // A work tree on Windows has different line ends from its commits.
  "--no-ext-diff --no-textconv --ignore-cr-at-eol --ignore-submodules=dirty",
].flatMap((options) => options.split(" "));

function toWorkTree(from: string): readonly string[] {
  return ["diff-index", from];
}

async function comparisonOf(
  repository: Repository,
  change: string,
  signal: AbortSignal,
): Promise<Comparison> {
  const commit = (name: string): Promise<string> => requireCommit(repository, name, { signal });
  const nothing = EMPTY_TREE[repository.objectIdBytes] ?? "";
  if (change === "working" || change === "staged") {
    const head = (await resolveRevision(repository, "HEAD^{commit}", signal)) ?? nothing;
    return change === "working"
      ? {
          description: "work tree against HEAD",
          change: toWorkTree(head),
          since: undefined,
          hasUntracked: true,
        }
      : {
          description: "index against HEAD",
          change: ["diff-index", "--cached", head],
          since: ["diff-files"],
          hasUntracked: false,
        };
  }
  const range = /^(.*?)(\.{2,3})(.*)$/.exec(change);
  if (range !== null) {
    const [, from = "", dots = "", to = ""] = range;
    const [start, end] = [
      await commit(from === "" ? "HEAD" : from),
      await commit(to === "" ? "HEAD" : to),
    ];
    const base = dots === ".." ? start : await mergeBase(repository, [start, end], signal);
    return between(change, base, end);
  }
  if (change.endsWith("^!")) {
    const name = change.slice(0, -2);
    const end = await commit(name);
    const parent = await resolveRevision(repository, `${end}^1`, signal);
    return between(`commit ${name}`, parent ?? nothing, end);
  }
  const start = await commit(change);
  return {
    description: againstWorkTree(change),
    change: toWorkTree(start),
    since: undefined,
    hasUntracked: true,
  };
}

function againstWorkTree(name: string): string {
  return `work tree against ${name}`;
}

function between(description: string, from: string, to: string): Comparison {
  return {
    description,
    change: ["diff-tree", "-r", from, to],
    since: toWorkTree(to),
    hasUntracked: false,
  };
}

/** Returns the full id of a commit. Rejects names that git would take for an option or for several commits. */
export async function requireCommit(
  repository: Repository,
  name: string,
  { signal, hint = HINT }: { readonly signal: AbortSignal; readonly hint?: string },
): Promise<string> {
  // oxlint-disable-next-line no-control-regex -- git has no names with these
  const isName = name.length <= MAX_NAME_LENGTH && !/^[-:^]|[\0-\x1f\x7f]/.test(name);
  const id = isName ? await resolveRevision(repository, `${name}^{commit}`, signal) : undefined;
  if (id !== undefined) return id;
  if ((await gitVersion(signal)) === undefined) throw gitMissing();
  throw new SvcError("INVALID_PARAMS", `The repository has no commit "${name}".`, {
    hint,
  });
}

const HINT = "Give a branch, a tag, an id, `HEAD~3`, `A..B`, `working` or `staged`.";

async function mergeBase(
  repository: Repository,
  [one, other]: readonly [string, string],
  signal: AbortSignal,
): Promise<string> {
  const limits = { signal, timeoutMs: TIME_LIMIT_MS, maxBytes: 1 << 16 };
  const { bytes, outcome } = await withGit(repository, (git) =>
    git(["merge-base", one, other], limits),
  );
  const base = bytes.toString("latin1").trim();
  if (outcome === "whole" && base !== "") return base;
  throw new SvcError("INVALID_PARAMS", "The two commits have no common ancestor.", {
    hint: "Compare them with two dots: `A..B`.",
  });
}

async function untrackedIn(
  git: Git,
  { limits, where }: { limits: Parameters<Git>[1]; where: readonly string[] },
): Promise<readonly ChangedName[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z", ...where];
  const { bytes } = await git(args, limits);
  const paths: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const until = bytes.indexOf(0, at);
    if (until === -1) break;
    paths.push(pathFromBytes(bytes.subarray(at, until)));
    at = until + 1;
  }
  // A repository inside this one is listed as a folder.
  const files = paths.filter((path) => !path.endsWith("/"));
  return files.map((path) => ({ path, oldPath: undefined, status: "added", differs: true }));
}

function requireComplete({ bytes, outcome }: GitOutput, change: string): Buffer {
  if (outcome === "whole") return bytes;
  const hints: Readonly<Record<Exclude<GitOutput["outcome"], "whole">, string>> = {
    absent: "git is not installed.",
    failed: "git cannot compare them: objects may be missing, as in a partial clone.",
    full: "The change is too large; choose a smaller range.",
    late: "The comparison takes too long; choose a smaller range.",
  };
  throw new SvcError("INVALID_PARAMS", `The change "${change}" cannot be read.`, {
    hint: hints[outcome],
  });
}

/** Maps the changed lines to the work tree, through the changes in `later`. */
function mappedToWorkTree(diff: FileDiff, later: readonly FileDiff[]): ChangedFile {
  const { path, oldPath, status, hunks, removed } = diff;
  if (status === "deleted") return { path, oldPath, status, lines: [], removed };
  const lines = hunks?.map(linesOf);
  const now = later.find((one) => (one.oldPath ?? one.path) === path);
  if (now === undefined) return { path, oldPath, status, lines, removed };
  const moved = { path: now.path, oldPath: oldPath ?? now.oldPath, removed };
  if (now.status === "deleted") return { ...moved, status: "deleted", lines: [] };
  const { hunks: shifts } = now;
  if (shifts === undefined) return { ...moved, status, lines: undefined };
  const placed = lines?.map(({ startLine, endLine, isGap }) => {
    const start = mapOldLine(shifts, startLine);
    return { startLine: start, endLine: Math.max(start, mapOldLine(shifts, endLine)), isGap };
  });
  return { ...moved, status, lines: placed };
}

function linesOf({ newStart, newCount }: DiffHunk): ChangedLines {
  return newCount === 0
    ? { startLine: newStart, endLine: newStart + 1, isGap: true }
    : { startLine: newStart, endLine: newStart + newCount - 1, isGap: false };
}

function inside<T extends Pick<ChangedName, "path" | "oldPath">>(file: T, below: string): T {
  if (below === "") return file;
  const cut = (one: string): string | undefined =>
    one.startsWith(`${below}/`) ? one.slice(below.length + 1) : undefined;
  const { path, oldPath } = file;
  return {
    ...file,
    path: cut(path) ?? path,
    oldPath: oldPath === undefined ? undefined : cut(oldPath),
  };
}

function outside(path: string, below: string): string {
  return below === "" ? path : `${below}/${path}`;
}
