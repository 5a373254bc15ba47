import { expect, test } from "vitest";

import {
  neededPrimaries,
  partsOf,
  safeRepositories,
  sizeOfDatabase,
} from "../../../bench/scale/capacity.ts";
import type { SteadyState } from "../../../bench/scale/plan.ts";
import { makeRepositories } from "../../../bench/scale/repositories.ts";

const repositories = makeRepositories(2000, "capacity");
const PLAN = { repositories, seed: "capacity", readNodes: 2, indexNodes: 2 };
const STEADY: SteadyState = {
  p50Ms: 16,
  p95Ms: 50,
  refusedShare: 0,
  busyShare: 0.1,
  hitShare: 1,
  copiesBytes: 1e9,
  updateP95Ms: 1000,
  commitsPerMs: 0.1,
  commitLockShare: 0.9,
  logBytesPerMs: 1000,
  sentBytesPerMs: 1000,
  databaseCpuShare: 0.1,
};

test("the part that is used most comes first, and says how many repositories are safe", () => {
  const parts = partsOf(PLAN, STEADY);
  const [first] = parts;
  expect(first).toMatchObject({ name: "commits with NOTIFY, one after the other", use: 0.9 });
  expect(parts.map(({ use }) => use)).toEqual(
    parts.map(({ use }) => use).toSorted((one, other) => other - one),
  );
  expect(first === undefined ? 0 : safeRepositories(first, 9000)).toBe(7000);
});

test("a part that is used up needs another primary, also if the indexes are elsewhere", () => {
  expect(neededPrimaries(PLAN, STEADY)).toEqual({ whole: 2, withoutIndexes: 2 });
  expect(neededPrimaries(PLAN, { ...STEADY, commitLockShare: 0.1 })).toEqual({
    whole: 1,
    withoutIndexes: 1,
  });
});

test("the database grows with pushes, and is smaller without the indexes", () => {
  const { firstBytes, pushedBytes, withoutIndexesBytes } = sizeOfDatabase(repositories);
  expect(firstBytes / repositories.totalBytes).toBeCloseTo(0.745, 2);
  expect(firstBytes < pushedBytes && withoutIndexesBytes < pushedBytes).toBe(true);
});
