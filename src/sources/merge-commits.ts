// Finds the merge that brought a commit into a branch.

import type { Commit } from "./commit-objects.ts";
import type { Git, GitLimits } from "./run-git.ts";

/** Reading the parents of 60,000 commits takes half a second. */
const MAX_MS = 2000;
const MAX_BYTES = 48 << 20;

/**
 * Returns the merge by which each commit came into the branch of `head`: the oldest commit among `head` and its first
 * parents that has it, if that is a merge. Only of the commits for which it is known in time. Throws TIMEOUT when the call
 * is cancelled.
 */
export async function mergesOf(
  git: Git,
  { head, commits }: { readonly head: string; readonly commits: readonly Commit[] },
  { signal, timeoutMs }: Pick<GitLimits, "signal" | "timeoutMs">,
): Promise<ReadonlyMap<string, string>> {
  const [oldest] = commits.toSorted((one, other) => (one.authoredAt < other.authoredAt ? -1 : 1));
  if (oldest === undefined) return new Map();
  const limits = { signal, timeoutMs: Math.min(timeoutMs, MAX_MS), maxBytes: MAX_BYTES };
  // No merge that has the oldest one is among the ancestors of its parents.
  const range = [head, ...oldest.parents.map((id) => `^${id}`)];
  const { bytes, outcome } = await git(
    ["rev-list", "--parents", "--end-of-options", ...range],
    limits,
  );
  if (outcome !== "whole") return new Map();
  const parents = new Map<string, readonly string[]>();
  for (const line of bytes.toString("latin1").split("\n")) {
    const [id, ...rest] = line.split(" ");
    if (id !== undefined && id !== "") parents.set(id, rest);
  }
  return broughtBy(parents, head, new Set(commits.map(({ id }) => id)));
}

function broughtBy(
  parents: ReadonlyMap<string, readonly string[]>,
  head: string,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const branch: string[] = [];
  for (let id: string | undefined = head; id !== undefined && parents.has(id);) {
    branch.push(id);
    id = parents.get(id)?.[0];
  }
  const seen = new Set(branch);
  const found = new Map<string, string>();
  for (const merge of branch.toReversed()) {
    const open = (parents.get(merge) ?? []).slice(1);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const next = parents.get(id);
      if (next === undefined || seen.has(id)) continue;
      seen.add(id);
      if (wanted.has(id)) found.set(id, merge);
      open.push(...next);
    }
  }
  return found;
}
