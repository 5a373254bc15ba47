import { expect, test } from "vitest";

import { LineNames } from "../../../src/engine/scip/line-names.ts";

const LINES = ["area(area.areas, area)", "const größe = größe2 + größe;", "  }"];

test("places of a name come from left to right, and only whole names count", () => {
  const names = new LineNames(LINES);
  const places = [1, 2, 3, 4].map(() => names.take(1, ["area"])?.start);
  expect(places).toEqual([0, 5, 17, 17]);
  expect(new LineNames(LINES).take(2, ["größe"])).toEqual({ line: 1, start: 6, end: 11 });
});

test("a call is a place before a parenthesis, if there is one", () => {
  const names = new LineNames(["({ area: one.area<Map<a, b>>() })", "area"]);
  expect(names.take(1, ["area"], true)?.start).toBe(13);
  expect(names.take(2, ["area"], true)?.start).toBe(0);
});

test("the first name that the line has is taken", () => {
  const names = new LineNames(LINES);
  expect(names.take(1, ["none", "areas"])?.start).toBe(10);
  expect(names.take(1, ["none"])).toBeUndefined();
  expect(names.take(9, ["area"])).toBeUndefined();
});

test("the beginning of a line is an empty range", () => {
  expect(new LineNames(LINES).beginOf(3)).toEqual({ line: 2, start: 2, end: 2 });
  expect(new LineNames(LINES).beginOf(9)).toEqual({ line: 8, start: 0, end: 0 });
});
