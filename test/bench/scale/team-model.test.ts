import { expect, test } from "vitest";

import { loseNode, startCold } from "../../../bench/scale/scenarios.ts";
import { makeRepositories } from "../../../bench/scale/repositories.ts";
import { Team, type BalancerKind } from "../../../bench/scale/team-model.ts";

const SEED = "test";
const SECOND_MS = 1000;
const BYTES_PER_MS = 1.25e6;
const repositories = makeRepositories(5000, SEED);
const PLAN = { repositories, seed: SEED, readNodes: 4, indexNodes: 1 };

function teamOf(isWarm: boolean, balancer: BalancerKind = "rendezvous"): Team {
  return new Team({ ...PLAN, bytesPerMs: BYTES_PER_MS, isWarm, balancer });
}

function missed(team: Team): number {
  return team.readNodes.reduce((sum, node) => sum + node.missed, 0);
}

test("the same seed gives the same run to the digit, and another seed another one", () => {
  const [one, other, third] = [SEED, SEED, "another"].map((seed) => {
    const team = new Team({ ...PLAN, seed, bytesPerMs: BYTES_PER_MS, isWarm: false });
    team.runUntil(60 * SECOND_MS);
    const { latencies, database, hydratedBytes, indexNodes } = team;
    const answers = [0.1, 0.5, 0.95].map((share) => latencies.byWindow(share));
    return [answers, hydratedBytes, database.commitMs, indexNodes.lagsMs];
  });
  expect(one).toEqual(other);
  expect(third).not.toEqual(one);
});

test("every question is answered once", () => {
  const team = teamOf(true);
  team.runUntil(40 * SECOND_MS);
  const asked = team.readNodes.reduce((sum, node) => sum + node.asked, 0);
  const open = team.readNodes.reduce((sum, { calls }) => sum + calls, 0);
  expect(team.latencies.count).toBe(asked - open);
  expect(team.latencies.refusedShare()).toBe(0);
});

test("with two nodes for each namespace a team without copies makes fewer than with any node", () => {
  const counts = (["rendezvous", "random"] as const).map((balancer) => {
    const team = teamOf(false, balancer);
    team.runUntil(60 * SECOND_MS);
    return missed(team);
  });
  const [own = 0, any = 0] = counts;
  expect(own < any).toBe(true);
});

test("a warm team has the copies of what it is asked about; it copies again what a lost node had", () => {
  const team = teamOf(true);
  team.runUntil(30 * SECOND_MS);
  expect([missed(team), team.hydratedBytes]).toEqual([0, 0]);
  team.lose(1);
  team.runUntil(90 * SECOND_MS);
  expect(missed(team) > 0 && team.hydratedBytes > 0).toBe(true);
  expect(team.latencies.refusedShare()).toBe(0);
  const other = teamOf(true);
  other.runUntil(30 * SECOND_MS);
  const lost = loseNode(other);
  expect(lost.p95Ms.length % 6).toBe(0);
  expect(lost.extraBytes > 0 && lost.extraBytes < lost.allBytes).toBe(true);
});

test("a push is in the answers of the nodes that have the repository", () => {
  const team = teamOf(true);
  team.push(0);
  team.runUntil(60 * SECOND_MS);
  expect(team.database.pushesOf(0) > 0).toBe(true);
  expect(team.database.sentBytes > 0).toBe(true);
});

test("a cold start with a fast network is over sooner than with a slow one, and refuses fewer questions", () => {
  const fast = startCold(PLAN, BYTES_PER_MS);
  const slow = startCold(PLAN, BYTES_PER_MS / 20);
  expect(fast.recoveryMs < slow.recoveryMs).toBe(true);
  expect(fast.refusedShare < slow.refusedShare).toBe(true);
});
