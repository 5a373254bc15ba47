// docs/images/benchmarks.svg: bars for one corpus, a panel for each figure.
import type { Comparison, CorpusFigures, Figures } from "../../bench/rivals/compare/measured.ts";
import { amountOf, MEASURES, type Measure } from "./benchmark-measures.ts";
import { svgBox, svgPicture, svgText } from "./svg.ts";

const PANEL = { width: 380, label: 104, bars: 180 };
const LINE = 20;
const HEAD = 34;
const COLUMNS = 2;

/** Figures of the last corpus, the largest one. */
export function benchmarkPlot({ corpora }: Comparison): string {
  const corpus = corpora.at(-1);
  if (corpus === undefined) throw new Error("docs/benchmarks.json has no corpus");
  const height = HEAD + (corpus.tools.length + 1) * LINE;
  const panels = MEASURES.filter(({ isPlotted }) => isPlotted);
  const rows = Math.ceil(panels.length / COLUMNS);
  const title = `svc and other tools on ${corpus.id}: ${panels.map(({ name }) => name).join("; ")}`;
  return svgPicture(
    { width: PANEL.width * COLUMNS, height: rows * height, title },
    panels.flatMap((measure, at) =>
      panel(measure, corpus, {
        x: (at % COLUMNS) * PANEL.width + 12,
        y: Math.floor(at / COLUMNS) * height,
      }),
    ),
  );
}

function panel(
  measure: Measure,
  { tools }: CorpusFigures,
  { x, y }: { readonly x: number; readonly y: number },
): readonly string[] {
  const most = Math.max(...tools.map((tool) => measure.of(tool) ?? 0));
  const better = measure.isMoreBetter ? "more is better" : "less is better";
  return [
    svgText({ x, y: y + 20 }, measure.name, { style: "strong" }),
    svgText({ x: x + PANEL.label + PANEL.bars, y: y + 20 }, better, {
      style: "small",
      anchor: "end",
    }),
    ...tools.flatMap((tool, at) => bar(measure, tool, { x, y: y + HEAD + at * LINE, most })),
  ];
}

function bar(
  measure: Measure,
  tool: Figures,
  { x, y, most }: { readonly x: number; readonly y: number; readonly most: number },
): readonly string[] {
  const value = measure.of(tool);
  const left = x + PANEL.label;
  const width = Math.max(1, Math.round((PANEL.bars * (value ?? 0)) / most));
  const style = tool.tool === "svc" ? "own" : "bar";
  const shown = value === null ? [] : [svgBox({ x: left, y, width, height: 14 }, style)];
  const after = left + (value === null ? 0 : width) + 5;
  return [
    svgText({ x: left - 6, y: y + 11 }, tool.tool, { anchor: "end", style: "small" }),
    ...shown,
    svgText({ x: after, y: y + 11 }, amountOf(measure, value), { style: "small" }),
  ];
}
