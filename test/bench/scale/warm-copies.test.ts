import { expect, test } from "vitest";

import { makeRepositories } from "../../../bench/scale/repositories.ts";
import { Team } from "../../../bench/scale/team-model.ts";

const SEED = "warm";
const SETTLED_MS = 1_500_000;
const RUN_MS = 300_000;
const repositories = makeRepositories(2000, SEED);

function hitShare(copiesBytes: number, { isSettled }: { readonly isSettled: boolean }): number {
  const team = new Team({
    repositories,
    seed: SEED,
    readNodes: 2,
    indexNodes: 1,
    copiesBytes,
    bytesPerMs: Infinity,
    isWarm: true,
  });
  const count = (of: "asked" | "missed"): number =>
    team.readNodes.reduce((sum, node) => sum + node[of], 0);
  if (isSettled) team.runUntil(SETTLED_MS);
  const [asked, missed] = [count("asked"), count("missed")];
  team.runUntil((isSettled ? SETTLED_MS : 0) + RUN_MS);
  return 1 - (count("missed") - missed) / (count("asked") - asked);
}

test("a node begins with the copies that it would have after some time", () => {
  const allBytes = repositories.totalBytes * 0.46;
  const early = hitShare(allBytes / 5, { isSettled: false });
  const late = hitShare(allBytes / 5, { isSettled: true });
  expect(early / late).toBeCloseTo(1, 1);
  expect(early > 0.5 && early < 0.95).toBe(true);
});

test("with room for all, nearly every question finds a copy", () => {
  expect(hitShare(1e12, { isSettled: false })).toBeCloseTo(1, 2);
});
