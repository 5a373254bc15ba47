// Reads what commits changed, many commits with one git process.

import { parsePatches, type CommitPatches } from "./patch-text.ts";
import type { Git, GitLimits, GitOutput } from "./run-git.ts";

/** Patches of some commits. */
interface PatchesResult {
  readonly commits: readonly CommitPatches[];
  /** How git ended. Unless it is "whole", the last of `commits` is cut off and later ones are missing. */
  readonly outcome: GitOutput["outcome"];
}

/** Options of plumbing commands, which read no diff configuration. */
const PATCH = [
  "-p --root -r --unified=0 --find-renames --no-color --src-prefix=a/ --dst-prefix=b/",
  "--no-ext-diff --no-textconv --ignore-submodules=all",
].flatMap((options) => options.split(" "));

/**
 * Returns the patches of these commits in their order, without unchanged lines. A merge has none. `below`: only files in
 * this folder of the repository, "" for all. Throws TIMEOUT.
 */
export async function readPatches(
  git: Git,
  { ids, below }: { readonly ids: readonly string[]; readonly below: string },
  limits: GitLimits,
): Promise<PatchesResult> {
  const where = below === "" ? [] : ["--", below];
  const input = ids.map((id) => `${id}\n`).join("");
  const { bytes, outcome } = await git(["diff-tree", "--stdin", ...PATCH, ...where], limits, input);
  return { commits: parsePatches(bytes.toString()), outcome };
}

/** Commits of a source, newest first. */
interface CommitList {
  readonly ids: readonly string[];
  /** Whether these are all commits: there are no more, and git ended by itself. */
  readonly isWhole: boolean;
}

const ID_LINE_BYTES = 65;

/**
 * Returns up to `max` commits before and at `head` that are not merges, newest first. `below`: only those that changed a
 * file in this folder of the repository, "" for all. Throws TIMEOUT.
 */
export async function listCommits(
  git: Git,
  { head, below, max }: { readonly head: string; readonly below: string; readonly max: number },
  limits: Omit<GitLimits, "maxBytes">,
): Promise<CommitList> {
  const where = below === "" ? [] : ["--", below];
  const { bytes, outcome } = await git(
    ["rev-list", "--no-merges", `--max-count=${max + 1}`, "--end-of-options", head, ...where],
    { ...limits, maxBytes: (max + 1) * ID_LINE_BYTES },
  );
  const ids = bytes.toString("latin1").match(/^(?:[0-9a-f]{64}|[0-9a-f]{40})$/gm) ?? [];
  return { ids: ids.slice(0, max), isWhole: outcome === "whole" && ids.length <= max };
}

/** The commits of `head` that are not those of `old`. */
interface CommitRange {
  readonly head: string;
  readonly old: string;
  readonly below: string;
  readonly max: number;
}

/** As `listMissingCommits`; also undefined if `old` is not in the history of `head`. */
export async function listNewCommits(
  git: Git,
  range: CommitRange,
  limits: Omit<GitLimits, "maxBytes">,
): Promise<readonly string[] | undefined> {
  const ancestry = ["merge-base", "--is-ancestor", range.old, range.head];
  const { outcome: isAncestor } = await git(ancestry, { ...limits, maxBytes: ID_LINE_BYTES });
  return isAncestor === "whole" ? listMissingCommits(git, range, limits) : undefined;
}

/**
 * Returns the commits at and before `head` that are not in the history of `old`, newest first, without merges; undefined
 * if one of both is unknown, or there are more than `max`. Throws TIMEOUT.
 */
export async function listMissingCommits(
  git: Git,
  { head, old, below, max }: CommitRange,
  limits: Omit<GitLimits, "maxBytes">,
): Promise<readonly string[] | undefined> {
  const where = below === "" ? [] : ["--", below];
  const range = ["--end-of-options", head, `^${old}`];
  const { bytes, outcome } = await git(
    ["rev-list", "--no-merges", `--max-count=${max + 1}`, ...range, ...where],
    { ...limits, maxBytes: (max + 1) * ID_LINE_BYTES },
  );
  const ids = bytes.toString("latin1").match(/^(?:[0-9a-f]{64}|[0-9a-f]{40})$/gm) ?? [];
  return outcome === "whole" && ids.length <= max ? ids : undefined;
}
