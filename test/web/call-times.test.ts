import { expect, test } from "vitest";

import { heightOf, plotLabel } from "../../src/web/call-times.ts";

const call = (ms: number, outcome = "ok") => ({ at: 0, ms, tool: "outline", outcome });

test("the label says in words what the plot shows", () => {
  const calls = [call(5), call(1), call(900, "TIMEOUT"), call(20)];
  expect(plotLabel(calls, 1)).toBe(
    "4 calls, 1 of them failed: half took up to 5 ms, 95 of 100 up to 20 ms; 1 change of an index.",
  );
  expect(plotLabel([], 0)).toBe("No calls yet; 0 changes of indexes.");
});

test("the axis is logarithmic and ends at the longest call", () => {
  const [one, ten, hundred] = [heightOf(1), heightOf(10), heightOf(100)];
  expect(one - ten).toBeCloseTo(ten - hundred, 0);
  expect(heightOf(0)).toBe(one);
  expect(heightOf(30_000)).toBe(heightOf(90_000));
  expect(heightOf(30_000)).toBeLessThan(hundred);
});
