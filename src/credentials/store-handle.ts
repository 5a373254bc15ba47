import type { CredentialStore } from "./store.ts";

/** The store as a process has it open: opened when it is first asked for, and again when its data key was changed. */
export class StoreHandle {
  readonly #open: () => Promise<CredentialStore | undefined>;
  #store: Promise<CredentialStore | undefined> | undefined;
  /** What `#store` came to. */
  #current: CredentialStore | undefined;

  constructor(open: () => Promise<CredentialStore | undefined>) {
    this.#open = open;
  }

  /** Undefined while there is none. */
  async get(): Promise<CredentialStore | undefined> {
    this.#store ??= this.#open().then((opened) => (this.#current = opened));
    try {
      const opened = await this.#store;
      // Absence is not remembered: another process may make the store at any moment.
      if (opened === undefined) this.#store = undefined;
      return opened;
    } catch (thrown) {
      // Nor is failure: a locked keychain can be unlocked.
      this.#store = undefined;
      throw thrown;
    }
  }

  /** Takes a store that was just created. */
  set(created: CredentialStore): void {
    this.#store = Promise.resolve(created);
    this.#current = created;
  }

  /** What `work` comes to with the store; tried again with a new opening when its data key is another one now. */
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
    // Of calls at the same time, a later one must not drop what an earlier one has opened anew,
    if (this.#current === stale) {
      this.#store = undefined;
      this.#current = undefined;
    }
    // nor find closed what it still has in hand.
    setImmediate(() => stale.close());
  }
}
