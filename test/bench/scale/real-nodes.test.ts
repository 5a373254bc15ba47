import { expect, test } from "vitest";

import { compareWithReal, errorOf, runNodes } from "../../../bench/scale/real-nodes.ts";

/** The bench itself fails beyond 20 %. */
const MAX_ERROR = 0.15;

test("the model agrees with the runs of 1, 2 and 4 real nodes and with their cold answers", () => {
  const comparisons = compareWithReal("a seed of this test");
  expect(comparisons.map(({ what }) => what)).toEqual([
    "1 read node",
    "1 read node, one answer",
    "2 read nodes",
    "2 read nodes, one answer",
    "4 read nodes",
    "4 read nodes, one answer",
    "cold answer, p50",
    "cold answer, p95",
  ]);
  const wrong = comparisons.filter((one) => Math.abs(errorOf(one)) > MAX_ERROR);
  expect(wrong).toEqual([]);
});

test("the same seed gives the same figures to the digit, and another seed others", () => {
  expect(runNodes(2, "seed")).toEqual(runNodes(2, "seed"));
  expect(runNodes(2, "seed")).not.toEqual(runNodes(2, "another"));
});
