// Where the passages of an answer are: chunks of one file that touch make one passage.

import type { ChunkFacts } from "../../index/segment/outline.ts";
import type { FileFacts } from "../../index/segment/segment-reader.ts";
import type { FileText } from "../../search/excerpt.ts";
import type { CurrentFile } from "../files/current-text.ts";

/** A chunk of the answer. */
export interface Found {
  readonly file: FileFacts;
  readonly chunk: ChunkFacts;
  readonly score: number;
  readonly signals: Readonly<Record<string, number>>;
}

/** A file of the answer as it is now. */
export interface CurrentText extends FileText {
  readonly current: CurrentFile;
  /** Since it was indexed. */
  readonly changed: boolean;
}

/** A passage to be. */
export interface Place {
  /** The best of its chunks. */
  readonly found: Found;
  readonly file: CurrentText;
  /** Its chunks, 1-based, inclusive, the best first. */
  readonly chunks: readonly ChunkPlace[];
}

interface ChunkPlace {
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
}

/** The first and the last line of a passage. */
export function spanOf({ chunks }: Place): {
  readonly startLine: number;
  readonly endLine: number;
} {
  return {
    startLine: Math.min(...chunks.map(({ startLine }) => startLine)),
    endLine: Math.max(...chunks.map(({ endLine }) => endLine)),
  };
}

/** The places in their order, the best first, each with all that touches it or what touches it. */
export function joined(places: readonly Place[]): readonly Place[] {
  const all: Place[] = [];
  for (const place of places) {
    const at = all.findIndex((other) => touch(other, place));
    if (at < 0) all.push(place);
    else join(all, at, place);
  }
  return all;
}

/** What is joined may reach another place that neither of the two touched. */
function join(all: Place[], at: number, place: Place): void {
  const better = all[at];
  if (better === undefined) return;
  const both = { ...better, chunks: [...better.chunks, ...place.chunks] };
  all[at] = both;
  const next = all.findIndex((other) => other !== both && touch(other, both));
  const [worse] = next < 0 ? [] : all.splice(next, 1);
  if (worse !== undefined) join(all, at, worse);
}

/** Whether they are of one file, with nothing but blank lines between them. */
function touch(one: Place, other: Place): boolean {
  if (one.file !== other.file) return false;
  const [own, others] = [spanOf(one), spanOf(other)];
  const [before, after] = own.startLine <= others.startLine ? [own, others] : [others, own];
  const between = one.file.lines.slice(
    before.endLine,
    Math.max(before.endLine, after.startLine - 1),
  );
  return between.every((line) => line.trim() === "");
}
