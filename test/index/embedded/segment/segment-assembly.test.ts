import { expect, test } from "vitest";

import { SECTIONS } from "../../../../src/index/embedded/segment/format.ts";
import {
  segmentParts,
  type SectionStream,
} from "../../../../src/index/embedded/segment/segment-assembly.ts";
import { SegmentReader } from "../../../../src/index/embedded/segment/segment-reader.ts";
import { memoryFile } from "../../../../src/index/embedded/storage/storage-memory.ts";

const LARGE = 2 << 20;

/** A large section with the vectors, and small ones with all others. `made`: the vectors, once they are made. */
function* sections(made: Uint8Array[]): SectionStream {
  for (const name of SECTIONS) {
    if (name !== "vectors") {
      yield [name, new Uint8Array(name.length)];
      continue;
    }
    const vectors = new Uint8Array(LARGE).fill(7);
    made.push(vectors);
    yield [name, vectors];
  }
  return {
    files: 0,
    chunks: 0,
    symbols: 0,
    terms: 0,
    totals: { body: 0, names: 0 },
    languages: [],
    embedder: "e",
    vectorCount: LARGE,
  };
}

test("each section is made when it is asked for, and a large one is freed after that", () => {
  const made: Uint8Array[] = [];
  const lengths: number[] = [];
  let largestAtOnce = 0;
  const written: Uint8Array[] = [];
  for (const part of segmentParts(sections(made))) {
    largestAtOnce = Math.max(largestAtOnce, part.length);
    lengths.push(made.reduce((sum, { length }) => sum + length, 0));
    written.push(part.slice());
  }
  expect(largestAtOnce).toBe(LARGE);
  expect(new Set(lengths)).toEqual(new Set([0, LARGE]));
  // Later steps no longer find the section in memory.
  expect(lengths.at(-1)).toBe(0);
  const reader = new SegmentReader(memoryFile(Buffer.concat(written), "s"), "s");
  expect(reader.damagedParts()).toEqual([]);
  expect(reader.vectors(LARGE - 2, 2)).toEqual(Uint8Array.of(7, 7));
});
