import * as fc from "fast-check";
import { expect, test } from "vitest";

import { countPostings } from "../../../src/index/coding/count-postings.ts";
import { postingListOf } from "../../../src/index/coding/posting-list.ts";
import { madePostings } from "../../helpers/made-postings.ts";

const postings = madePostings(700);

test("the documents of a list in a set are counted", () => {
  fc.assert(
    fc.property(postings, fc.integer({ min: 1, max: 9 }), fc.nat(100), (all, step, percent) => {
      const size = (all.at(-1)?.[0] ?? 0) + 1;
      const end = Math.floor((size * percent) / 100);
      const members = new Uint8Array(size);
      for (let at = 0; at < end; at += step) members[at] = 1;
      const expected = all.filter(([document]) => members[document] === 1).length;
      expect(countPostings(postingListOf(all), members, end)).toBe(expected);
    }),
    { numRuns: 100 },
  );
});

test("of other bytes no more documents are counted than the list has", () => {
  const members = new Uint8Array(1000).fill(1);
  fc.assert(
    fc.property(
      fc.integer({ min: 32, max: 600 }),
      fc.uint8Array({ maxLength: 400 }),
      (count, bytes) => {
        const found = countPostings({ count, bytes }, members, members.length);
        expect(found).toBeLessThanOrEqual(count);
        expect(found).toBeGreaterThanOrEqual(0);
      },
    ),
    { numRuns: 300 },
  );
});
