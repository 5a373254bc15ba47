import {
  MAX_ATTEMPTS,
  MAX_NODE_SILENCE_MS,
  NODE_LOST,
  RETRY_MS,
  type TakenUpdate,
  type UpdateQueue,
  type UpdateResult,
  type UpdateState,
} from "./port.ts";

interface Entry {
  state: UpdateState;
  /** Undefined for every repository. */
  sources: readonly number[] | undefined;
  rebuild: boolean;
  runAfterMs: number;
  attempts: number;
  /** The attempt that runs. */
  taken: { readonly request: number; untilMs: number } | undefined;
}

/** What the queues of several nodes share. */
export interface SharedUpdates {
  /** Namespace -> its updates. */
  readonly entries: Map<string, Entry>;
  /** Node -> its name and when it was last heard of. */
  readonly nodes: Map<UpdateQueue, { readonly name: string; readonly seenMs: number }>;
}

export function sharedUpdates(): SharedUpdates {
  return { entries: new Map(), nodes: new Map() };
}

/** A queue in memory, for tests. `now`: milliseconds of a clock. */
export function memoryUpdates(
  shared: SharedUpdates = sharedUpdates(),
  now: () => number = Date.now,
): UpdateQueue {
  return new MemoryUpdates(shared, now);
}

class MemoryUpdates implements UpdateQueue {
  readonly #shared: SharedUpdates;
  readonly #now: () => number;

  constructor(shared: SharedUpdates, now: () => number) {
    this.#shared = shared;
    this.#now = now;
  }

  readonly request: UpdateQueue["request"] = async ({ namespace, sources, rebuild = false }) => {
    const { entries } = this.#shared;
    const before = entries.get(namespace);
    const { requested = 0, ended = 0, progress, attempt } = before?.state ?? {};
    const joins = before !== undefined && isOpen(before);
    entries.set(namespace, {
      state: { requested: requested + 1, ended, progress, attempt },
      sources: joins ? union(before.sources, sources) : sources,
      rebuild: rebuild || (joins && before.rebuild),
      runAfterMs: this.#now(),
      attempts: before?.taken === undefined ? 0 : before.attempts,
      taken: before?.taken,
    });
    return requested + 1;
  };

  readonly take: UpdateQueue["take"] = async () => {
    const now = this.#now();
    const isFree = ({ taken }: Entry): boolean => taken === undefined || taken.untilMs <= now;
    const { entries } = this.#shared;
    for (const entry of entries.values()) {
      if (entry.taken === undefined || !isFree(entry) || entry.attempts < MAX_ATTEMPTS) continue;
      endAttempt(entry, NODE_LOST, now);
    }
    const [first] = [...entries]
      .filter(([, entry]) => isFree(entry) && isOpen(entry) && entry.runAfterMs <= now)
      .toSorted(([, one], [, other]) => one.runAfterMs - other.runAfterMs);
    return first && this.#take(...first);
  };

  readonly stateOf: UpdateQueue["stateOf"] = async (namespace) =>
    this.#shared.entries.get(namespace)?.state;

  readonly openCount: UpdateQueue["openCount"] = async () =>
    [...this.#shared.entries.values()].filter(isOpen).length;

  readonly forget: UpdateQueue["forget"] = async (namespace) => {
    this.#shared.entries.delete(namespace);
  };

  readonly announce: UpdateQueue["announce"] = async (name) => {
    this.#shared.nodes.set(this, { name, seenMs: this.#now() });
  };

  readonly retire: UpdateQueue["retire"] = async () => {
    this.#shared.nodes.delete(this);
  };

  readonly nodes: UpdateQueue["nodes"] = async () => {
    const first = this.#now() - MAX_NODE_SILENCE_MS;
    const seen = [...this.#shared.nodes.values()].filter(({ seenMs }) => seenMs >= first);
    return seen.map(({ name }) => name).toSorted();
  };

  #take(namespace: string, entry: Entry): TakenUpdate {
    const now = this.#now;
    const taken = { request: entry.state.requested, untilMs: now() + MAX_NODE_SILENCE_MS };
    entry.taken = taken;
    entry.attempts += 1;
    entry.state = { ...entry.state, progress: {} };
    const ownEntry = (): Entry | undefined => {
      const current = this.#shared.entries.get(namespace);
      return current?.taken === taken ? current : undefined;
    };
    return {
      namespace,
      sources: entry.sources,
      rebuild: entry.rebuild,
      keep: async (progress) => {
        const own = ownEntry();
        if (own === undefined) return false;
        taken.untilMs = now() + MAX_NODE_SILENCE_MS;
        own.state = { ...own.state, progress };
        return true;
      },
      end: async (result) => {
        const own = ownEntry();
        if (own !== undefined) endAttempt(own, result, now());
      },
      giveBack: async () => {
        const own = ownEntry();
        if (own === undefined) return;
        own.taken = undefined;
        own.attempts -= 1;
        own.state = { ...own.state, progress: undefined };
      },
    };
  }
}

function isOpen({ state }: Entry): boolean {
  return state.requested > state.ended;
}

function endAttempt(entry: Entry, result: UpdateResult, now: number): void {
  const request = entry.taken?.request ?? 0;
  const isDone = result.problem === undefined || entry.attempts >= MAX_ATTEMPTS;
  const isFollowed = entry.state.requested > request;
  entry.taken = undefined;
  entry.runAfterMs = isDone || isFollowed ? now : now + (RETRY_MS[entry.attempts - 1] ?? 0);
  if (isDone || isFollowed) entry.attempts = 0;
  entry.state = {
    ...entry.state,
    ended: isDone ? request : entry.state.ended,
    progress: undefined,
    attempt: { request, result },
  };
}

/** Undefined stands for all. */
function union(
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): readonly number[] | undefined {
  if (one === undefined || other === undefined) return undefined;
  return [...new Set([...one, ...other])].toSorted((first, second) => first - second);
}
