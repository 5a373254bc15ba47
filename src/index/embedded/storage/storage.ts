/**
 * The storage of segments: only what the index needs of a disk, so that the same code runs on memory in tests.
 * A name is a plain file name; a written file never changes.
 */
export interface Storage {
  /** Throws INDEX_UNAVAILABLE if the file does not exist. */
  readonly open: (name: string) => StoredFile;
  /**
   * Writes the parts in order under `name`, atomically; durable on return. Each part is written before the next one is
   * asked for. Returns the size in bytes.
   */
  readonly write: (name: string, parts: Iterable<Uint8Array>) => number;
  /** Does nothing for a missing file: two processes may remove the same one. */
  readonly remove: (name: string) => void;
  /** Returns the names of all files. */
  readonly list: () => readonly string[];
}

/** An open file; the caller closes it. */
export interface StoredFile {
  readonly sizeBytes: number;
  /**
   * Returns exactly `length` bytes from `offset`: in `to`, which has this length, else in a new array. Throws
   * INDEX_UNAVAILABLE if the file is shorter.
   */
  readonly read: (
    offset: number,
    length: number,
    to?: Uint8Array<ArrayBuffer>,
  ) => Uint8Array<ArrayBuffer>;
  readonly close: () => void;
}
