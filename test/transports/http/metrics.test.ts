import * as fc from "fast-check";
import { expect, test } from "vitest";

import { Counter, exposition, Histogram, single } from "../../../src/transports/http/metrics.ts";

test("a counter is one line for each combination of labels", () => {
  const counter = new Counter({ name: "calls_total", help: "Calls." });
  counter.add({ tool: "a", outcome: "ok" }, 0);
  counter.add({ tool: "b", outcome: "ok" });
  counter.add({ tool: "b", outcome: "ok" });
  expect(exposition([counter.family()])).toBe(
    [
      "# HELP calls_total Calls.",
      "# TYPE calls_total counter",
      'calls_total{tool="a",outcome="ok"} 0',
      'calls_total{tool="b",outcome="ok"} 2',
      "",
    ].join("\n"),
  );
});

test("a histogram has cumulative buckets, a sum and a count", () => {
  const histogram = new Histogram({ name: "took_seconds", help: "Time." }, [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe({ tool: "a" }, value);
  expect(exposition([histogram.family()])).toBe(
    [
      "# HELP took_seconds Time.",
      "# TYPE took_seconds histogram",
      'took_seconds_bucket{tool="a",le="0.1"} 2',
      'took_seconds_bucket{tool="a",le="1"} 3',
      'took_seconds_bucket{tool="a",le="+Inf"} 4',
      'took_seconds_sum{tool="a"} 3.65',
      'took_seconds_count{tool="a"} 4',
      "",
    ].join("\n"),
  );
});

test("every bucket counts the values up to its bound", () => {
  const bounds = [0.001, 0.01, 0.1, 1];
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 2, noNaN: true })), (values) => {
      const histogram = new Histogram({ name: "x", help: "X." }, bounds);
      for (const value of values) histogram.observe({}, value);
      const found = histogram
        .family()
        .samples.filter(({ suffix }) => suffix === "_bucket")
        .map(({ value }) => value);
      const expected = [...bounds, Infinity].map(
        (bound) => values.filter((value) => value <= bound).length,
      );
      expect(found).toEqual(values.length === 0 ? [] : expected);
    }),
  );
});

test("labels and help of any content are escaped", () => {
  const counter = new Counter({ name: "x_total", help: "One\\two\nthree." });
  counter.add({ name: 'a"b\\c\nd' });
  expect(exposition([counter.family()])).toBe(
    '# HELP x_total One\\\\two\\nthree.\n# TYPE x_total counter\nx_total{name="a\\"b\\\\c\\nd"} 1\n',
  );
});

test("a value without labels has no braces", () => {
  const family = single("gauge", { name: "up", help: "Up." }, 1.5);
  expect(exposition([family])).toBe("# HELP up Up.\n# TYPE up gauge\nup 1.5\n");
});
