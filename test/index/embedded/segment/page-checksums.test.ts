import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  CheckedPages,
  PagesAhead,
  PageChecksummer,
} from "../../../../src/index/embedded/segment/page-checksums.ts";
import { memoryFile } from "../../../../src/index/embedded/storage/storage-memory.ts";

const LENGTH = 900_123;
const BYTES = Uint8Array.from({ length: LENGTH }, (_, at) => (at * 2_654_435_761) >>> 24);

/** The pages of a file, and how many reads of the file they took. */
function call({ flips }: { readonly flips?: number } = {}) {
  const sums = new PageChecksummer();
  sums.add(BYTES);
  const bytes = BYTES.slice();
  if (flips !== undefined) bytes[flips] = (bytes[flips] ?? 0) ^ 1;
  const file = memoryFile(bytes, "a.words");
  const counts = { reads: 0 };
  const counted = {
    ...file,
    read(offset: number, length: number) {
      counts.reads += 1;
      return file.read(offset, length);
    },
  };
  const pages = new CheckedPages(counted, "a.words", { sums: sums.finish(), length: LENGTH });
  return { counts, ahead: new PagesAhead(pages, LENGTH) };
}

const range = fc
  .tuple(fc.nat(LENGTH), fc.oneof(fc.nat(40), fc.nat(LENGTH)))
  .map(([from, length]) => [from, Math.min(length, LENGTH - from)] as const);

test("reading ahead returns the bytes that were asked for, in any order", () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
      const { ahead } = call();
      for (const [from, length] of ranges) {
        const wanted = Buffer.from(BYTES.buffer, from, length);
        expect(wanted.equals(ahead.read(from, length))).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

test("four places that are read in turns, a little at a time, take a read for each 256 KiB", () => {
  const { ahead, counts } = call();
  const quarter = LENGTH >> 2;
  for (let at = 0; at + 10 <= quarter; at += 10)
    for (const section of [0, 1, 2, 3]) ahead.read(section * quarter + at, 10);
  expect(counts.reads).toBeLessThanOrEqual(4);
});

test("a damaged page is found, also if it was not asked for", () => {
  const { ahead } = call({ flips: 200_000 });
  expect(() => ahead.read(0, 10)).toThrow(expect.objectContaining({ code: "INDEX_UNAVAILABLE" }));
  expect(ahead.read(300_000, 10)).toEqual(BYTES.subarray(300_000, 300_010));
});
