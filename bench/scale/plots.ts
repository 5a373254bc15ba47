// The pictures of docs/team.md.
import { count } from "./answers.ts";
import { DATABASE_BYTES, TARGET_MS } from "./assumptions.ts";
import { BALANCED_NODES } from "./balancing.ts";
import { sizeOfDatabase } from "./capacity.ts";
import { GB, HOUR_MS, MAX_CALL_MS, MINUTE_MS, SECOND_MS, TB } from "./constants.ts";
import { linePlot, type Axis, type Color, type Limit, type Line } from "./line-plot.ts";
import type { Results, SizeResult } from "./results.ts";
import { WINDOW_MS } from "./team-model.ts";

const COLORS: readonly Color[] = ["first", "second", "third"];
const REPOSITORIES_AXIS: Axis = {
  label: "repositories",
  min: 1e4,
  max: 1e6,
  isLog: true,
  ticks: [1e4, 1e5, 1e6].map((at) => ({ at, text: count(at) })),
};
const TARGET: Limit = { at: TARGET_MS, text: `target ${TARGET_MS} ms`, textAt: "right" };
/** After the loss of a node. */
const MAX_SHOWN_MS = 2 * MINUTE_MS;
/** Number of steps on the axis of a cold start; each shows its slowest window. */
const STEPS = 80;

/** The pictures, by file name. */
export function scalePlots(results: Results): Readonly<Record<string, string>> {
  return {
    "scale-size.svg": sizePlot(results),
    "scale-failures.svg": failuresPlot(results),
    "scale-balancer.svg": balancerPlot(results),
  };
}

function sizePlot({ plans }: Results): string {
  const line = (
    name: string,
    color: Color,
    of: (plan: (typeof plans)[number]) => number,
  ): Line => ({
    name,
    color,
    points: plans.map((one) => ({ x: one.plan.repositories.count, y: of(one) })),
  });
  return linePlot("Nodes and database size by number of repositories", [
    {
      title: "nodes of 8 cores",
      x: REPOSITORIES_AXIS,
      y: { label: "", min: 1, max: 32, isLog: true, ticks: [1, 2, 4, 8, 16, 32].map(tick) },
      lines: [
        line("read nodes", "first", ({ plan }) => plan.readNodes),
        line("index nodes", "second", ({ plan }) => plan.indexNodes),
      ],
    },
    {
      title: "size of the database",
      x: REPOSITORIES_AXIS,
      y: {
        label: "",
        min: 30 * GB,
        max: 20 * TB,
        isLog: true,
        ticks: [
          { at: 100 * GB, text: "100 GB" },
          { at: TB, text: "1 TB" },
          { at: 10 * TB, text: "10 TB" },
        ],
      },
      lines: [
        line("after the first index", "first", (one) => sizes(one).firstBytes),
        line("after pushes", "second", (one) => sizes(one).pushedBytes),
        line("indexes in S3", "third", (one) => sizes(one).withoutIndexesBytes),
      ],
      limit: { at: DATABASE_BYTES, text: "base backup of two hours", textAt: "left" },
    },
  ]);
}

function failuresPlot({ sizes: all }: Results): string {
  const y: Axis = {
    label: "",
    min: 20,
    max: MAX_CALL_MS,
    isLog: true,
    ticks: [
      { at: 30, text: "30 ms" },
      { at: 100, text: "100 ms" },
      { at: SECOND_MS, text: "1 s" },
      { at: 10 * SECOND_MS, text: "10 s" },
    ],
  };
  const [largest] = all.slice(-1);
  return linePlot("p95 of the answers after the loss of a node and after a cold start", [
    {
      title: "p95 after one read node is lost",
      x: {
        label: "seconds since the loss",
        min: 0,
        max: MAX_SHOWN_MS,
        isLog: false,
        ticks: [0, 30, 60, 90, 120].map((at) => ({ at: at * SECOND_MS, text: String(at) })),
      },
      y,
      lines: all.map(({ plan, lost }, at) => ({
        name: count(plan.repositories.count),
        color: COLORS[at] ?? "first",
        points: windowPoints(lost.p95Ms).filter(({ x }) => x <= MAX_SHOWN_MS),
      })),
      limit: TARGET,
    },
    {
      title: "p95 after a start without any copies",
      x: {
        label: "time since the start",
        min: WINDOW_MS,
        max: 4 * HOUR_MS,
        isLog: true,
        ticks: [
          { at: WINDOW_MS, text: "10 s" },
          { at: MINUTE_MS, text: "1 min" },
          { at: 10 * MINUTE_MS, text: "10 min" },
          { at: 2 * HOUR_MS, text: "2 h" },
        ],
      },
      y,
      lines: [
        ...all.map(({ plan, cold }, at) => ({
          name: count(plan.repositories.count),
          color: COLORS[at] ?? "first",
          points: thinned(windowPoints(cold.p95Ms)),
        })),
        {
          name: "the last with S3",
          color: "fourth",
          points: thinned(windowPoints(largest?.coldFromObjects.p95Ms ?? [])),
        },
      ],
      limit: TARGET,
    },
  ]);
}

interface LinePoint {
  readonly x: number;
  readonly y: number;
}

/** The p95 of each window, at its end. */
function windowPoints(p95Ms: readonly number[]): readonly LinePoint[] {
  return p95Ms.map((y, window) => ({ x: (window + 1) * WINDOW_MS, y }));
}

/** At most one point for each step of a logarithmic axis, the slowest. */
function thinned(points: readonly LinePoint[]): readonly LinePoint[] {
  const factor = Math.log((4 * HOUR_MS) / WINDOW_MS) / STEPS;
  const steps = Map.groupBy(points, ({ x }) => Math.round(Math.log(x) / factor));
  return [...steps.values()].map((step) => ({
    x: step.at(-1)?.x ?? 0,
    y: Math.max(...step.map(({ y }) => y)),
  }));
}

function balancerPlot({ hitRates }: Results): string {
  const line = (name: string, color: Color, balancer: "rendezvous" | "random"): Line => ({
    name,
    color,
    points: hitRates.map(({ limitShare, hitShares }) => ({
      x: limitShare,
      y: hitShares[balancer],
    })),
  });
  return linePlot("Questions that find a copy, by the balancer and the limit of the copies", [
    {
      title: `questions that find a copy, ${BALANCED_NODES} nodes`,
      x: {
        label: "limit of a node's copies, as a share of all indexes",
        min: 0.01,
        max: 1,
        isLog: true,
        ticks: [0.01, 0.05, 0.2, 1].map(percentTick),
      },
      y: { label: "", min: 0.3, max: 1, isLog: false, ticks: [0.4, 0.6, 0.8, 1].map(percentTick) },
      lines: [
        line("two nodes for each namespace", "first", "rendezvous"),
        line("any node", "second", "random"),
      ],
    },
  ]);
}

function sizes({ plan }: Pick<SizeResult, "plan">) {
  return sizeOfDatabase(plan.repositories);
}

function tick(at: number) {
  return { at, text: String(at) };
}

function percentTick(at: number) {
  return { at, text: `${at * 100} %` };
}
