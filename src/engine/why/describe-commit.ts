// Describes commits: their messages, and how they refer to each other.

import { readCommits, type Commit } from "../../sources/commit-objects.ts";
import { mergesOf } from "../../sources/merge-commits.ts";
import type { Git, GitLimits } from "../../sources/run-git.ts";
import type { MergedRequest, WhyCommit } from "../api/why.ts";
import { issuesIn, mergedRequestIn, revertedIn, shownBody } from "./message-facts.ts";

const MAX_BODY_CHARACTERS = 4000;

/** By commit: what it reverts and what reverts it. */
export interface Reverts {
  readonly reverted: ReadonlyMap<string, string>;
  readonly revertedBy: ReadonlyMap<string, string>;
}

/** Finds reverts among these commits. */
export function revertsAmong(commits: readonly Commit[]): Reverts {
  const reverted = new Map<string, string>();
  const revertedBy = new Map<string, string>();
  for (const { id, subject, body } of commits) {
    for (const named of revertedIn(`${subject}\n${body}`)) {
      const other = commits.find((one) => one.id.startsWith(named))?.id;
      reverted.set(id, other ?? named);
      if (other !== undefined) revertedBy.set(other, id);
    }
  }
  return { reverted, revertedBy };
}

/** What the commit itself says. */
export function described(
  { id, author, authoredAt, subject, body }: Commit,
  { reverted, revertedBy }: Reverts,
): Pick<
  WhyCommit,
  "id" | "author" | "authoredAt" | "subject" | "body" | "issues" | "reverts" | "revertedBy"
> {
  return {
    id,
    author,
    authoredAt,
    subject,
    body: shownBody(body, MAX_BODY_CHARACTERS, subject),
    issues: issuesIn(`${subject}\n${body}`),
    reverts: reverted.get(id),
    revertedBy: revertedBy.get(id),
  };
}

/** Returns the pull requests by which these commits came into the branch of `head`, by commit. Throws TIMEOUT. */
export async function mergedRequests(
  git: Git,
  branch: { readonly head: string; readonly commits: readonly Commit[] },
  limits: GitLimits,
): Promise<ReadonlyMap<string, MergedRequest>> {
  const merges = await mergesOf(git, branch, limits);
  const messages = await readCommits(git, [...new Set(merges.values())], limits);
  const requests = new Map<string, MergedRequest>();
  for (const [id, commit] of merges) {
    const { subject = "", body = "" } = messages.get(commit) ?? {};
    const request = mergedRequestIn(`${subject}\n${body}`);
    if (request !== undefined) requests.set(id, { request, commit });
  }
  return requests;
}
