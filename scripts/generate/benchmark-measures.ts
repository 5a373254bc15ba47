// What the comparison with other tools tells of each: its names, units, and what is better.
import type { Figures } from "../../bench/rivals/compare/measured.ts";

export interface Measure {
  readonly name: string;
  readonly unit: "ms" | "MB" | "share";
  /** Null where a tool has no such thing. */
  readonly of: (figures: Figures) => number | null;
  readonly isMoreBetter?: true;
  readonly isPlotted?: true;
}

const BYTES_PER_MB = 1e6;

export const MEASURES: readonly Measure[] = [
  { name: "index, to the end", unit: "ms", of: ({ indexMs }) => indexMs, isPlotted: true },
  { name: "index, processor time", unit: "ms", of: ({ indexCpuMs }) => indexCpuMs },
  {
    name: "index, on disk",
    unit: "MB",
    of: ({ indexBytes }) => megabytes(indexBytes),
    isPlotted: true,
  },
  {
    name: "memory at most",
    unit: "MB",
    of: ({ peakBytes }) => megabytes(peakBytes),
    isPlotted: true,
  },
  {
    name: "start to answer, median",
    unit: "ms",
    of: ({ startP50Ms }) => startP50Ms,
    isPlotted: true,
  },
  { name: "start to answer, p95", unit: "ms", of: ({ startP95Ms }) => startP95Ms },
  {
    name: "question, median",
    unit: "ms",
    of: ({ serverP50Ms, startP50Ms }) => serverP50Ms ?? startP50Ms,
    isPlotted: true,
  },
  {
    name: "question, p95",
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
  { name: "first file is right", unit: "share", of: ({ first }) => first, isMoreBetter: true },
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
