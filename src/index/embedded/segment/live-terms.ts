// Whether a word is in any file that a segment still stands for: others have been replaced, or are of another worktree whose
// index shares the segment.

import { eachPosting } from "../../coding/posting-list.ts";
import type { DictionaryEntry } from "./dictionary-reader.ts";
import type { SegmentView } from "./live-segments.ts";

/** Returns whether a live file of the segment has the term in its text, its names or its path. */
export function hasLiveDocument(
  { reader, tombstones }: Pick<SegmentView, "reader" | "tombstones">,
  entry: DictionaryEntry,
): boolean {
  if (!tombstones.includes(1)) return true;
  const ofChunk = reader.filesOfChunks();
  let isLive = false;
  for (const field of ["body", "names", "path"] as const) {
    eachPosting(reader.dictionary.list(entry, field), (document) => {
      const file = field === "path" ? document : (ofChunk[document] ?? -1);
      if (tombstones[file] === 0) isLive = true;
    });
    if (isLive) return true;
  }
  return false;
}
