import { expect, test } from "vitest";

import { linePlot, type Axis } from "../../../bench/scale/line-plot.ts";

const AXIS: Axis = {
  label: "size",
  min: 1,
  max: 100,
  isLog: true,
  ticks: [{ at: 10, text: "10" }],
};

function pathsOf(picture: string, style: string): readonly string[] {
  return [...picture.matchAll(new RegExp(`<path d="([^"]*)" class="${style}"/>`, "g"))].map(
    ([, way = ""]) => way,
  );
}

test("a logarithmic axis puts ten halfway between one and a hundred, and cuts what is beyond its ends", () => {
  const points = [1, 10, 100, 1000].map((x) => ({ x, y: 1 }));
  const picture = linePlot("a plot", [
    { title: "panel", x: AXIS, y: AXIS, lines: [{ name: "a", color: "first", points }] },
  ]);
  const [, way = ""] = pathsOf(picture, "first");
  const xs = way
    .slice(1)
    .split("L")
    .map((point) => Number(point.split(" ")[0]));
  const [one = 0, ten = 0, hundred = 0, thousand = 0] = xs;
  expect(ten).toBeCloseTo((one + hundred) / 2, 0);
  expect(thousand).toBe(hundred);
});

test("a plot has colours for light and dark, the names of its lines, and its limit", () => {
  const picture = linePlot("a plot", [
    {
      title: "panel",
      x: AXIS,
      y: { ...AXIS, isLog: false },
      lines: [{ name: "answers", color: "second", points: [] }],
      limit: { at: 50, text: "target", textAt: "right" },
    },
  ]);
  expect(picture).toContain("@media (prefers-color-scheme: dark)");
  expect(picture).toContain(">answers</text>");
  expect(picture).toContain(">target</text>");
  expect(pathsOf(picture, "limit")).toHaveLength(1);
});
