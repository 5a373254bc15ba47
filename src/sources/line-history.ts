// The history of lines: the commit that wrote each line (`git blame`), and all commits that changed a range of them
// (`git log -L`), through renames of the file.

import { parsePatches, pathFromQuoted, type PatchHunk } from "./patch-text.ts";
import type { Git, GitLimits, GitOutput } from "./run-git.ts";

/** A range of lines of a file in a commit. Lines are 1-based and inclusive. */
export interface CommittedRange {
  /** Full id of the commit. */
  readonly commit: string;
  /** Relative to the top level of the repository. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** A change of a range of lines. */
export interface RangeChange {
  /** Full id of the commit. */
  readonly id: string;
  /** Path of the file in that commit, relative to the top level of the repository. */
  readonly path: string;
  /** The part of the patch in the range, with the unchanged lines of the range. */
  readonly hunks: readonly PatchHunk[];
}

/** The changes of a range. */
export interface RangeHistory {
  /** Newest first. */
  readonly changes: readonly RangeChange[];
  /** How git ended: older changes may be missing unless this is "whole". */
  readonly outcome: GitOutput["outcome"];
}

/** The commit that wrote a line. */
export interface LineOrigin {
  /** Full id of the commit. */
  readonly id: string;
  /** Where the line was in that commit. The path is relative to the top level of the repository; the line is 1-based. */
  readonly path: string;
  readonly line: number;
}

/** Commits of one range. */
const MAX_CHANGES = 300;
const LOG = [
  `--max-count=${MAX_CHANGES}`,
  ..."--format=%H --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/".split(
    " ",
  ),
];
/** White space does not count, nor do moves within a file and copies from others. */
const BLAME = ["blame", "--porcelain", "-w", "-M", "-C", "-C"];

/** Returns the commits that changed a range of lines. Throws TIMEOUT when the call is cancelled. */
export async function readRangeHistory(
  git: Git,
  { commit, path, startLine, endLine }: CommittedRange,
  limits: GitLimits,
): Promise<RangeHistory> {
  const { bytes, outcome } = await git(
    ["log", ...LOG, `-L${startLine},${endLine}:${path}`, "--end-of-options", commit],
    limits,
  );
  const commits = parsePatches(bytes.toString());
  // The last patch may be cut off.
  const whole = outcome === "whole" ? commits : commits.slice(0, -1);
  const changes = whole.flatMap(({ id, files }) => {
    const [file] = files;
    const changedPath = file?.path ?? file?.oldPath;
    if (file === undefined || changedPath === undefined) return [];
    return [{ id, path: changedPath, hunks: file.hunks }];
  });
  return { changes, outcome };
}

/**
 * Returns the commit that wrote each line of a range, by line. White space does not count as writing, nor do moves and copies within a commit, and from
 * other files by the commit that created the file. `ignored`: ids of commits that exist and count neither. Empty if git failed or had no time. Throws TIMEOUT.
 */
export async function readLineOrigins(
  git: Git,
  { commit, path, startLine, endLine }: CommittedRange,
  { ignored, ...limits }: GitLimits & { readonly ignored: readonly string[] },
): Promise<ReadonlyMap<number, LineOrigin>> {
  const ignoring = ignored.map((id) => `--ignore-rev=${id}`);
  const { bytes } = await git(
    [...BLAME, ...ignoring, `-L${startLine},${endLine}`, commit, "--", path],
    limits,
  );
  return parseBlame(bytes.toString());
}

/** Parses the porcelain format: for each line a header, facts about its commit if they are new, and its text after a tab. */
function parseBlame(text: string): ReadonlyMap<number, LineOrigin> {
  const origins = new Map<number, LineOrigin>();
  const paths = new Map<string, string>();
  let current: { readonly id: string; readonly line: number; readonly at: number } | undefined;
  for (const line of text.split("\n")) {
    const header = /^([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (\d+)/.exec(line);
    if (header !== null) {
      const [, id = "", from, to] = header;
      current = { id, line: Number(from), at: Number(to) };
    } else if (current !== undefined && line.startsWith("filename ")) {
      paths.set(current.id, pathFromQuoted(line.slice("filename ".length)));
    } else if (current !== undefined && line.startsWith("\t")) {
      const { id, line: from, at } = current;
      origins.set(at, { id, path: paths.get(id) ?? "", line: from });
    }
  }
  return origins;
}
