import { expect, test } from "vitest";

import { pageRank } from "../../../src/index/pagerank/pagerank.ts";

test("ranks add up to one, and the node at the end of the dependencies has the highest", () => {
  // 0 -> 1 -> 2, 3 -> 2
  const graph = {
    starts: Uint32Array.from([0, 1, 2, 2, 3]),
    targets: Uint32Array.from([1, 2, 2]),
    weights: Float32Array.from([1, 0.2, 5]),
  };
  const ranks = [...pageRank(graph, new Float64Array(4).fill(0.25))];
  expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9);
  const [first = 0, second = 0, third = 0, fourth = 0] = ranks;
  expect(third).toBeGreaterThan(second);
  expect(second).toBeGreaterThan(first);
  expect(first).toBeCloseTo(fourth, 9);
});
