// The commits that a project leaves out of blame, because they only reformatted: `.git-blame-ignore-revs`.

import { join } from "node:path";

import type { Repository } from "./git.ts";
import { readInside } from "./guarded-read.ts";
import type { Git, GitLimits } from "./run-git.ts";

const FILE = ".git-blame-ignore-revs";
const MAX_FILE_BYTES = 1 << 20;
/** Each is an argument of git. */
const MAX_REVISIONS = 200;

/** Returns the full ids in that file, in the top level of the work tree, of commits that exist. Throws TIMEOUT. */
export async function ignoredRevisions(
  git: Git,
  { topLevel }: Repository,
  limits: GitLimits,
): Promise<readonly string[]> {
  const bytes = readInside([topLevel], join(topLevel, FILE), MAX_FILE_BYTES);
  const named = bytes?.toString("latin1").match(/^(?:[0-9a-f]{64}|[0-9a-f]{40})\b/gm) ?? [];
  const ids = [...new Set(named)].slice(0, MAX_REVISIONS);
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}\n`).join("");
  const { bytes: known } = await git(["cat-file", "--batch-check"], limits, input);
  return known.toString("latin1").match(/^[0-9a-f]+(?= commit \d+$)/gm) ?? [];
}
