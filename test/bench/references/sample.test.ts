import * as fc from "fast-check";
import { expect, test } from "vitest";

import { shuffled, stratified } from "../../../bench/references/sample.ts";

test("small strata are taken whole, and the others share what is left", () => {
  const values = [
    ...Array.from({ length: 100 }, (_, at) => `many ${at}`),
    ...Array.from({ length: 100 }, (_, at) => `more ${at}`),
    ...Array.from({ length: 3 }, (_, at) => `few ${at}`),
  ];

  const sample = stratified(values, (value) => value.slice(0, 4), { count: 43, seed: "s" });

  const counts = Map.groupBy(sample, (value) => value.slice(0, 4));
  expect([...counts].map(([name, of]) => [name, of.length])).toEqual([
    ["many", 20],
    ["more", 20],
    ["few ", 3],
  ]);
});

test("a shuffled list has the same values, in an order that its seed decides", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.string(), (values, seed) => {
      const order = shuffled(values, seed);
      expect(order.toSorted(byValue)).toEqual(values.toSorted(byValue));
      expect(shuffled(values, seed)).toEqual(order);
    }),
  );
  const values = Array.from({ length: 50 }, (_, at) => at);
  expect(shuffled(values, "one")).not.toEqual(shuffled(values, "other"));
});

function byValue(one: number, other: number): number {
  return one - other;
}
