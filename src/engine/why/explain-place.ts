// Explains lines or a definition: the commits that made them what they are.

import { SvcError } from "../../base/errors.ts";
import { hasEscapedBytes } from "../../base/path-bytes.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { readCommits, type Commit } from "../../sources/commit-objects.ts";
import { readPatches } from "../../sources/commit-patches.ts";
import { ignoredRevisions } from "../../sources/ignored-revisions.ts";
import {
  readLineOrigins,
  type LineOrigin,
  type CommittedRange,
} from "../../sources/line-history.ts";
import {
  openHistory,
  pathOfRepository,
  pathOfSource,
  type SourceHistory,
} from "../../sources/open-history.ts";
import type { FilePatch, PatchHunk } from "../../sources/patch-text.ts";
import { withGit, type Git, type GitLimits } from "../../sources/run-git.ts";
import { requireRoot } from "../../sources/source-root.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import { committedFile, type CommittedFile } from "../../sources/uncommitted-lines.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { WhyCommit, WhyRequest, WhyResult } from "../api/why.ts";
import { answerWithinMs } from "../open-indexes.ts";
import { readDefinitionHistory, type DefinitionChange } from "./definition-history.ts";
import { addedLines, comparable, hunkAround, hunkText, isFormatting } from "./hunk-text.ts";
import { issuesIn, revertedIn, shownBody } from "./message-facts.ts";
import type { WhyPlace } from "./why-target.ts";

export type PlaceAnswer = Pick<WhyResult, "target" | "commits" | "moreCommits" | "partial">;

/** A file has more lines than an answer can explain one by one. */
const MAX_BLAMED_LINES = 400;
/** Commits that only reformatted the lines, one before the other, before the one that wrote them. */
const MAX_FORMATTINGS = 4;
/** Commits of a history that are read to find those that reverted others. */
const MAX_READ_COMMITS = 300;
const MAX_BYTES = 32 << 20;
const MAX_BODY_CHARACTERS = 4000;

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
    throw new SvcError("INVALID_PARAMS", `The name of ${place.path} is no valid UTF-8.`, {
      hint: "Use `git log` for this file.",
    });
  }
  return withGit(history.repository, (git) =>
    new PlaceExplanation({ git, source, history, signal, endsAt }, place).explain(path, limit),
  );
}

/** A commit of the answer, before it is described. */
interface Found {
  /** Lines of the question that it wrote, in the current file. */
  readonly wrote: number[];
  /** Of the definition. */
  change: DefinitionChange | undefined;
  isFormatting: boolean;
}

class PlaceExplanation {
  readonly #context: PlaceContext;
  readonly #place: WhyPlace;
  readonly #partial: string[] = [];
  readonly #found = new Map<string, Found>();

  constructor(context: PlaceContext, place: WhyPlace) {
    this.#context = context;
    this.#place = place;
  }

  get #limits(): GitLimits {
    const { signal, endsAt } = this.#context;
    const timeoutMs = Math.max(1, Math.floor(endsAt - performance.now()));
    return { signal, timeoutMs, maxBytes: MAX_BYTES };
  }

  async explain(path: string, limit: number): Promise<PlaceAnswer> {
    const { git, history } = this.#context;
    const { head, repository, shallow } = history;
    const file = await committedFile(git, { head, path }, this.#limits);
    const asked = linesOf(this.#place);
    const lines = asked.filter((line) => file?.lineOf(line) === undefined);
    const target = this.#target(lines);
    if (file === undefined) return { target, commits: [], moreCommits: 0, partial: [] };
    const ignored = await ignoredRevisions(git, repository, this.#limits);
    const [, changes] = await Promise.all([
      this.#blame(file, asked, ignored),
      this.#scopeHistory(file),
    ]);
    for (const change of changes) {
      const found = this.#of(change.id);
      found.change ??= change;
      found.isFormatting ||= isFormatting(change.hunks) || ignored.includes(change.id);
    }
    if ([...this.#found.keys()].some((id) => shallow.has(id))) this.#partial.push(SHALLOW);
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
      found = { wrote: [], change: undefined, isFormatting: false };
      this.#found.set(id, found);
    }
    return found;
  }

  /** Finds the commit that wrote each line. A commit that only reformatted a line did not write it. */
  async #blame(
    file: CommittedFile,
    asked: readonly number[],
    ignored: readonly string[],
  ): Promise<void> {
    const { git, history } = this.#context;
    const lines = new Map<number, number>();
    for (const line of asked.slice(0, MAX_BLAMED_LINES)) {
      const old = file.lineOf(line);
      if (old !== undefined) lines.set(old, line);
    }
    if (lines.size === 0) return;
    const range: CommittedRange = {
      commit: history.head,
      path: file.path,
      startLine: Math.min(...lines.keys()),
      endLine: Math.max(...lines.keys()),
    };
    let skipped = [...ignored];
    let origins: ReadonlyMap<number, LineOrigin> = new Map();
    for (let round = 0; round <= MAX_FORMATTINGS; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each round leaves out what the one before found
      const found = await readLineOrigins(git, range, { ...this.#limits, ignored: skipped });
      if (found.size === 0) break;
      origins = found;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const formatting = await this.#formattingAmong(new Set(ofLines(found, lines.keys())));
      if (formatting.length === 0 || round === MAX_FORMATTINGS) break;
      for (const id of formatting) this.#of(id).isFormatting = true;
      skipped = [...skipped, ...formatting];
    }
    if (origins.size === 0) this.#partial.push(NO_TIME);
    for (const [old, line] of lines) {
      const origin = origins.get(old);
      if (origin !== undefined) this.#of(origin.id).wrote.push(line);
    }
  }

  /** Those of the commits that changed only the form of this file. */
  async #formattingAmong(ids: ReadonlySet<string>): Promise<readonly string[]> {
    // Only a few commits wrote the lines of a question; of a whole definition all are shown anyway.
    if (!this.#place.isLines || ids.size > MAX_FORMATTINGS) return [];
    const hunks = await this.#hunksWith([...ids]);
    return [...ids].filter((id) => {
      const own = hunks.get(id);
      return own !== undefined && own.hunks.length > 0 && isFormatting(own.hunks);
    });
  }

  /** The hunks of commits that added one of the lines of the question. */
  async #hunksWith(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly path: string; readonly hunks: readonly PatchHunk[] }>> {
    const { git, history } = this.#context;
    if (ids.length === 0) return new Map();
    const { commits } = await readPatches(git, { ids, below: history.below }, this.#limits);
    const { lines } = this.#place;
    const wanted = new Set(
      linesOf(this.#place)
        .map((line) => comparable(lines[line - 1] ?? ""))
        .filter((line) => line !== ""),
    );
    return new Map(
      commits.flatMap(({ id, files }) => {
        const file = files.map((one) => hunksAdding(one, wanted)).find((one) => one !== undefined);
        return file === undefined ? [] : [[id, file] as const];
      }),
    );
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
    if (!isWhole) this.#partial.push(NO_TIME);
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
    const without = shown.filter(({ found }) => found.change === undefined);
    const hunks = await this.#hunksWith(without.map(({ commit }) => commit.id));
    return shown.map(({ commit, found }) => {
      const own = found.change ?? hunks.get(commit.id);
      return {
        ...described(commit, reverts),
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
    const { lines, isLines } = this.#place;
    if (!isLines || wrote.length === 0) return hunk;
    const wanted = new Set(wrote.map((line) => comparable(lines[line - 1] ?? "")));
    return hunkAround(hunk, (line) => comparable(line) !== "" && wanted.has(comparable(line)));
  }

  #pathInIndex(path: string): string {
    const { source, history } = this.#context;
    return source.prefix + (pathOfSource(history, path) ?? "");
  }

  #reasons({ wrote, change, isFormatting: isForm }: Found): readonly string[] {
    const all = linesOf(this.#place).length;
    return [
      ...(wrote.length === 0 ? [] : [`wrote ${linesText(wrote, all)}`]),
      ...(change?.isFirst === true ? ["introduced it"] : []),
      ...(change?.movedFrom === undefined
        ? []
        : [`moved it from ${this.#pathInIndex(change.movedFrom)}`]),
      ...(isForm ? ["formatting only"] : []),
      ...(change === undefined || wrote.length > 0 || isForm || change.isFirst
        ? []
        : ["changed it"]),
    ];
  }
}

/** Those that wrote the most lines of the question as they are now first; then the newest; formatting last. */
function compare(one: Described, other: Described): number {
  const isLast = ({ found }: Described): number =>
    Number(found.isFormatting && found.wrote.length === 0);
  return (
    isLast(one) - isLast(other) ||
    other.found.wrote.length - one.found.wrote.length ||
    (one.commit.authoredAt < other.commit.authoredAt ? 1 : -1)
  );
}

const NO_TIME = "git had no time to read all of it, so older commits may be missing.";
const SHALLOW =
  "The clone is shallow, so older commits are missing; run `git fetch --unshallow` in it.";

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

function ofLines(
  origins: ReadonlyMap<number, LineOrigin>,
  lines: Iterable<number>,
): readonly string[] {
  return [...lines].flatMap((line) => origins.get(line)?.id ?? []);
}

function hunksAdding(
  { path, hunks }: FilePatch,
  wanted: ReadonlySet<string>,
): { readonly path: string; readonly hunks: readonly PatchHunk[] } | undefined {
  if (path === undefined || skipReasonOfPath(path) === "secret") return undefined;
  const own = hunks.filter((hunk) =>
    addedLines([hunk]).some((line) => wanted.has(comparable(line))),
  );
  return own.length === 0 ? undefined : { path, hunks: own };
}

/** `line 12`, `3 of 8 lines`. */
function linesText(wrote: readonly number[], all: number): string {
  if (wrote.length === 1) return `line ${wrote[0] ?? 0}`;
  return wrote.length === all ? `all ${all} lines` : `${wrote.length} of ${all} lines`;
}

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
    body: shownBody(body, MAX_BODY_CHARACTERS),
    issues: issuesIn(`${subject}\n${body}`),
    reverts: reverted.get(id),
    revertedBy: revertedBy.get(id),
  };
}
