// Files by their number in all scored segments together.

import type { ChunkFacts, FileFacts } from "../types.ts";
import type { ScoredSegments, ScoredView } from "./scored-segments.ts";

/** Reads files by their numbers. Two machines with the same version of an index give each file the same number. */
export interface NumberedFiles {
  readonly facts: (file: number) => FileFacts;
  readonly path: (file: number) => string;
  readonly chunks: (file: number) => readonly ChunkFacts[];
}

export function numberedFiles({ segments }: ScoredSegments): NumberedFiles {
  const read = <T>(file: number, of: (view: ScoredView, ordinal: number) => T): T => {
    const view = viewOf(segments, file);
    return of(view, file - view.fileBase);
  };
  return {
    facts: (file) => read(file, ({ reader }, ordinal) => reader.file(ordinal)),
    path: (file) => read(file, ({ reader }, ordinal) => reader.path(ordinal)),
    chunks: (file) => read(file, ({ reader }, ordinal) => reader.chunksOf(ordinal)),
  };
}

/** Returns the segment with this file. Throws RangeError. */
export function viewOf(segments: readonly ScoredView[], file: number): ScoredView {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((segments[middle]?.fileBase ?? 0) <= file) low = middle;
    else high = middle - 1;
  }
  const view = segments[low];
  if (view === undefined || file < 0 || file >= view.fileBase + view.reader.files) {
    throw new RangeError(`no file ${file}`);
  }
  return view;
}
