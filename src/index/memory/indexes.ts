import { emptyState, type IndexState } from "./index-state.ts";
import { WriterLock } from "./writer-lock.ts";

/** Indexes by namespace. Several backends can use the same ones, like processes that share a folder. */
export class MemoryIndexes {
  readonly #byNamespace = new Map<string, MemoryIndex>();

  of(namespace: string): MemoryIndex {
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const created = new MemoryIndex();
    this.#byNamespace.set(namespace, created);
    return created;
  }

  /** Forgets the index of a namespace. Open readers keep what they read. */
  remove(namespace: string): void {
    this.of(namespace).clear();
  }

  /**
   * Takes the lock from the writer of a namespace, as if its lock file were deleted: another writer can open, and the
   * first one can no longer write once that one has written.
   */
  revokeWriter(namespace: string): void {
    this.of(namespace).lock.revoke();
  }
}

/** The index of one namespace, as all backends that share it see it. */
export class MemoryIndex {
  readonly lock = new WriterLock();
  /** The reported damage. */
  damage: string | undefined;
  #state: IndexState | undefined;
  readonly #listeners = new Set<() => void>();

  /** Undefined until a writer has been opened. */
  get state(): IndexState | undefined {
    return this.#state;
  }

  /** Creates the index if there is none; with `isRestart`, without the files of the one before. */
  create(isRestart: boolean): IndexState {
    if (this.#state === undefined || isRestart) this.publish(emptyState(this.#state));
    return this.requireState();
  }

  /** Back to the time before the first writer. */
  clear(): void {
    this.#state = undefined;
    this.damage = undefined;
  }

  requireState(): IndexState {
    if (this.#state === undefined) throw new Error("no writer has created the index");
    return this.#state;
  }

  /** Replaces the state and notifies the listeners. */
  publish(state: IndexState): void {
    this.#state = state;
    for (const listener of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener();
      });
    }
  }

  /** Calls `listener` after each change. Returns a function that stops it. */
  watch(listener: () => void): () => void {
    // A listener may be added twice.
    const added = (): void => listener();
    this.#listeners.add(added);
    return () => void this.#listeners.delete(added);
  }
}
