import * as fc from "fast-check";
import { expect, test } from "vitest";

import { ByteWriter } from "../../../../src/index/coding/bytes.ts";
import { eachPosting } from "../../../../src/index/coding/posting-list.ts";
import { TermPool } from "../../../../src/index/embedded/segment/term-pool.ts";

type Posting = readonly [number, number];

/** Reads back the list of a term. */
function call(pool: TermPool, term: number): Posting[] {
  const bytes = new ByteWriter();
  bytes.byte(0xff);
  pool.copy(term, bytes);
  const postings: Posting[] = [];
  const list = { count: pool.count(term), bytes: bytes.finish().subarray(1) };
  eachPosting(list, (document, frequency) => postings.push([document, frequency]));
  return postings;
}

/** Terms in order of addition, with ascending documents for each. */
const additions = fc
  .array(
    fc.record({
      term: fc.oneof(fc.nat(5), fc.nat(3000)),
      gap: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 1 << 22 })),
      frequency: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })),
    }),
    { size: "max", maxLength: 400 },
  )
  .map((all) => {
    let document = -1;
    return all.map(({ term, gap, frequency }) => {
      document += gap;
      return { term, document, frequency };
    });
  });

test("the lists of interleaved terms are read back unchanged", () => {
  fc.assert(
    fc.property(additions, (all) => {
      const pool = new TermPool();
      const lists = new Map<number, Posting[]>();
      for (const { term, document, frequency } of all) {
        pool.add(term, document, frequency);
        const list = lists.get(term) ?? [];
        lists.set(term, [...list, [document, Math.min(255, frequency)]]);
      }
      for (const [term, list] of lists) {
        expect(pool.count(term)).toBe(list.length);
        expect(call(pool, term)).toEqual(list);
      }
    }),
    { numRuns: 60 },
  );
});

test("a list of any length is complete, wherever its last byte is in a slice", () => {
  const pool = new TermPool();
  const other = new TermPool();
  for (let length = 1; length <= 4000; length += 1) {
    // One byte each in one pool, one, two or three in the other.
    pool.add(0, length, 1);
    other.add(3, length * 40, length % 3 === 0 ? 7 : 1);
    if (length > 100 && length % 97 !== 0) continue;
    const numbers = Array.from({ length }, (_, at) => at + 1);
    expect(call(pool, 0)).toEqual(numbers.map((document) => [document, 1]));
    expect(call(other, 3)).toEqual(
      numbers.map((document) => [document * 40, document % 3 === 0 ? 7 : 1]),
    );
  }
});

test("an unknown term has no documents, and copies nothing", () => {
  const pool = new TermPool();
  pool.add(7, 0, 1);
  for (const term of [0, 6, 8, 100_000])
    expect([pool.count(term), call(pool, term)]).toEqual([0, []]);
  expect(call(pool, 7)).toEqual([[0, 1]]);
});

test("sizeBytes grows with the lists", () => {
  const pool = new TermPool();
  const before = pool.sizeBytes;
  for (let document = 0; document < 100_000; document += 1) pool.add(document % 5000, document, 3);
  // Three bytes per posting, a link per slice, and 32 bytes per term.
  expect(pool.sizeBytes - before).toBeGreaterThan(300_000);
  expect(pool.sizeBytes - before).toBeLessThan(1_000_000);
});
