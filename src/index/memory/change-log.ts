// A change log in memory, for tests: the rules of src/index/change-log over maps and an array.

import { randomUUID } from "node:crypto";

import type {
  ChangeLogStore,
  LostSource,
  NewChange,
  PendingFile,
  PendingState,
  RecordedFile,
} from "../change-log/change-log-store.ts";
import type { ChangeEvent, ChangeLogState } from "../change-log/change-event.ts";
import type { ChangeLogReader } from "../port.ts";

/** Rows of one change log. A transaction works on a copy, which replaces the original when it commits. */
export class MemoryChangeLog implements ChangeLogStore {
  readonly id: string;
  #forgotten = 0;
  #sinceMs = Date.now();
  /** Oldest first, with the hits of all monitors. */
  #changes: ChangeEvent[] = [];
  #baselines = new Map<string, RecordedFile>();
  #pending = new Map<string, PendingFile>();
  /** Id of each reported source -> its prefix. */
  #reported = new Map<number, string>();
  readonly #notes: Map<string, string>;

  constructor(id: string = randomUUID(), notes: ReadonlyMap<string, string> = new Map()) {
    this.id = id;
    this.#notes = new Map(notes);
  }

  copy(): MemoryChangeLog {
    const copy = new MemoryChangeLog(this.id, this.#notes);
    copy.#forgotten = this.#forgotten;
    copy.#sinceMs = this.#sinceMs;
    copy.#changes = [...this.#changes];
    copy.#baselines = new Map(this.#baselines);
    copy.#pending = new Map(this.#pending);
    copy.#reported = new Map(this.#reported);
    return copy;
  }

  /** The baselines of all files. */
  get baselines(): Iterable<RecordedFile> {
    return this.#baselines.values();
  }

  /** All changes, oldest first, with the hits of all monitors. */
  get changes(): readonly ChangeEvent[] {
    return this.#changes;
  }

  readonly state = (): ChangeLogState => ({
    id: this.id,
    last: this.#changes.at(-1)?.seq ?? this.#forgotten,
    forgotten: this.#forgotten,
    sinceMs: this.#sinceMs,
  });

  readonly baseline = (path: string): RecordedFile | undefined => this.#baselines.get(path);
  readonly pending = (path: string): PendingFile | undefined => this.#pending.get(path);
  readonly setBaseline = (file: RecordedFile): void => void this.#baselines.set(file.path, file);
  readonly setIndexedBaseline = this.setBaseline;
  readonly removeBaseline = (path: string): void => void this.#baselines.delete(path);
  readonly setPending = (file: PendingFile): void => void this.#pending.set(file.path, file);
  readonly removePending = (path: string): void => void this.#pending.delete(path);
  readonly hasPending = (): boolean => this.#pending.size > 0;

  readonly pendingStates = (): readonly PendingState[] =>
    [...this.#pending.values()]
      .toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
      .map(({ path, hash }) => ({
        path,
        hash: hash ?? undefined,
        oldHash: this.#baselines.get(path)?.hash ?? undefined,
      }));

  readonly promotePending = (): void => {
    for (const { found: _found, ...file } of this.#pending.values()) {
      if (file.hash === null) this.#baselines.delete(file.path);
      else this.#baselines.set(file.path, file);
    }
    this.#pending.clear();
  };

  readonly isReported = (source: number): boolean => this.#reported.has(source);

  readonly beginReporting = (source: number, prefix: string): number => {
    this.#reported.set(source, prefix);
    return [...this.#baselines.values()].filter((file) => file.source === source).length;
  };

  readonly sourcesWithRemovals = (): readonly LostSource[] =>
    [...this.#reported]
      .map(([source, prefix]) => ({ source, prefix, files: this.#removedOf(source).length }))
      .filter(({ files }) => files > 0)
      .toSorted((one, other) => one.source - other.source);

  readonly endReporting = (source: number): void => {
    for (const { path } of this.#removedOf(source)) {
      this.#pending.delete(path);
      this.#baselines.delete(path);
    }
    this.#reported.delete(source);
  };

  #removedOf(source: number): readonly PendingFile[] {
    return [...this.#pending.values()].filter(
      (file) => file.source === source && file.hash === null,
    );
  }

  readonly append = ({ change, hits, generation, atMs }: NewChange): void => {
    const seq = this.state().last + 1;
    // As stored: JSON drops what is undefined.
    const detail = copyOf(change.detail);
    const stored = hits.map((hit) => ({ monitor: hit.monitor, detail: copyOf(hit.detail) }));
    this.#changes.push({ ...change, detail, seq, generation, atMs, hits: stored });
  };

  readonly newestBefore = (atMs: number): number =>
    this.#changes.findLast((change) => change.atMs < atMs)?.seq ?? 0;

  readonly forget = (until: number): void => {
    const newest = this.#changes.findLast(({ seq }) => seq <= until);
    this.#changes = this.#changes.filter(({ seq }) => seq > until);
    this.#forgotten = until;
    if (newest !== undefined) this.#sinceMs = newest.atMs + 1;
  };

  /** Returns a note stored with the changes. */
  note(name: string): string | undefined {
    return this.#notes.get(name);
  }

  setNote(name: string, value: string): void {
    this.#notes.set(name, value);
  }

  /** Deletes the hits of all other monitors. */
  deleteHitsExcept(monitors: readonly number[]): void {
    this.#changes = this.#changes.map((change) => withHitsOf(change, monitors));
  }
}

/** Reads the change log that `current` returns at the time of each call. */
export function memoryChangeLogReader(current: () => MemoryChangeLog): ChangeLogReader {
  return {
    note: async (name) => current().note(name),
    state: async () => current().state(),
    after: async (seq, limit, monitors) =>
      current()
        .changes.filter((change) => change.seq > seq)
        .slice(0, limit)
        .map((change) => withHitsOf(change, monitors)),
    before: async (seq, limit, monitors) =>
      current()
        .changes.filter((change) => change.seq < seq)
        .toReversed()
        .slice(0, limit)
        .map((change) => withHitsOf(change, monitors)),
    hitsAfter: async ({ after, last }, limit, monitors) =>
      current()
        .changes.filter(({ seq }) => seq > after && seq <= last)
        .flatMap(({ seq, path, hits }) => hits.map(({ monitor }) => ({ seq, monitor, path })))
        .filter(({ monitor }) => monitors.includes(monitor))
        .slice(0, limit),
    seqAtGeneration: async (generation) =>
      current().changes.findLast((change) => change.generation <= generation)?.seq ??
      current().state().forgotten,
    seqBefore: async (atMs) => Math.max(current().newestBefore(atMs), current().state().forgotten),
  };
}

/** The change with the hits of these monitors, in the order of the monitors' ids. */
function withHitsOf(change: ChangeEvent, monitors: readonly number[]): ChangeEvent {
  const hits = change.hits
    .filter(({ monitor }) => monitors.includes(monitor))
    .toSorted((one, other) => one.monitor - other.monitor);
  return { ...change, hits };
}

function copyOf<T>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape, as a database returns it
  return JSON.parse(JSON.stringify(value)) as T;
}
