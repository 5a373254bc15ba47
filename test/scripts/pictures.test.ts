import { expect, test } from "vitest";

import type { Comparison, Figures } from "../../bench/rivals/compare/measured.ts";
import { LAYERS } from "../../scripts/layers.ts";
import { benchmarkPlot } from "../../scripts/generate/benchmark-plot.ts";
import { benchmarksPage } from "../../scripts/generate/benchmarks.ts";
import { pipelinePicture } from "../../scripts/generate/pipeline.ts";

const SVC: Figures = {
  tool: "svc",
  indexMs: 2000,
  indexCpuMs: 3000,
  indexBytes: 2e6,
  peakBytes: 2e8,
  startP50Ms: 200,
  startP95Ms: 300,
  serverP50Ms: 10,
  serverP95Ms: 20,
  recall: 0.9,
  reciprocalRank: 0.8,
  first: 0.7,
};
const GREP: Figures = {
  tool: "grep",
  indexMs: null,
  indexCpuMs: null,
  indexBytes: null,
  peakBytes: 1e7,
  startP50Ms: 20,
  startP95Ms: 30,
  serverP50Ms: null,
  serverP95Ms: null,
  recall: 0.5,
  reciprocalRank: 0.4,
  first: 0.1,
};
const COMPARISON: Comparison = {
  date: "2026-11-22",
  machine: "2 cores",
  load: [0.1, 1.2],
  seconds: 60,
  tools: [{ name: "svc", version: "1", form: "the question" }],
  skipped: [{ name: "zoekt", reason: "not there" }],
  corpora: [
    {
      id: "bees",
      github: "a/bees",
      commit: "0123456789abcdef",
      files: 3,
      bytes: 1e6,
      questions: 7,
      tools: [SVC, GREP],
    },
  ],
};

test("a layer that the picture lacks is noticed", () => {
  expect(() => pipelinePicture({ ...LAYERS, hive: {} })).toThrow("does not show hive");
});

test("an arrow between layers without a dependency is reported", () => {
  const search = { values: ["base"] };
  expect(() => pipelinePicture({ ...LAYERS, search })).toThrow("index hands nothing on to search");
});

test("the page shows each figure as a multiple of svc's, and which tool is ahead", () => {
  const page = benchmarksPage(COMPARISON);
  expect(page).toMatch(/\| cold query, median +\| 200 ms +\| 20 ms \(0\.10\) +\|/);
  expect(page).toMatch(/\| index time +\| 2000 ms +\| none +\|/);
  expect(page).toContain("- peak memory: grep (20 times)");
  expect(page).toContain("- Without **zoekt**: not there.");
  expect(page).not.toMatch(/^- mean reciprocal rank:/m);
});

test("the longest bar of a panel belongs to the largest figure", () => {
  const bars = [
    ...benchmarkPlot(COMPARISON).matchAll(/<rect [^>]*width="(\d+)"[^>]*class="(\w+)"/g),
  ];
  expect(bars.slice(0, 4).map(([, width, style]) => [style, Number(width)])).toEqual([
    ["own", 180],
    ["own", 180],
    ["own", 180],
    ["bar", 9],
  ]);
});

test("pictures have colours for light and dark", () => {
  for (const picture of [pipelinePicture(LAYERS), benchmarkPlot(COMPARISON)]) {
    expect(picture).toContain("@media (prefers-color-scheme: dark)");
  }
});
