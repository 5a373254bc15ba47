import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { ByteWriter } from "../../../src/index/coding/bytes.ts";
import {
  BLOCK_POSTINGS,
  eachPosting,
  leastBytes,
  MIN_PACKED,
  postingListOf,
  type PostingList,
} from "../../../src/index/coding/posting-list.ts";
import { TermPool } from "../../../src/index/embedded/segment/term-pool.ts";
import { ChunkScores, FileCounts, TermWeights } from "../../../src/index/scoring/chunk-scores.ts";
import { viewsOf } from "../../../src/index/scoring/scored-segments.ts";
import { madePostings } from "../../helpers/made-postings.ts";
import { segmentOf, textFile } from "../../helpers/segments.ts";

type Postings = readonly (readonly [number, number])[];

function readBack(list: PostingList): Postings {
  const read: (readonly [number, number])[] = [];
  eachPosting(list, (document, frequency) => read.push([document, frequency]));
  return read;
}

const postings = madePostings(100_000);

test("a list is read back, and has the bytes that a segment stores", () => {
  fc.assert(
    fc.property(postings, (all) => {
      const list = postingListOf(all);
      expect(readBack(list)).toEqual(all);
      expect(list.bytes.length).toBeGreaterThanOrEqual(leastBytes(all.length));
      const pool = new TermPool();
      for (const [document, frequency] of all) pool.add(0, document, frequency);
      const stored = new ByteWriter();
      expect(pool.copy(0, stored)).toBe(list.count);
      expect([...list.bytes]).toEqual([...stored.finish()]);
    }),
    { numRuns: 200 },
  );
});

test("a long list takes less than the varints, most of all if it has neighbours", () => {
  const all = Array.from({ length: 1000 }, (_, at) => [at * 5, (at % 3) + 1] as const);
  expect(postingListOf(all).bytes.length).toBeLessThan(1100);
  const neighbours = Array.from({ length: 1000 }, (_, at) => [at, 1] as const);
  expect(postingListOf(neighbours).bytes.length).toBe(leastBytes(1000));
});

test("frequencies are capped at 255, and a list stays valid after later calls", () => {
  const list = postingListOf([[3, 1000]]);
  postingListOf([[9, 1]]);
  expect(readBack(list)).toEqual([[3, 255]]);
});

const FILES = Array.from({ length: 100 }, (_, at) => textFile(`${at}.txt`, ["word"]));
const SEGMENT = segmentOf(FILES);
const [VIEW] = viewsOf([{ id: 1, reader: SEGMENT, tombstones: new Uint8Array(SEGMENT.files) }]);

function score(list: PostingList): void {
  if (VIEW === undefined) throw new Error("there is no view");
  const weights = new TermWeights({ k1: 1, b: 0 }, 1, 1);
  const counts = new FileCounts(SEGMENT.files);
  const codes = SEGMENT.bodyCodes();
  new ChunkScores(SEGMENT).add(list, VIEW, { codes, weights, counts, step: 0, bit: 1 });
}

/** Returns the number of documents; undefined if the bytes are refused. */
function outcome(read: () => number): number | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof SvcError && thrown.code === "INDEX_UNAVAILABLE") return undefined;
    throw thrown;
  }
}

test("other bytes are refused, or give as many documents", () => {
  const count = fc.oneof(fc.nat(MIN_PACKED), fc.nat(4 * BLOCK_POSTINGS));
  let refused = 0;
  fc.assert(
    fc.property(count, fc.uint8Array({ maxLength: 400 }), (documents, bytes) => {
      const list = { count: documents, bytes };
      const read = outcome(() => readBack(list).length);
      const scored = outcome(() => (score(list), documents));
      expect([documents, undefined]).toContain(read);
      expect(scored).toBe(read);
      if (read === undefined) refused += 1;
    }),
    { numRuns: 1000 },
  );
  expect(refused).toBeGreaterThan(500);
});
