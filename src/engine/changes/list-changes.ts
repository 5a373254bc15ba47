// What changed since a moment: the journal's entries that fit, with what is known of their symbols today.

import { setTimeout as sleep } from "node:timers/promises";

import { SvcError } from "../../base/errors.ts";
import type { IndexReader } from "../../index/backend.ts";
import type { ChangeDetail } from "../../index/journal/change-detail.ts";
import type { Hit, ToldChange } from "../../index/journal/journal.ts";
import type { SymbolChange } from "../../index/journal/symbol-diff.ts";
import type { Source } from "../../sources/registry.ts";
import type { Monitor } from "../../sources/monitors.ts";
import type { ChangesAnswer, ChangesRequest, FoundChange, FoundHit } from "./changes.ts";
import { commitCursor, journalCursor, readSince, type Since } from "./change-cursor.ts";
import { compareWithCommit, type CommitChange } from "./commit-changes.ts";
import { SymbolsOfChanges, type UsersOf } from "./change-symbols.ts";
import { pathMatcher } from "../files/file-filter.ts";

export interface ChangesSight {
  readonly namespace: string;
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
  /** The caller's own. */
  readonly monitors: readonly Monitor[];
  readonly users: UsersOf;
}

/** What was found before its symbols are looked at, which a reader as new as the changes has to do. */
export interface Collected {
  readonly changes: readonly (ToldChange | CommitChange)[];
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly resetMs: number | undefined;
  readonly compared: string | undefined;
}

type CollectSight = Pick<ChangesSight, "namespace" | "reader" | "sources" | "monitors">;

/** Entries that are read from the journal at once. */
const PAGE = 500;
/** Characters of the answer, roughly: what comes after is for the next call. */
const MOST_CHARACTERS = 40_000;
/** How often the journal is looked at by who waits. */
const LOOK_MS = 50;
/** Calls that wait at the same moment; further ones are answered with what there is, and ask again. */
const MOST_WAITING = 32;
let waiting = 0;
/** Symbols that are shown of one change. */
const MOST_SYMBOLS = 20;

/**
 * Finds the changes that are asked for, and waits for one when there is none. `look` has the files looked at
 * again. Throws INVALID_CURSOR, INVALID_PARAMS.
 */
export async function collectChanges(
  sight: CollectSight,
  request: ChangesRequest,
  look: () => void,
): Promise<Collected> {
  const { journal, version } = sight.reader;
  const since = readSince(request.since, sight.namespace, { journal, generation: version.at });
  const wanted = wantedBy(sight, request);
  if (since.kind === "commit") return fromCommit(sight, request, since);
  const search = new JournalSearch(sight, request, wanted);
  const found = search.start(since);
  const waitMs = waiting < MOST_WAITING ? request.waitMs : 0;
  const until = performance.now() + waitMs;
  let result = found;
  waiting += 1;
  try {
    while (result.changes.length === 0 && performance.now() < until && !request.signal.aborted) {
      look();
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await sleep(Math.min(LOOK_MS, Math.max(1, until - performance.now())));
      result = search.goOn(result.seq);
    }
  } finally {
    waiting -= 1;
  }
  const state = journal.state();
  return {
    changes: result.changes,
    cursor: journalCursor(sight.namespace, state, result.seq),
    hasMore: result.isFull && result.seq < state.last,
    resetMs: since.kind === "journal" && since.isReset ? state.sinceMs : undefined,
    compared: undefined,
  };
}

interface Wanted {
  readonly ids: readonly number[];
  readonly fits: (change: ToldChange) => boolean;
}

function wantedBy({ monitors }: CollectSight, request: ChangesRequest): Wanted {
  const { path, monitor } = request;
  const matches = path === undefined ? undefined : pathMatcher(path);
  const one = monitor === undefined ? undefined : requireMonitor(monitors, monitor);
  return {
    ids: monitors.map(({ id }) => id),
    fits: ({ path: now, oldPath, hits }) =>
      (matches === undefined || matches(now) || (oldPath !== undefined && matches(oldPath))) &&
      (one === undefined || hits.some((hit) => hit.monitor === one.id)),
  };
}

/** Throws INVALID_PARAMS with the names that there are. */
function requireMonitor(monitors: readonly Monitor[], name: string): Monitor {
  const monitor = monitors.find((one) => one.name === name);
  if (monitor !== undefined) return monitor;
  const names = monitors.map((one) => one.name).slice(0, 10);
  throw new SvcError("INVALID_PARAMS", `You have no monitor "${name}".`, {
    hint:
      names.length === 0
        ? "You have none; `set_monitor` with `create` makes one."
        : `There are: ${names.join(", ")}.`,
  });
}

interface Found {
  readonly changes: readonly ToldChange[];
  /** Everything up to this one has been looked at. */
  readonly seq: number;
  /** True when there may be more behind it. */
  readonly isFull: boolean;
}

class JournalSearch {
  readonly #sight: CollectSight;
  readonly #limit: number;
  readonly #wanted: Wanted;

  constructor(sight: CollectSight, { limit }: ChangesRequest, wanted: Wanted) {
    this.#sight = sight;
    this.#limit = limit;
    this.#wanted = wanted;
  }

  start(since: Exclude<Since, { kind: "commit" }>): Found {
    return since.kind === "last" ? this.#last() : this.goOn(since.seq);
  }

  /** The newest ones, oldest first. */
  #last(): Found {
    const { journal } = this.#sight.reader;
    const { last } = journal.state();
    const changes: ToldChange[] = [];
    let left = MOST_CHARACTERS;
    for (let before = last + 1; ;) {
      const page = journal.before(before, PAGE, this.#wanted.ids);
      for (const change of page) {
        if (!this.#wanted.fits(change)) continue;
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

  goOn(seq: number): Found {
    const { journal } = this.#sight.reader;
    const changes: ToldChange[] = [];
    let left = MOST_CHARACTERS;
    for (let after = seq; ;) {
      const page = journal.after(after, PAGE, this.#wanted.ids);
      for (const change of page) {
        if (this.#wanted.fits(change)) {
          left -= lengthOf(change);
          if (left < 0 && changes.length > 0) return { changes, seq: after, isFull: true };
          changes.push(change);
        }
        after = change.seq;
        if (changes.length === this.#limit) return { changes, seq: after, isFull: true };
      }
      if (page.length < PAGE) return { changes, seq: after, isFull: false };
    }
  }
}

/** What a change takes of the answer. */
function lengthOf({ path, oldPath, detail, hits }: ToldChange | CommitChange): number {
  const symbols = Math.min(MOST_SYMBOLS, detail.symbols?.length ?? 0);
  const found = hits.length === 0 ? 0 : JSON.stringify(hits).length;
  return 120 + path.length + (oldPath?.length ?? 0) + symbols * 250 + found;
}

async function fromCommit(
  sight: CollectSight,
  request: ChangesRequest,
  since: Extract<Since, { kind: "commit" }>,
): Promise<Collected> {
  if (request.monitor !== undefined) {
    throw new SvcError("INVALID_PARAMS", "A comparison with a commit has no hits of monitors.", {
      hint: "Give a cursor, a time or a generation as since.",
    });
  }
  const { name, offset, seq } = since;
  const { limit, path, signal } = request;
  const compared = await compareWithCommit(sight, { name, offset, limit, path, signal });
  const state = sight.reader.journal.state();
  const isOver = compared.next === undefined;
  return {
    changes: compared.changes,
    cursor: isOver
      ? journalCursor(sight.namespace, state, seq)
      : commitCursor(sight.namespace, state, { name, offset: compared.next ?? 0, seq }),
    hasMore: !isOver,
    resetMs: undefined,
    compared: compared.description,
  };
}

/** The answer, with symbols and users as they are now. */
export async function describeChanges(
  sight: ChangesSight,
  { changes, cursor, hasMore, resetMs, compared }: Collected,
  signal: AbortSignal,
): Promise<Omit<ChangesAnswer, "namespace">> {
  const symbols = new SymbolsOfChanges(sight, signal);
  const names = new Map(sight.monitors.map(({ id, name }) => [id, name]));
  const found: FoundChange[] = [];
  // Newest first: a definition that changed twice is described where it changed last.
  for (const change of changes.toReversed()) {
    const { kind, path, oldPath, detail, hits } = change;
    const all: readonly SymbolChange[] = detail.symbols ?? [];
    const shown = all.slice(0, MOST_SYMBOLS);
    found.push({
      kind,
      path,
      oldPath,
      generation: "generation" in change ? change.generation : undefined,
      atMs: "atMs" in change ? change.atMs : undefined,
      // oxlint-disable-next-line no-await-in-loop -- what is looked at is bounded over all of them
      symbols: await symbols.describe(path, shown),
      moreSymbols: all.length - shown.length + (detail.more ?? 0),
      ...flagsOf(detail),
      hits: hits.flatMap((hit) => namedHit(hit, names)),
    });
  }
  return {
    generation: sight.reader.version.at,
    changes: found.toReversed(),
    nextCursor: cursor,
    hasMore,
    resetMs,
    compared,
  };
}

function flagsOf(
  detail: ChangeDetail,
): Pick<FoundChange, "isOutside" | "isWhitespace" | "isUnread" | "files"> {
  return {
    isOutside: detail.outside === true,
    isWhitespace: detail.whitespace === true,
    isUnread: detail.unread === true,
    files: detail.files,
  };
}

function namedHit({ monitor, detail }: Hit, names: ReadonlyMap<number, string>): FoundHit[] {
  const name = names.get(monitor);
  if (name === undefined) return [];
  const isRecord = typeof detail === "object" && detail !== null;
  return [{ monitor: name, detail: isRecord ? { ...detail } : {} }];
}
