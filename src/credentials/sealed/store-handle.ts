import type { SealedStore } from "./sealed-store.ts";

/** The store of this process. It is opened on first use, and again when its data key has changed. */
export class StoreHandle {
  readonly #open: () => Promise<SealedStore | undefined>;
  #store: Promise<SealedStore | undefined> | undefined;
  /** The resolved value of `#store`. */
  #current: SealedStore | undefined;

  constructor(open: () => Promise<SealedStore | undefined>) {
    this.#open = open;
  }

  /** Returns the store; undefined while there is none. */
  async get(): Promise<SealedStore | undefined> {
    this.#store ??= this.#open().then((opened) => (this.#current = opened));
    try {
      const opened = await this.#store;
      // Absence is not cached: another process may create the store at any moment.
      if (opened === undefined) this.#store = undefined;
      return opened;
    } catch (thrown) {
      // Nor is failure: the user can unlock a locked keychain.
      this.#store = undefined;
      throw thrown;
    }
  }

  /** Takes a store that was opened for a new credential, in place of the one that was open before. */
  set(created: SealedStore): void {
    const before = this.#current;
    this.#store = Promise.resolve(created);
    this.#current = created;
    if (before !== undefined) closeSoon(before);
  }

  /**
   * Returns the result of `work` on the store. If the store's data key has changed, reopens it and tries once more.
   */
  async use<T>(work: (store: SealedStore | undefined) => Promise<T>): Promise<T> {
    const opened = await this.get();
    try {
      return await work(opened);
    } catch (thrown) {
      if (opened?.isStale() !== true) throw thrown;
      this.#drop(opened);
    }
    return work(await this.get());
  }

  async close(): Promise<void> {
    const opened = await this.#store?.catch(() => undefined);
    await opened?.close();
  }

  #drop(stale: SealedStore): void {
    // A later concurrent call must not drop the store that an earlier one has reopened.
    if (this.#current === stale) {
      this.#store = undefined;
      this.#current = undefined;
    }
    closeSoon(stale);
  }
}

/** Calls in progress must not find their store closed. */
function closeSoon(store: SealedStore): void {
  setImmediate(() => void store.close());
}
