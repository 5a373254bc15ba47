import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { compareRows, intervalOf, type ComparedRow } from "../../../bench/quality/bootstrap.ts";
import { comparisonTable } from "../../../bench/quality/compare.ts";
import { SvcError } from "../../../src/base/errors.ts";
import { tree } from "../../helpers/tree.ts";

const place = tree();
afterAll(place.dispose);

/** Questions of `repositories` repositories, two each. */
function rows(repositories: number, ndcg10: (at: number) => number): readonly ComparedRow[] {
  return Array.from({ length: repositories * 2 }, (_row, at) => ({
    id: String(at),
    suite: "s",
    repo: `r${Math.floor(at / 2)}`,
    ndcg10: ndcg10(at),
  }));
}

test("the same gain everywhere has an interval without width", () => {
  const [one] = compareRows(
    rows(5, (at) => at / 20),
    rows(5, (at) => at / 20 + 0.1),
  );
  expect(one).toMatchObject({ suite: "s", questions: 10, clusters: 5 });
  expect(one?.before).toBeCloseTo(0.225, 12);
  expect(one?.after).toBeCloseTo(0.325, 12);
  expect([one?.difference, one?.low, one?.high].map((value) => value?.toFixed(9))).toEqual(
    Array.from({ length: 3 }, () => "0.100000000"),
  );
});

test("gains and losses that cancel out have an interval around 0", () => {
  const [one] = compareRows(
    rows(20, () => 0.5),
    rows(20, (at) => (Math.floor(at / 2) % 2 === 0 ? 0.6 : 0.4)),
  );
  expect(one?.difference).toBeCloseTo(0, 12);
  expect(one?.low).toBeLessThan(-0.02);
  expect(one?.high).toBeGreaterThan(0.02);
});

test("the interval is that of the normal distribution, for many clusters", () => {
  // Differences of 0 and 1, half each: the standard error of the mean of 400 is 1/40.
  const pairs = Array.from({ length: 400 }, (_pair, at) => [0, at % 2] as const);
  const { low, high } = intervalOf(pairs);
  expect(low).toBeCloseTo(0.5 - 1.96 / 40, 2);
  expect(high).toBeCloseTo(0.5 + 1.96 / 40, 2);
});

test("questions are the clusters where there are few repositories; what one run lacks is left out", () => {
  const before = rows(2, () => 0.5);
  expect(compareRows(before, before.slice(1))).toMatchObject([{ questions: 3, clusters: 3 }]);
  const renamed = before.map((row) => ({ ...row, suite: "other" }));
  expect(compareRows(before, renamed)).toEqual([]);
});

test("two files of rows become a table", () => {
  const [a, b] = [join(place.path, "a.json"), join(place.path, "b.json")];
  writeFileSync(a, JSON.stringify({ rows: rows(4, () => 0.5) }));
  writeFileSync(b, JSON.stringify({ rows: rows(4, () => 0.75) }));
  expect(comparisonTable(a, b)).toBe(
    [
      "suite  questions  clusters      A      B   B - A    95 % interval",
      "s              8         4  0.500  0.750  +0.250  +0.250 … +0.250  better",
    ].join("\n"),
  );
  writeFileSync(b, "{}");
  expect(() => comparisonTable(a, b)).toThrow(SvcError);
});
