// Opens the history of a source: its repository, the commit at HEAD, and whether older commits are missing.

import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { refused } from "./git-location.ts";
import { repositoryAbove, repositoryProblem, type GitSource, type Repository } from "./git.ts";
import { readInside } from "./guarded-read.ts";
import { gitMissing, gitVersion, pathInRepository, resolveRevision } from "./run-git.ts";

const MAX_SHALLOW_BYTES = 8 << 20;

/** The history of a source. */
export interface SourceHistory {
  readonly repository: Repository;
  /** Full id of the commit at HEAD. */
  readonly head: string;
  /** The source's folder relative to the top level of the repository, with `/`; "" for the top level. */
  readonly below: string;
  /** The commits whose parents are missing, in a shallow clone; empty in a whole one. */
  readonly shallow: ReadonlySet<string>;
  /** The URL of a clone that svc has fetched. */
  readonly url?: string | undefined;
}

/**
 * Opens the history of a source at HEAD. Throws INVALID_PARAMS with a remedy if there is no usable repository, no commit
 * or no git, and TIMEOUT.
 */
export async function openHistory(source: GitSource, signal: AbortSignal): Promise<SourceHistory> {
  const repository = repositoryAbove(source);
  if (repository === undefined) {
    const problem = repositoryProblem(source);
    if (problem !== undefined) throw refused(problem);
    throw new SvcError(
      "INVALID_PARAMS",
      `${source.root} is not in a git repository, so it has no history.`,
      { hint: "Index a clone of its repository: `svc index URL`, or a folder with `.git`." },
    );
  }
  const head = await resolveRevision(repository, "HEAD^{commit}", signal);
  if (head === undefined) throw await noCommit(source, signal);
  return {
    repository,
    head,
    below: pathInRepository(repository, source.root),
    shallow: shallowCommits(repository),
    url: source.url,
  };
}

/** Says that older commits are missing in a shallow clone, with a remedy; undefined for a whole one. */
export function shallowProblem({
  shallow,
  url,
}: Pick<SourceHistory, "shallow" | "url">): string | undefined {
  if (shallow.size === 0) return undefined;
  return url === undefined
    ? "The clone is shallow, so older commits are missing; run `git fetch --unshallow` in it."
    : "svc fetches the newest 3,000 commits of a URL, so older ones are missing; `svc index` of your own clone has all.";
}

/** The commits whose parents are missing in a shallow clone. */
export function shallowCommits({ commonDirectory, within }: Repository): ReadonlySet<string> {
  const bytes = readInside(within, join(commonDirectory, "shallow"), MAX_SHALLOW_BYTES);
  return new Set(bytes?.toString("latin1").match(/^[0-9a-f]{40,64}$/gm));
}

async function noCommit({ root }: GitSource, signal: AbortSignal): Promise<SvcError> {
  if ((await gitVersion(signal)) === undefined) {
    return gitMissing();
  }
  return new SvcError("INVALID_PARAMS", `The repository of ${root} has no commit at HEAD.`, {
    hint: "Commit something first, or check out a branch with commits.",
  });
}

/** The path of a file of the source, relative to the top level of the repository. */
export function pathOfRepository({ below }: Pick<SourceHistory, "below">, path: string): string {
  return below === "" ? path : `${below}/${path}`;
}

/** The path of a file of the repository, relative to the source; undefined outside the source. */
export function pathOfSource(
  { below }: Pick<SourceHistory, "below">,
  path: string,
): string | undefined {
  if (below === "") return path;
  return path.startsWith(`${below}/`) ? path.slice(below.length + 1) : undefined;
}
