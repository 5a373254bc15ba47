// What the admin's view plots: the last calls and index runs that this server has seen.
import type { NamespaceStatus } from "../../engine/api/status.ts";
import type { ReadIndexStatus } from "./index-metrics.ts";

/** A call of a tool or of the REST search. */
export interface RecentCall {
  /** Milliseconds since 1970, when it ended. */
  readonly at: number;
  readonly ms: number;
  readonly tool: string;
  readonly outcome: string;
}

/** A run that published a change of an index. */
export interface RecentRun {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly namespace: string;
  readonly generation: number;
}

const MAX_CALLS = 500;
const MAX_RUNS = 200;

/** The newest events, up to a maximum. */
class Newest<T> {
  readonly #max: number;
  readonly #all: T[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get all(): readonly T[] {
    return this.#all;
  }

  add(one: T): void {
    this.#all.push(one);
    if (this.#all.length > this.#max) this.#all.shift();
  }
}

/** Kept in memory, with names of tools and namespaces and without any text of calls. */
export class RecentEvents {
  readonly #calls = new Newest<RecentCall>(MAX_CALLS);
  readonly #runs = new Newest<RecentRun>(MAX_RUNS);
  readonly #generations = new Map<string, number>();

  get calls(): readonly RecentCall[] {
    return this.#calls.all;
  }

  get runs(): readonly RecentRun[] {
    return this.#runs.all;
  }

  addCall(call: RecentCall): void {
    this.#calls.add(call);
  }

  /** Returns the same reader of the status, whose answers are noted. */
  noting(read: ReadIndexStatus): ReadIndexStatus {
    return async (signal) => {
      const all = await read(signal);
      this.noteStatus(all);
      return all;
    };
  }

  /** Notes the last run of each namespace, unless it is known. Runs between two readings of the status count as one. */
  noteStatus(all: readonly NamespaceStatus[]): void {
    for (const { name, generation, indexed_at: indexedAt } of all) {
      if (indexedAt === null || this.#generations.get(name) === generation) continue;
      this.#generations.set(name, generation);
      this.#runs.add({ at: Date.parse(indexedAt), namespace: name, generation });
    }
  }
}
