/**
 * Where segments live. Everything the index needs of a disk, and nothing more, so that the same code
 * runs on memory in tests. A name is a plain file name; a written file never changes.
 */
export interface Storage {
  /** Throws SvcError INDEX_UNAVAILABLE when there is no such file. */
  readonly open: (name: string) => StoredFile;
  /** Writes the parts one after the other under `name`: all of it or nothing, durable on return. */
  readonly write: (name: string, parts: readonly Uint8Array[]) => void;
  /** Removing what is not there is no error: two processes may clean up the same file. */
  readonly remove: (name: string) => void;
  readonly list: () => readonly string[];
}

export interface StoredFile {
  readonly sizeBytes: number;
  /** Exactly `length` bytes from `offset`, in memory of their own. Throws INDEX_UNAVAILABLE when the file is shorter. */
  readonly read: (offset: number, length: number) => Uint8Array<ArrayBuffer>;
  readonly close: () => void;
}
