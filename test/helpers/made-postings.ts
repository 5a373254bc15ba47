import * as fc from "fast-check";

import { BLOCK_POSTINGS } from "../../src/index/coding/posting-list.ts";

/** Short lists and long ones, with gaps and frequencies of all lengths, and runs of neighbours. */
export function madePostings(
  maxGap: number,
): fc.Arbitrary<readonly (readonly [document: number, frequency: number])[]> {
  const gap = fc.oneof(fc.constant(0), fc.nat(3), fc.nat(Math.min(maxGap, 300)), fc.nat(maxGap));
  const frequency = fc.constantFrom(1, 1, 1, 2, 3, 9, 254, 255);
  return fc
    .array(fc.tuple(gap, frequency), { size: "max", maxLength: 3 * BLOCK_POSTINGS })
    .map((gaps) => {
      let document = -1;
      return gaps.map(([between, times]) => {
        document += between + 1;
        return [document, times] as const;
      });
    });
}
