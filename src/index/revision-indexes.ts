// Indexes of commits, kept with the index of the files as they are now. `Index` is `IndexBackend`, which refers to this file.

/** A revision that is being indexed. */
export interface NewRevision<Index> {
  /** Has no index yet. Its `bases` open the index of the namespace as it is now. */
  readonly index: Index;
  /** An empty private folder for files that are read during the build, and deleted after it. */
  readonly files: string;
}

/** How a revision is made. */
export interface RevisionBuild<Index> {
  readonly build: (revision: NewRevision<Index>) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The indexes of revisions of all namespaces. They are removed with their namespace. */
export interface RevisionIndexes<Index> {
  /**
   * Returns what holds the index of a revision, under the name of the namespace; undefined if none is kept. `id`: a name for
   * a file, different for everything that the index depends on.
   */
  readonly find: (namespace: string, id: string) => Index | undefined;
  /**
   * Keeps what `build` makes, all of it or nothing, and returns it. Waits for another process that makes one, and does not
   * build what that process has made. Of each namespace, those asked for last are kept. Throws what `build` throws, and the
   * errors of the file system.
   */
  readonly make: (namespace: string, id: string, how: RevisionBuild<Index>) => Promise<Index>;
  /** Deletes a damaged one. */
  readonly discard: (namespace: string, id: string) => void;
}
