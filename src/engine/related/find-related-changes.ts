// Finds files that usually change together with a file, from the git history.

import type { CoChange } from "../../sources/git-history.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import type { RelatedItem } from "../api/related.ts";
import type { RelatedContext, Subject } from "./find-related-subject.ts";
import { rootProblem } from "../../sources/source-root.ts";

/** With up to this many commits, one shared commit is evidence; with more, it may be chance. */
const MAX_WEAK_COMMITS = 1;
const MIN_COMMITS_TOGETHER = 2;
/** About the evidence of one commit with 15 files, or of two with 50. */
const MIN_EVIDENCE = 0.4;

export interface ChangedTogether {
  readonly items: readonly RelatedItem[];
  /** Why `items` is empty, as a sentence. */
  readonly problem: string | undefined;
}

/** Up to `limit` existing files, the strongest evidence first. Throws TIMEOUT when the call is cancelled. */
export async function changedTogether(
  { reader, sources, histories }: Pick<RelatedContext, "reader" | "sources" | "histories">,
  { path }: Pick<Subject, "path">,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<ChangedTogether> {
  const place = sourceOfPath(sources, path);
  if (place === undefined) return { items: [], problem: undefined };
  const changed = rootProblem(place.source);
  if (changed !== undefined) return { items: [], problem: changed };
  const { history, problem } = await histories.of(place.source, signal);
  if (history === undefined) return { items: [], problem };
  const commits = history.commitsOf(place.relative);
  if (commits === 0) {
    return {
      items: [],
      problem: `None of the last ${history.commits} relevant commits changed it.`,
    };
  }
  const tree = await reader.fileTree();
  const items: RelatedItem[] = [];
  for (const change of history.changedWith([place.relative])) {
    if (items.length === limit) break;
    const other = place.source.prefix + change.path;
    if (!isCoincidence(change) && tree.has(other)) items.push(itemOf(other, change));
  }
  const isAlone = items.length === 0;
  return {
    items,
    problem: isAlone
      ? `No file changed with it more often than by chance in its ${commits} commits.`
      : undefined,
  };
}

function isCoincidence({ sharedCommits, subjectCommits, evidence }: CoChange): boolean {
  return (
    (sharedCommits < MIN_COMMITS_TOGETHER && subjectCommits > MAX_WEAK_COMMITS) ||
    evidence < MIN_EVIDENCE
  );
}

function itemOf(
  path: string,
  { sharedCommits, subjectCommits, last, score }: CoChange,
): RelatedItem {
  const why = [`${sharedCommits} of ${subjectCommits} commits, last ${last.slice(0, 10)}`];
  return { path, startLine: 0, endLine: 0, symbol: "", why, score };
}
