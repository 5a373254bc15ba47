// The note of an index about the other index that it started from.

/** Key of the note in the index. */
export const START_NOTE = "start";

export interface StartNote {
  /** The namespace of the index that it started from. */
  readonly base: string;
  /** Number of files that were taken from it. */
  readonly same: number;
  /** Number of files at that time. */
  readonly files: number;
}

export function encodeStart(note: StartNote): string {
  return JSON.stringify(note);
}

/** Undefined for an index that was built from the files. */
export function decodeStart(text: string | undefined): StartNote | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `encodeStart` made, from a row with a checksum
  return text === undefined ? undefined : (JSON.parse(text) as StartNote);
}
