// The files that usually change with a file, as git has it.

import type { CoChange } from "../../sources/git-history.ts";
import { sourceOf } from "../files/current-text.ts";
import type { RelatedItem } from "../engine.ts";
import type { RelatedContext, Subject } from "./find-related-subject.ts";
import { rootProblem } from "../../sources/source-root.ts";

/** Of so few commits each tells something; of more, one that came together once is chance. */
const MAX_WEAK_COMMITS = 1;
const MIN_COMMITS_TOGETHER = 2;
/** One commit of 15 files, or two of 50, say as much. */
const MIN_EVIDENCE = 0.4;

export interface ChangedTogether {
  readonly items: readonly RelatedItem[];
  /** Why there is nothing, as a sentence. */
  readonly problem: string | undefined;
}

/** At most `limit` files that are there still, those that come most often first. Throws TIMEOUT when the call is over. */
export async function changedTogether(
  { reader, sources, histories }: Pick<RelatedContext, "reader" | "sources" | "histories">,
  { path }: Pick<Subject, "path">,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<ChangedTogether> {
  const place = sourceOf(sources, path);
  if (place === undefined) return { items: [], problem: undefined };
  const changed = rootProblem(place.source);
  if (changed !== undefined) return { items: [], problem: changed };
  const { history, problem } = await histories.of(place.source, signal);
  if (history === undefined) return { items: [], problem };
  const commits = history.commitsOf(place.relative);
  if (commits === 0) {
    return {
      items: [],
      problem: `None of the last ${history.commits} commits that tell changed it.`,
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
      ? `No file came with it in its ${commits} commits more than by chance.`
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
