import { wholeLength } from "../coding/length-code.ts";
import type { CollectionStatistics } from "./candidate-shard.ts";
import type { ScoredSegment } from "./scored-segment.ts";
import type { ScoredSegments } from "./scored-segments.ts";

/** The sum of the lengths of all names of segments without it in the directory. A segment never changes. */
const namesOfSegments = new WeakMap<ScoredSegment, number>();

/** Counts what is in a snapshot without deleted files. Takes about 1 ns per chunk of a deleted file. */
export function collectionStatisticsOf(snapshot: ScoredSegments): CollectionStatistics {
  const fileLengths = snapshot.fileLengths();
  let { chunks, files } = snapshot;
  let body = 0;
  let names = 0;
  let vectorBytes = 0;
  for (const { reader, tombstones, fileBase } of snapshot.segments) {
    body += reader.directory.totals.body;
    names += reader.directory.codedNames ?? namesOf(reader);
    vectorBytes += reader.vectorsLength;
    for (let file = tombstones.indexOf(1); file >= 0; file = tombstones.indexOf(1, file + 1)) {
      const [from, end] = reader.chunkRange(file);
      files -= 1;
      chunks -= end - from;
      body -= fileLengths[fileBase + file] ?? 0;
      names -= lengthOfNames(reader, from, end);
      if (reader.column("firstVector")[file] !== 0) vectorBytes -= (end - from) * widthOf(reader);
    }
  }
  return { files, chunks, lengths: { body, names }, vectorBytes };
}

function namesOf(reader: ScoredSegment): number {
  const known = namesOfSegments.get(reader);
  if (known !== undefined) return known;
  const length = lengthOfNames(reader, 0, reader.chunks);
  namesOfSegments.set(reader, length);
  return length;
}

function lengthOfNames(reader: ScoredSegment, from: number, end: number): number {
  const codes = reader.namesCodes();
  let length = 0;
  for (let chunk = from; chunk < end; chunk += 1) length += wholeLength(codes[chunk] ?? 0);
  return length;
}

/** Size of one vector, in bytes. */
function widthOf({ vectorsLength, directory: { vectorCount } }: ScoredSegment): number {
  return vectorCount === 0 ? 0 : vectorsLength / vectorCount;
}
