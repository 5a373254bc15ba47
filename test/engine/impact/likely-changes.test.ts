import { expect, test } from "vitest";

import { likelyChanges, testsByLikelihood } from "../../../src/engine/impact/likely-changes.ts";
import {
  plainStem,
  timesOf,
  type LikelyCandidate,
} from "../../../src/engine/impact/likely-evidence.ts";

const NOTHING = { share: 0, times: 0, user: 0, test: 0, used: 0, name: 0, recent: 0, otherSide: 0 };

function candidate(path: string, evidence: Partial<LikelyCandidate["evidence"]>): LikelyCandidate {
  const role = path.includes("test") ? "tests" : "code";
  return { path, role, evidence: { ...NOTHING, ...evidence }, why: [`knows ${path}`] };
}

test("evidence adds up, and properties of a single file do not count as evidence", () => {
  const candidates = [
    candidate("often.ts", { share: 0.5, times: 0.5 }),
    candidate("often-and-used.ts", { share: 0.5, times: 0.5, used: 1 }),
    candidate("new-test.ts", { recent: 1, otherSide: 1 }),
    candidate("user.ts", { user: 1 }),
  ];
  expect(likelyChanges(candidates, 10).map(({ path, why }) => [path, ...why])).toEqual([
    ["often-and-used.ts", "knows often-and-used.ts"],
    ["often.ts", "knows often.ts"],
    ["user.ts", "knows user.ts"],
  ]);
  expect(likelyChanges(candidates, 1)).toHaveLength(1);
});

test("tests are sorted by all evidence, changed ones first", () => {
  const tests = ["changed.test.ts", "far.test.ts", "near.test.ts"].map((path) => {
    return { path, why: ["calls it"], score: 0.5 };
  });
  const candidates = [
    candidate("far.test.ts", { test: 0.5 }),
    candidate("near.test.ts", { test: 0.5, times: 0.4 }),
    candidate("twice.test.ts", { times: timesOf(2) }),
    candidate("once.test.ts", { times: timesOf(1), share: 1 }),
    candidate("often.ts", { times: 1, share: 1 }),
  ];
  expect(testsByLikelihood(tests, candidates).map(({ path }) => path)).toEqual([
    "changed.test.ts",
    "near.test.ts",
    "twice.test.ts",
    "far.test.ts",
  ]);
  expect(testsByLikelihood(tests, [])).toEqual(tests);
});

test.each([
  ["src/FooTest.java", "foo"],
  ["a/foo.test.ts", "foo"],
  ["foo_test.go", "foo"],
  ["test_foo.py", "foo"],
  ["spec/foo_spec.rb", "foo"],
  ["TestFoo.java", "foo"],
  ["src/foo.d.ts", "foo.d"],
  ["test.py", "test"],
  [".eslintrc", ".eslintrc"],
])("%s has the stem %s", (path, stem) => {
  expect(plainStem(path)).toBe(stem);
});
