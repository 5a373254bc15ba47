// Positions of the passages of an answer. Adjacent chunks of a file form one passage.

import { areInSamePart } from "../../base/documents/places.ts";
import type { ChunkFacts, FileFacts } from "../../index/types.ts";
import type { ExcerptSource } from "../../search/excerpt.ts";
import type { WordMatches } from "../../search/word-matches.ts";
import type { SourceText } from "../../sources/text/source-text.ts";

/** A chunk of the answer. */
export interface FoundChunk {
  readonly file: FileFacts;
  readonly chunk: ChunkFacts;
  readonly score: number;
  readonly signals: Readonly<Record<string, number>>;
  readonly matches: WordMatches;
  /** As in `Passage`; empty for all chunks of a file but its best one. */
  readonly copies: readonly string[];
  readonly translations: readonly string[];
}

/** The current text of a file of the answer. */
export interface CurrentText extends ExcerptSource {
  readonly current: Pick<SourceText, "lines"> & Partial<Pick<SourceText, "document">>;
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
}

/** A passage before its text is cut. */
export interface PassagePlace {
  /** The best of its chunks. */
  readonly found: FoundChunk;
  readonly file: CurrentText;
  /** Of a document: the line that matches best, 1-based, whose page, slide, cell … the passage is named after. */
  readonly focus?: number | undefined;
  /** Its chunks, 1-based, inclusive, the best first. */
  readonly chunks: readonly ChunkPlace[];
}

interface ChunkPlace {
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
}

/** The first and the last line of a passage. */
export function spanOf({ chunks }: PassagePlace): {
  readonly startLine: number;
  readonly endLine: number;
} {
  return {
    startLine: Math.min(...chunks.map(({ startLine }) => startLine)),
    endLine: Math.max(...chunks.map(({ endLine }) => endLine)),
  };
}

/** The places in their order, best first, each joined with all places that are adjacent, directly or indirectly. */
export function joinPlaces(places: readonly PassagePlace[]): readonly PassagePlace[] {
  const all: PassagePlace[] = [];
  for (const place of places) {
    const at = all.findIndex((other) => areAdjacent(other, place));
    if (at < 0) all.push(place);
    else joinPlace(all, at, place);
  }
  return all;
}

/** Joins `place` to the place at `at`. The result may be adjacent to a third place, which is joined too. */
function joinPlace(all: PassagePlace[], at: number, place: PassagePlace): void {
  const better = all[at];
  if (better === undefined) return;
  const both = { ...better, chunks: [...better.chunks, ...place.chunks] };
  all[at] = both;
  const next = all.findIndex((other) => other !== both && areAdjacent(other, both));
  const [worse] = next < 0 ? [] : all.splice(next, 1);
  if (worse !== undefined) joinPlace(all, at, worse);
}

/**
 * Whether both are in one file, with only blank lines between them. Parts of a document stay apart: a result names one.
 */
function areAdjacent(one: PassagePlace, other: PassagePlace): boolean {
  if (one.file !== other.file || !isSamePart(one, other)) return false;
  const [own, others] = [spanOf(one), spanOf(other)];
  const [before, after] = own.startLine <= others.startLine ? [own, others] : [others, own];
  const between = one.file.lines.slice(
    before.endLine,
    Math.max(before.endLine, after.startLine - 1),
  );
  return between.every((line) => line.trim() === "");
}

function isSamePart(one: PassagePlace, other: PassagePlace): boolean {
  const { document } = one.file.current;
  if (document === undefined || one.focus === undefined || other.focus === undefined) return true;
  return areInSamePart(document, one.focus, other.focus);
}
