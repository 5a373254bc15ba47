// The measures of the comparison with other tools: name, unit, and whether lower or higher is better.
import type { Figures } from "../../bench/rivals/compare/measured.ts";

export interface Measure {
  readonly name: string;
  readonly unit: "ms" | "MB" | "share";
  /** Null if the tool has no such figure. */
  readonly of: (figures: Figures) => number | null;
  readonly isMoreBetter?: true;
  readonly isPlotted?: true;
}

const BYTES_PER_MB = 1e6;

export const MEASURES: readonly Measure[] = [
  { name: "index time", unit: "ms", of: ({ indexMs }) => indexMs, isPlotted: true },
  { name: "index CPU time", unit: "ms", of: ({ indexCpuMs }) => indexCpuMs },
  {
    name: "index size",
    unit: "MB",
    of: ({ indexBytes }) => megabytes(indexBytes),
    isPlotted: true,
  },
  {
    name: "peak memory",
    unit: "MB",
    of: ({ peakBytes }) => megabytes(peakBytes),
    isPlotted: true,
  },
  {
    name: "cold query, median",
    unit: "ms",
    of: ({ startP50Ms }) => startP50Ms,
    isPlotted: true,
  },
  { name: "cold query, p95", unit: "ms", of: ({ startP95Ms }) => startP95Ms },
  {
    name: "query, median",
    unit: "ms",
    of: ({ serverP50Ms, startP50Ms }) => serverP50Ms ?? startP50Ms,
    isPlotted: true,
  },
  {
    name: "query, p95",
    unit: "ms",
    of: ({ serverP95Ms, startP95Ms }) => serverP95Ms ?? startP95Ms,
  },
  { name: "recall of 10 files", unit: "share", of: ({ recall }) => recall, isMoreBetter: true },
  {
    name: "mean reciprocal rank",
    unit: "share",
    of: ({ reciprocalRank }) => reciprocalRank,
    isMoreBetter: true,
    isPlotted: true,
  },
  { name: "right file first", unit: "share", of: ({ first }) => first, isMoreBetter: true },
];

export function amountOf({ unit }: Measure, value: number | null): string {
  if (value === null) return "none";
  if (unit === "share") return value.toFixed(2);
  const digits = value < 10 ? 1 : 0;
  if (unit === "ms" && value >= 10_000) return `${(value / 1000).toFixed(1)} s`;
  return `${value.toFixed(digits)} ${unit}`;
}

function megabytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / BYTES_PER_MB;
}
