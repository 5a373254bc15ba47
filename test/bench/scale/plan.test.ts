import { expect, test } from "vitest";

import { planTeam } from "../../../bench/scale/plan.ts";
import { makeRepositories } from "../../../bench/scale/repositories.ts";

test("a small team has two nodes of each kind, which are hardly busy and answer and update in time", () => {
  const { plan, steady } = planTeam(makeRepositories(2000, "small"), "small");
  expect([plan.readNodes, plan.indexNodes]).toEqual([2, 2]);
  expect(steady.hitShare).toBeCloseTo(1, 2);
  expect(steady.refusedShare).toBe(0);
  expect([steady.busyShare < 0.1, steady.p95Ms < 250, steady.updateP95Ms < 5000]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a team with more questions has more read nodes, of which none is busy for more than 70 %", () => {
  const { plan, steady } = planTeam(makeRepositories(120_000, "large"), "large");
  expect(plan.readNodes > 2).toBe(true);
  const spare = 0.7 - steady.busyShare;
  expect(spare >= 0 && spare < 0.7 / plan.readNodes).toBe(true);
});
