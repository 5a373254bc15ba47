// Where the words of the commits of a source are stored. They can be read from its repository again at any time.

import type { Storage } from "../embedded/storage/storage.ts";

/** The stored words of the commits of one source. */
export interface CommitStorage {
  readonly storage: Storage;
  /**
   * Takes the lock of the one process that adds commits. Returns a function that releases it, or undefined while another
   * process holds it.
   */
  readonly lock: () => (() => void) | undefined;
}

/** Opens the storage for the commits of a source of a namespace. It is removed with the index of the namespace. */
export interface OpenCommitStorage {
  (namespace: string, source: string): CommitStorage;
  /** Whether something may be stored for a namespace; otherwise nothing need be opened. */
  readonly has: (namespace: string) => boolean;
}
