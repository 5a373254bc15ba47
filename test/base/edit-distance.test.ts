import * as fc from "fast-check";
import { expect, test } from "vitest";

import { distanceWithin, maxTypos } from "../../src/base/edit-distance.ts";

/** The definition by Damerau, where each part is changed at most once. */
function distance(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const isSame = one[0] === other[0];
  const best = Math.min(
    distance(one.slice(1), other.slice(1)) + (isSame ? 0 : 1),
    distance(one.slice(1), other) + 1,
    distance(one, other.slice(1)) + 1,
  );
  const isSwap = one.length > 1 && other.length > 1 && one[0] === other[1] && one[1] === other[0];
  return isSwap ? Math.min(best, distance(one.slice(2), other.slice(2)) + 1) : best;
}

test.each<[string, string, number, number | undefined]>([
  ["config", "config", 0, 0],
  ["confg", "config", 1, 1],
  ["cofnig", "config", 1, 1],
  ["cnofgi", "config", 2, 2],
  ["confg", "configure", 2, undefined],
  ["a", "b", 0, undefined],
])("%s and %s within %i are %s apart", (one, other, limit, expected) => {
  expect(distanceWithin(one, other, limit)).toBe(expected);
});

test("the result is the distance, or undefined above the limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (one, other, limit) => {
      const exact = distance(one, other);
      expect(distanceWithin(one, other, limit)).toBe(exact <= limit ? exact : undefined);
    }),
  );
});

test("short words allow no typos, and longer ones two", () => {
  expect([3, 4, 6, 7, 40].map(maxTypos)).toEqual([0, 1, 1, 2, 2]);
});
