// Lists changes: the matching entries of the change log, with the current state of their symbols.

import { SvcError } from "../../base/errors.ts";
import type { IndexReader } from "../../index/port.ts";
import type { ChangeDetail } from "../../index/change-log/change-detail.ts";
import type { ChangeHit, ChangeEvent } from "../../index/change-log/change-event.ts";
import type { SymbolChange } from "../../index/change-log/symbol-diff.ts";
import type { Monitor, Source } from "../../sources/registry/records.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { ChangeItem, ChangesRequest, ChangesResult, HitItem } from "../api/changes.ts";
import { commitCursor, changeLogCursor, parseSince, type ChangePosition } from "./change-cursor.ts";
import { compareWithCommit, type CommitChange } from "./commit-changes.ts";
import { ChangedSymbolDescriber, type FindUsers } from "./change-symbols.ts";
import { pathFilter } from "../files/file-filter.ts";
import type { VersionSignal } from "../version-signal.ts";

export interface ChangesContext {
  readonly namespace: string;
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  readonly texts: TextReader;
  /** Not masked, for comparisons. */
  readonly rawTexts: TextReader;
  /** Monitors of the caller. */
  readonly monitors: readonly Monitor[];
  readonly users: FindUsers;
}

/** Changes whose symbols are not described yet; that takes an index reader at least as new as the changes. */
export interface CollectedChanges {
  readonly changes: readonly (ChangeEvent | CommitChange)[];
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly resetMs: number | undefined;
  readonly compared: string | undefined;
}

type CollectContext = Omit<ChangesContext, "texts" | "users">;

/** Entries per read of the change log. */
const PAGE_SIZE = 500;
/** Approximate maximum length of an answer; further changes are on the next page. */
const MAX_CHARACTERS = 40_000;
/** Maximum concurrent waiting calls; further calls return at once, possibly without changes. */
const MAX_WAITING_CALLS = 32;
let waitingCalls = 0;
/** Maximum symbols per change. */
const MAX_SYMBOLS = 20;

/** How a call waits for changes. */
export interface ChangeWaiting {
  /** Starts another check of the files, if the last one is too old. */
  readonly refresh: () => void;
  /** Notices new versions of the index. */
  readonly versions: () => VersionSignal;
}

/**
 * Finds the requested changes, and waits up to `waitMs` for one when there is none. Throws INVALID_CURSOR and
 * INVALID_PARAMS.
 */
export async function collectChanges(
  context: CollectContext,
  request: ChangesRequest,
  waiting: ChangeWaiting,
): Promise<CollectedChanges> {
  const { changeLog, version } = context.reader;
  const since = await parseSince(request.since, context.namespace, {
    changeLog,
    generation: version.at,
  });
  const wanted = changeFilterOf(context, request);
  if (since.kind === "commit") return fromCommit(context, request, since);
  const search = new ChangeLogSearch(context, request, wanted);
  let result = await search.start(since);
  const waitMs = waitingCalls < MAX_WAITING_CALLS ? request.waitMs : 0;
  if (result.changes.length === 0 && waitMs > 0) {
    result = await waitForChanges(search, result, { ...request, waitMs }, waiting);
  }
  const state = await changeLog.state();
  return {
    changes: result.changes,
    cursor: changeLogCursor(context.namespace, state, result.seq),
    hasMore: result.isFull && result.seq < state.last,
    resetMs: since.kind === "changeLog" && since.isReset ? state.sinceMs : undefined,
    compared: undefined,
  };
}

/** Reads the change log after each new version, until there is a change or `waitMs` is over. */
async function waitForChanges(
  search: ChangeLogSearch,
  nothing: ChangesFound,
  { waitMs, signal }: Pick<ChangesRequest, "waitMs" | "signal">,
  { refresh, versions: watch }: ChangeWaiting,
): Promise<ChangesFound> {
  const until = performance.now() + waitMs;
  const versions = watch();
  let result = nothing;
  waitingCalls += 1;
  try {
    for (;;) {
      // The first of these reads finds a version that was published before the watch began.
      // oxlint-disable-next-line no-await-in-loop -- each read follows a new version
      result = await search.continueFrom(result.seq);
      const leftMs = until - performance.now();
      if (result.changes.length > 0 || leftMs <= 0 || signal.aborted) return result;
      refresh();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await versions.next(leftMs, signal);
    }
  } finally {
    versions.close();
    waitingCalls -= 1;
  }
}

interface ChangeFilter {
  readonly ids: readonly number[];
  readonly fits: (change: ChangeEvent) => boolean;
}

function changeFilterOf({ monitors }: CollectContext, request: ChangesRequest): ChangeFilter {
  const { monitor } = request;
  const matches = pathFilter(request);
  const one = monitor === undefined ? undefined : requireMonitor(monitors, monitor);
  return {
    ids: monitors.map(({ id }) => id),
    fits: ({ path: now, oldPath, hits }) =>
      (matches === undefined || matches(now) || (oldPath !== undefined && matches(oldPath))) &&
      (one === undefined || hits.some((hit) => hit.monitor === one.id)),
  };
}

/** Throws INVALID_PARAMS, listing the existing names. */
function requireMonitor(monitors: readonly Monitor[], name: string): Monitor {
  const monitor = monitors.find((one) => one.name === name);
  if (monitor !== undefined) return monitor;
  const names = monitors.map((one) => one.name).slice(0, 10);
  throw new SvcError("INVALID_PARAMS", `You have no monitor "${name}".`, {
    hint:
      names.length === 0
        ? "You have no monitors; create one with `set_monitor`."
        : `Your monitors: ${names.join(", ")}.`,
  });
}

interface ChangesFound {
  readonly changes: readonly ChangeEvent[];
  /** Entries up to this one have been checked. */
  readonly seq: number;
  /** True when there may be more after it. */
  readonly isFull: boolean;
}

class ChangeLogSearch {
  readonly #context: CollectContext;
  readonly #limit: number;
  readonly #filter: ChangeFilter;

  constructor(context: CollectContext, { limit }: ChangesRequest, filter: ChangeFilter) {
    this.#context = context;
    this.#limit = limit;
    this.#filter = filter;
  }

  start(since: Exclude<ChangePosition, { kind: "commit" }>): Promise<ChangesFound> {
    return since.kind === "last" ? this.#last() : this.continueFrom(since.seq);
  }

  /** The newest changes, oldest first. */
  async #last(): Promise<ChangesFound> {
    const { changeLog } = this.#context.reader;
    const { last } = await changeLog.state();
    const changes: ChangeEvent[] = [];
    let left = MAX_CHARACTERS;
    for (let before = last + 1; ;) {
      // oxlint-disable-next-line no-await-in-loop -- each page starts where the last one ended
      const page = await changeLog.before(before, PAGE_SIZE, this.#filter.ids);
      for (const change of page) {
        if (!this.#filter.fits(change)) continue;
        left -= lengthOf(change);
        const isOver = changes.length === this.#limit || (left < 0 && changes.length > 0);
        if (isOver) return { changes: changes.toReversed(), seq: last, isFull: false };
        changes.push(change);
      }
      const end = page.at(-1);
      if (end === undefined) return { changes: changes.toReversed(), seq: last, isFull: false };
      before = end.seq;
    }
  }

  async continueFrom(seq: number): Promise<ChangesFound> {
    const { changeLog } = this.#context.reader;
    const changes: ChangeEvent[] = [];
    let left = MAX_CHARACTERS;
    for (let after = seq; ;) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const page = await changeLog.after(after, PAGE_SIZE, this.#filter.ids);
      for (const change of page) {
        if (this.#filter.fits(change)) {
          left -= lengthOf(change);
          if (left < 0 && changes.length > 0) return { changes, seq: after, isFull: true };
          changes.push(change);
        }
        after = change.seq;
        if (changes.length === this.#limit) return { changes, seq: after, isFull: true };
      }
      if (page.length < PAGE_SIZE) return { changes, seq: after, isFull: false };
    }
  }
}

/** Approximate characters of a change in the answer. */
function lengthOf({ path, oldPath, detail, hits }: ChangeEvent | CommitChange): number {
  const symbols = Math.min(MAX_SYMBOLS, detail.symbols?.length ?? 0);
  const found = hits.length === 0 ? 0 : JSON.stringify(hits).length;
  return 120 + path.length + (oldPath?.length ?? 0) + symbols * 250 + found;
}

async function fromCommit(
  context: CollectContext,
  request: ChangesRequest,
  since: Extract<ChangePosition, { kind: "commit" }>,
): Promise<CollectedChanges> {
  if (request.monitor !== undefined) {
    throw new SvcError("INVALID_PARAMS", "A comparison with a commit has no monitor hits.", {
      hint: "Give a cursor, a time or a generation as since.",
    });
  }
  const { name, offset, seq } = since;
  const { limit, path, within, signal } = request;
  const wanted = { name, offset, limit, path, within, signal };
  const compared = await compareWithCommit(context, wanted);
  const state = await context.reader.changeLog.state();
  const isOver = compared.next === undefined;
  return {
    changes: compared.changes,
    cursor: isOver
      ? changeLogCursor(context.namespace, state, seq)
      : commitCursor(context.namespace, state, { name, offset: compared.next ?? 0, seq }),
    hasMore: !isOver,
    resetMs: undefined,
    compared: compared.description,
  };
}

/** The answer, with the current lines, signatures and users of the symbols. */
export async function describeChanges(
  context: ChangesContext,
  { changes, cursor, hasMore, resetMs, compared }: CollectedChanges,
  signal: AbortSignal,
): Promise<Omit<ChangesResult, "namespace">> {
  const symbols = new ChangedSymbolDescriber(context, signal);
  const names = new Map(context.monitors.map(({ id, name }) => [id, name]));
  const found: ChangeItem[] = [];
  // Newest first: a definition that changed twice is described where it changed last.
  for (const change of changes.toReversed()) {
    const { kind, path, oldPath, detail, hits } = change;
    const all: readonly SymbolChange[] = detail.symbols ?? [];
    const shown = all.slice(0, MAX_SYMBOLS);
    found.push({
      kind,
      path,
      oldPath,
      generation: "generation" in change ? change.generation : undefined,
      atMs: "atMs" in change ? change.atMs : undefined,
      // oxlint-disable-next-line no-await-in-loop -- the describer limits the work per answer
      symbols: await symbols.describe(path, shown),
      moreSymbols: all.length - shown.length + (detail.more ?? 0),
      ...flagsOf(detail),
      hits: hits.flatMap((hit) => namedHit(hit, names)),
    });
  }
  return {
    generation: context.reader.version.at,
    changes: found.toReversed(),
    nextCursor: cursor,
    hasMore,
    resetMs,
    compared,
  };
}

function flagsOf(
  detail: ChangeDetail,
): Pick<ChangeItem, "isOutside" | "isWhitespace" | "isNotIndexed" | "files"> {
  return {
    isOutside: detail.outside === true,
    isWhitespace: detail.whitespace === true,
    isNotIndexed: detail.unread === true,
    files: detail.files,
  };
}

function namedHit({ monitor, detail }: ChangeHit, names: ReadonlyMap<number, string>): HitItem[] {
  const name = names.get(monitor);
  if (name === undefined) return [];
  const isRecord = typeof detail === "object" && detail !== null;
  return [{ monitor: name, detail: isRecord ? { ...detail } : {} }];
}
