import type { CredentialStore } from "./store.ts";

/** The store of this process. It is opened on first use, and again when its data key has changed. */
export class StoreHandle {
  readonly #open: () => Promise<CredentialStore | undefined>;
  #store: Promise<CredentialStore | undefined> | undefined;
  /** The resolved value of `#store`. */
  #current: CredentialStore | undefined;

  constructor(open: () => Promise<CredentialStore | undefined>) {
    this.#open = open;
  }

  /** Returns the store; undefined while there is none. */
  async get(): Promise<CredentialStore | undefined> {
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

  /** Takes a newly created store. */
  set(created: CredentialStore): void {
    this.#store = Promise.resolve(created);
    this.#current = created;
  }

  /**
   * Returns the result of `work` on the store. If the store's data key has changed, reopens it and tries once more.
   */
  async use<T>(work: (store: CredentialStore | undefined) => T): Promise<T> {
    const opened = await this.get();
    try {
      return work(opened);
    } catch (thrown) {
      if (opened?.isStale() !== true) throw thrown;
      this.#drop(opened);
    }
    return work(await this.get());
  }

  async close(): Promise<void> {
    (await this.#store?.catch(() => undefined))?.close();
  }

  #drop(stale: CredentialStore): void {
    // A later concurrent call must not drop the store that an earlier one has reopened,
    if (this.#current === stale) {
      this.#store = undefined;
      this.#current = undefined;
    }
    // and calls in progress must not find their store closed.
    setImmediate(() => stale.close());
  }
}
