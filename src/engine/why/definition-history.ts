// The commits that changed a definition, through renames of its file and its own moves between files.

import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { readCommits } from "../../sources/commit-objects.ts";
import type { GitSource } from "../../sources/git.ts";
import {
  readRangeHistory,
  type CommittedRange,
  type RangeChange,
} from "../../sources/line-history.ts";
import { pathOfSource, type SourceHistory } from "../../sources/open-history.ts";
import type { Git } from "../../sources/run-git.ts";
import { findMove } from "./find-move.ts";
import { addedLines, comparable } from "./hunk-text.ts";

/** A change of a definition. */
export interface DefinitionChange extends RangeChange {
  /** Where the definition was in the commit before, if this one moved it. */
  readonly movedFrom: CommittedRange | undefined;
  /** Whether the definition, or the first of its lines, began with this commit. */
  readonly isFirst: boolean;
}

export interface DefinitionHistory {
  /** Newest first. */
  readonly changes: readonly DefinitionChange[];
  /** Whether no time limit cut it. */
  readonly isWhole: boolean;
}

interface HistoryContext {
  readonly git: Git;
  readonly source: GitSource;
  readonly history: SourceHistory;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` after which the history is cut. */
  readonly endsAt: number;
}

const MAX_MOVES = 6;
/** Commits that may have moved the definition, in which its earlier place is searched. */
const MAX_SEARCHES = 12;
const MAX_MS = 60_000;
const MAX_LOG_BYTES = 32 << 20;
/** The share of lines that a commit adds if it moved the definition or wrote it again. */
const MIN_ADDED_SHARE = 0.8;
/** A range with fewer lines may be equal by chance. */
const MIN_MOVED_LINES = 2;

/** Returns the changes of a range. `name`: simple name of its definition, "" if it is none. Throws TIMEOUT. */
export async function readDefinitionHistory(
  context: HistoryContext,
  start: CommittedRange,
  name: string,
): Promise<DefinitionHistory> {
  const changes: DefinitionChange[] = [];
  let range: CommittedRange | undefined = start;
  let searches = 0;
  let isWhole = true;
  for (let moves = 0; range !== undefined && moves <= MAX_MOVES; moves += 1) {
    if (performance.now() >= context.endsAt) {
      isWhole = false;
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- each part begins where the one after it was moved from
    const found = await readRangeHistory(context.git, range, {
      signal: context.signal,
      timeoutMs: leftMs(context),
      maxBytes: MAX_LOG_BYTES,
    });
    let before: CommittedRange | undefined;
    let isShown = true;
    for (const change of found.changes) {
      // Its file came from outside of the source, or had the name of a file with secrets.
      isShown = canBeShown(context, change.path);
      if (!isShown) break;
      if (isMostlyAdded(change) && searches < MAX_SEARCHES) {
        searches += 1;
        // oxlint-disable-next-line no-await-in-loop -- few commits add a whole definition
        before = await placeBefore(context, change, name);
      }
      changes.push({ ...change, movedFrom: before, isFirst: false });
      if (before !== undefined) break;
    }
    if (!isShown) break;
    isWhole &&= before !== undefined || found.outcome === "whole";
    range = before;
  }
  return { changes: isWhole ? withFirst(changes) : changes, isWhole };
}

function canBeShown({ history }: HistoryContext, path: string): boolean {
  return pathOfSource(history, path) !== undefined && skipReasonOfPath(path) !== "secret";
}

/** Milliseconds that a command of git may take; at least one, because git ends by then. */
function leftMs({ endsAt }: HistoryContext): number {
  return Math.max(1, Math.min(MAX_MS, Math.floor(endsAt - performance.now())));
}

function isMostlyAdded({ hunks }: RangeChange): boolean {
  const added = addedLines(hunks).filter((line) => comparable(line) !== "").length;
  const all = hunks
    .flatMap(({ lines }) => lines)
    .filter((line) => !line.startsWith("-") && comparable(line.slice(1)) !== "").length;
  return added >= MIN_MOVED_LINES && added >= all * MIN_ADDED_SHARE;
}

async function placeBefore(
  context: HistoryContext,
  { id, path, hunks }: RangeChange,
  name: string,
): Promise<CommittedRange | undefined> {
  const { git, signal } = context;
  const timeoutMs = leftMs(context);
  if (timeoutMs <= 1) return undefined;
  const commits = await readCommits(git, [id], { signal, timeoutMs, maxBytes: 1 << 20 });
  const parent = commits.get(id)?.parents[0];
  if (parent === undefined) return undefined;
  const lines = hunks.flatMap((hunk) =>
    hunk.lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1)),
  );
  const startLine = Math.min(...hunks.map(({ newStart }) => newStart));
  const endLine = Math.max(...hunks.map(({ newStart, newCount }) => newStart + newCount - 1));
  return findMove(
    { ...context, timeoutMs },
    { commit: id, path, startLine, endLine, parent, name, lines },
  );
}

/** Marks the last change as the first of the definition if nothing was there before it. */
function withFirst(changes: readonly DefinitionChange[]): readonly DefinitionChange[] {
  const last = changes.at(-1);
  const isFirst = last?.hunks.every(({ oldCount }) => oldCount === 0) === true;
  return last === undefined || !isFirst ? changes : [...changes.slice(0, -1), { ...last, isFirst }];
}
