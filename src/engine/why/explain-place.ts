// Explains lines or a definition: the commits that made them what they are.

import { SvcError } from "../../base/errors.ts";
import { hasEscapedBytes } from "../../base/path-bytes.ts";
import { readCommits, type Commit } from "../../sources/commit-objects.ts";
import { ignoredRevisions } from "../../sources/ignored-revisions.ts";
import { type LineOrigin, type CommittedRange } from "../../sources/line-history.ts";
import {
  openHistory,
  pathOfRepository,
  pathOfSource,
  type SourceHistory,
  shallowProblem,
} from "../../sources/open-history.ts";
import type { PatchHunk } from "../../sources/patch-text.ts";
import { withGit, type Git, type GitLimits } from "../../sources/run-git.ts";
import { requireRoot } from "../../sources/source-root.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import { committedFile, type CommittedFile } from "../../sources/uncommitted-lines.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { WhyCommit, WhyRequest, WhyResult } from "../api/why.ts";
import { answerWithinMs } from "../open-indexes.ts";
import { described, mergedRequests, revertsAmong } from "./describe-commit.ts";
import { readDefinitionHistory, type DefinitionChange } from "./definition-history.ts";
import { hunkAround, hunkText, isFormatting } from "./hunk-text.ts";
import { LineWriters } from "./line-writers.ts";
import type { WhyPlace } from "./why-target.ts";

export type PlaceAnswer = Pick<WhyResult, "target" | "commits" | "moreCommits" | "partial">;

/** Commits of a history that are read to find those that reverted others. */
const MAX_READ_COMMITS = 300;
const MAX_BYTES = 32 << 20;

interface PlaceContext {
  readonly git: Git;
  readonly source: Source;
  readonly history: SourceHistory;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` after which the answer is partial. */
  readonly endsAt: number;
}

/** The source of a path and its history. */
async function historyOfPath(
  sources: readonly Source[],
  path: string,
  signal: AbortSignal,
): Promise<{
  readonly source: Source;
  readonly relative: string;
  readonly history: SourceHistory;
}> {
  const place = sourceOfPath(sources, path);
  if (place === undefined) {
    throw new SvcError("PATH_NOT_FOUND", `No source has ${path}.`, {
      hint: "`svc namespaces list` shows the sources.",
    });
  }
  requireRoot(place.source);
  return { ...place, history: await openHistory(place.source, signal) };
}

/** Throws INVALID_PARAMS without a usable repository, and TIMEOUT. */
export async function explainPlace(
  sources: readonly Source[],
  place: WhyPlace,
  { limit, signal, deadline }: Pick<WhyRequest, "limit" | "signal" | "deadline">,
): Promise<PlaceAnswer> {
  const endsAt = performance.now() + answerWithinMs(deadline);
  const { source, relative, history } = await historyOfPath(sources, place.path, signal);
  const path = pathOfRepository(history, relative);
  if (hasEscapedBytes(path)) {
    throw new SvcError("INVALID_PARAMS", `The name of ${place.path} is not valid UTF-8.`, {
      hint: "Use `git log` for this file.",
    });
  }
  return withGit(history.repository, (git) =>
    new PlaceExplanation({ git, source, history, signal, endsAt }, place).explain(path, limit),
  );
}

/** A commit of the answer, before it is described. */
interface Found {
  /** Lines of the question that it wrote: in the current file, and where they were in the commit. */
  readonly wrote: Map<number, LineOrigin>;
  /** Of the definition. */
  change: DefinitionChange | undefined;
  isFormatting: boolean;
}

class PlaceExplanation {
  readonly #context: PlaceContext;
  readonly #place: WhyPlace;
  readonly #writers: LineWriters;
  readonly #partial: string[] = [];
  readonly #found = new Map<string, Found>();

  constructor(context: PlaceContext, place: WhyPlace) {
    this.#context = context;
    this.#place = place;
    this.#writers = new LineWriters({ ...context, limits: () => this.#limits }, place);
  }

  get #limits(): GitLimits {
    const { signal, endsAt } = this.#context;
    const timeoutMs = Math.max(1, Math.floor(endsAt - performance.now()));
    return { signal, timeoutMs, maxBytes: MAX_BYTES };
  }

  async explain(path: string, limit: number): Promise<PlaceAnswer> {
    const { git, history } = this.#context;
    const { head, repository, shallow } = history;
    const missing = shallowProblem(history);
    const file = await committedFile(git, { head, path }, this.#limits);
    const asked = linesOf(this.#place);
    const lines = asked.filter((line) => file?.lineOf(line) === undefined);
    const target = this.#target(lines);
    if (file === undefined) return { target, commits: [], moreCommits: 0, partial: [] };
    const ignored = await ignoredRevisions(git, repository, this.#limits);
    const [origins, changes] = await Promise.all([
      this.#writers.writersOf(file, asked, ignored),
      this.#scopeHistory(file),
    ]);
    for (const [line, origin] of await this.#writers.beforeMoves(origins, changes, ignored))
      this.#of(origin.id).wrote.set(line, origin);
    for (const id of this.#writers.formatting) this.#of(id).isFormatting = true;
    if (!this.#writers.isWhole) this.#partial.push(NOT_WHOLE);
    for (const change of changes) {
      const found = this.#of(change.id);
      found.change ??= change;
      found.isFormatting ||= isFormatting(change.hunks) || ignored.includes(change.id);
    }
    const isCut = [...this.#found.keys()].some((id) => shallow.has(id));
    if (missing !== undefined && isCut) this.#partial.push(missing);
    const commits = await this.#describe(limit);
    return {
      target,
      commits,
      moreCommits: Math.max(0, this.#found.size - commits.length),
      partial: [...new Set(this.#partial)],
    };
  }

  #target(uncommitted: readonly number[]): WhyResult["target"] {
    const { path, startLine, endLine, symbol, others } = this.#place;
    return {
      path,
      startLine,
      endLine,
      symbol,
      uncommitted,
      others: others.map((other) => ({
        path: other.path,
        startLine: other.startLine,
        qualifiedName: other.qualifiedName,
      })),
    };
  }

  #of(id: string): Found {
    let found = this.#found.get(id);
    if (found === undefined) {
      found = { wrote: new Map(), change: undefined, isFormatting: false };
      this.#found.set(id, found);
    }
    return found;
  }

  async #scopeHistory(file: CommittedFile): Promise<readonly DefinitionChange[]> {
    const { scope, name } = this.#place;
    const lines = linesOf(scope).flatMap((line) => file.lineOf(line) ?? []);
    if (lines.length === 0) return [];
    const range: CommittedRange = {
      commit: this.#context.history.head,
      path: file.path,
      startLine: Math.min(...lines),
      endLine: Math.max(...lines),
    };
    const { changes, isWhole } = await readDefinitionHistory(this.#context, range, name);
    if (!isWhole) this.#partial.push(NOT_WHOLE);
    return changes;
  }

  async #describe(limit: number): Promise<readonly WhyCommit[]> {
    const ids = [...this.#found.keys()].slice(0, MAX_READ_COMMITS);
    const commits = await readCommits(this.#context.git, ids, this.#limits);
    const known = ids.flatMap((id) => {
      const commit = commits.get(id);
      return commit === undefined ? [] : [{ commit, found: this.#of(id) }];
    });
    const reverts = revertsAmong(known.map(({ commit }) => commit));
    const shown = known.toSorted(compare).slice(0, limit);
    const { git, history } = this.#context;
    const branch = { head: history.head, commits: shown.map(({ commit }) => commit) };
    const others = shown.filter(({ found }) => found.change === undefined);
    const [merged, hunks] = await Promise.all([
      mergedRequests(git, branch, this.#limits),
      this.#writers.hunksOf(others.flatMap(({ found }) => [...found.wrote.values()])),
    ]);
    return shown.map(({ commit, found }) => {
      const own = found.change ?? hunks.get(commit.id);
      return {
        ...described(commit, reverts),
        merged: merged.get(commit.id),
        why: this.#reasons(found),
        isFormatting: found.isFormatting,
        path: own === undefined ? "" : this.#pathInIndex(own.path),
        hunk: own === undefined ? "" : hunkText(own.hunks.map((hunk) => this.#near(hunk, found))),
        touched: [],
      };
    });
  }

  /** A long hunk around the lines of the question that the commit wrote. */
  #near(hunk: PatchHunk, { wrote }: Found): PatchHunk {
    if (!this.#place.isLines || wrote.size === 0) return hunk;
    return hunkAround(hunk, new Set([...wrote.values()].map(({ line }) => line)));
  }

  #pathInIndex(path: string): string {
    const { source, history } = this.#context;
    return source.prefix + (pathOfSource(history, path) ?? "");
  }

  #reasons({ wrote, change, isFormatting: isForm }: Found): readonly string[] {
    const all = linesOf(this.#place).length;
    const { isFirst = false, movedFrom } = change ?? {};
    const reasons = [
      ...(wrote.size === 0 ? [] : [`wrote ${linesText(wrote, all)}`]),
      ...(isFirst ? ["introduced it"] : []),
      ...(movedFrom === undefined ? [] : [`moved it from ${this.#pathInIndex(movedFrom.path)}`]),
      ...(isForm ? ["formatting only"] : []),
    ];
    return reasons.length === 0 ? ["changed it"] : reasons;
  }
}

/**
 * Sorts commits: first those that wrote the most of the current lines, then the newest, and formatting commits last.
 */
function compare(one: Described, other: Described): number {
  const isLast = ({ found }: Described): number =>
    Number(found.isFormatting && found.wrote.size === 0);
  return (
    isLast(one) - isLast(other) ||
    other.found.wrote.size - one.found.wrote.size ||
    (one.commit.authoredAt < other.commit.authoredAt ? 1 : -1)
  );
}

const NOT_WHOLE = "git could not read all of the history in time, so older commits may be missing.";

interface Described {
  readonly commit: Commit;
  readonly found: Found;
}

function linesOf({
  startLine,
  endLine,
}: {
  readonly startLine: number;
  readonly endLine: number;
}): readonly number[] {
  return Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at);
}

/** `line 12`, `3 of 8 lines`. */
function linesText(wrote: ReadonlyMap<number, unknown>, all: number): string {
  const [first = 0] = wrote.keys();
  if (wrote.size === 1) return `line ${first}`;
  return wrote.size === all ? `all ${all} lines` : `${wrote.size} of ${all} lines`;
}
