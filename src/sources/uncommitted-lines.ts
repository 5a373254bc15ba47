// Maps lines of a file in the work tree to the same lines in the commit at HEAD.

import { SvcError } from "../base/errors.ts";
import { hasEscapedBytes } from "../base/path-bytes.ts";
import { parseDiff, parseNames, type DiffHunk } from "./diff-output.ts";
import type { Git, GitLimits } from "./run-git.ts";

/** A file of the work tree in the commit at HEAD. */
export interface CommittedFile {
  /** Its path there, relative to the top level of the repository. */
  readonly path: string;
  /** Returns the line in the commit; undefined if it is not committed in this form. 1-based. */
  readonly lineOf: (line: number) => number | undefined;
}

/** Options of plumbing commands, which read no diff configuration and write nothing. */
const PATCH = [
  "--raw --numstat --patch -z --unified=0 --find-renames --full-index --no-color --src-prefix=a/ --dst-prefix=b/",
  "--no-ext-diff --no-textconv --ignore-cr-at-eol --ignore-submodules=all",
].flatMap((options) => options.split(" "));

/**
 * Returns how the lines of a file in the work tree are in the commit `head`; undefined if the commit does not have the
 * file. `path`: relative to the top level of the repository. Throws TIMEOUT.
 */
export async function committedFile(
  git: Git,
  { head, path }: { readonly head: string; readonly path: string },
  limits: GitLimits,
): Promise<CommittedFile | undefined> {
  // An argument cannot express such a name.
  if (hasEscapedBytes(path)) return undefined;
  const was = (await isFile(git, `${head}:${path}`, limits))
    ? path
    : await pathBefore(git, { head, path }, limits);
  if (was === undefined) return undefined;
  const places = was === path ? [path] : [was, path];
  const { bytes } = await git(["diff-index", ...PATCH, head, "--", ...places], limits);
  const diff = parseDiff(bytes).find((one) => one.path === path);
  return { path: was, lineOf: (line) => oldLineOf(diff?.hunks ?? [], line) };
}

/** Throws TIMEOUT if git has no time to find out. */
async function isFile(git: Git, name: string, limits: GitLimits): Promise<boolean> {
  const { outcome } = await git(["cat-file", "-e", name], limits);
  if (outcome !== "late") return outcome === "whole";
  throw new SvcError("TIMEOUT", "git took too long to look for the file in its history.", {
    hint: "Try again; the machine may be busy.",
  });
}

/** The path of a renamed file that is not committed yet. */
async function pathBefore(
  git: Git,
  { head, path }: { readonly head: string; readonly path: string },
  limits: GitLimits,
): Promise<string | undefined> {
  const names = ["--raw", "-z", "--find-renames", "--ignore-submodules=all"];
  const { bytes } = await git(["diff-index", ...names, head], limits);
  return parseNames(bytes).find((one) => one.path === path)?.oldPath;
}

/** Maps a line of the new side to the old side; undefined for a line that is only on the new side. 1-based. */
export function oldLineOf(hunks: readonly DiffHunk[], line: number): number | undefined {
  let shift = 0;
  for (const { oldCount, newStart, newCount } of hunks) {
    // A hunk without new lines comes after the line `newStart`.
    const first = newCount === 0 ? newStart + 1 : newStart;
    if (line < first) break;
    if (line < first + newCount) return undefined;
    shift += oldCount - newCount;
  }
  return line + shift;
}
