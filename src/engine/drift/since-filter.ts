// Limits removals to later commits: those after a commit, branch or tag, or after a time.

import { SvcError } from "../../base/errors.ts";
import { listNewCommits } from "../../sources/commit-patches.ts";
import { requireCommit } from "../../sources/git-change.ts";
import type { Commit } from "../../sources/commit-objects.ts";
import type { SourceHistory } from "../../sources/open-history.ts";
import type { Git } from "../../sources/run-git.ts";

const MAX_COMMITS = 100_000;
const TIMEOUT_MS = 30_000;
const SINCE_HINT = "Give a branch, a tag, an id, `HEAD~3`, or a time: `2d`, `2026-01-31`.";

/**
 * Returns whether a commit is after `since`, a revision or an ISO 8601 time. Throws INVALID_PARAMS for neither, and
 * TIMEOUT.
 */
export async function sinceFilter(
  git: Git,
  { history }: { readonly history: SourceHistory },
  { since, signal }: { readonly since: string | undefined; readonly signal: AbortSignal },
): Promise<(commit: Pick<Commit, "id" | "authoredAt">) => boolean> {
  if (since === undefined) return () => true;
  const atMs = /^\d{4}-\d\d-\d\d(?:$|[T ])/.test(since) ? Date.parse(since) : Number.NaN;
  if (!Number.isNaN(atMs)) return ({ authoredAt }) => Date.parse(authoredAt) >= atMs;
  const old = await requireCommit(history.repository, since, { signal, hint: SINCE_HINT });
  const { head, below } = history;
  const range = { head, old, below, max: MAX_COMMITS };
  const ids = await listNewCommits(git, range, { signal, timeoutMs: TIMEOUT_MS });
  if (ids === undefined) {
    throw new SvcError("INVALID_PARAMS", `since: "${since}" is not in the history of HEAD.`, {
      hint: "Give an earlier commit of this branch, a tag of it, or a time.",
    });
  }
  const later = new Set(ids);
  return ({ id }) => later.has(id);
}
