// The answers of the model as tables.
import { MAX_USE, TARGET_MS } from "./assumptions.ts";
import {
  firstIndexOf,
  neededPrimaries,
  partsOf,
  safeRepositories,
  sizeOfDatabase,
} from "./capacity.ts";
import {
  DAY_MS,
  GB,
  HOUR_MS,
  KB,
  MAX_AGE_MS,
  MB,
  MINUTE_MS,
  SECOND_MS,
  TB,
  VISIBLE_MS,
} from "./constants.ts";
import { errorOf, type Comparison } from "./real-nodes.ts";
import { pushesPerMs, questionsPerMs } from "./repositories.ts";
import type { Results, SizeResult } from "./results.ts";
import type { ColdStart, LostNode, PopularPushes } from "./scenarios.ts";

/** One line of the table of answers, for a team. */
type Line = readonly [name: string, of: (size: SizeResult) => string];

const LINES: readonly Line[] = [
  ["questions a second", ({ plan }) => perSecond(questionsPerMs(plan.repositories.count))],
  ["pushes a second", ({ plan }) => perSecond(pushesPerMs(plan.repositories.count))],
  ["read nodes of 8 cores", ({ plan }) => String(plan.readNodes)],
  ["index nodes of 8 cores", ({ plan }) => String(plan.indexNodes)],
  ["read nodes are busy", ({ steady }) => percent(steady.busyShare)],
  ["answer, p50 and p95", ({ steady }) => `${time(steady.p50Ms)}, ${time(steady.p95Ms)}`],
  [
    "a push is in the answers after, p95",
    ({ steady }) => time(steady.updateP95Ms + MAX_AGE_MS + VISIBLE_MS.p95),
  ],
  ["copies of a read node", ({ steady }) => bytes(steady.copiesBytes)],
  ["sources", ({ plan }) => bytes(plan.repositories.totalBytes)],
  [
    "database: first, after pushes",
    ({ plan }) => {
      const { firstBytes, pushedBytes } = sizeOfDatabase(plan.repositories);
      return `${bytes(firstBytes)}, ${bytes(pushedBytes)}`;
    },
  ],
  ["commits a second", ({ steady }) => perSecond(steady.commitsPerMs)],
  ["log of the database", ({ steady }) => `${bytes(steady.logBytesPerMs * SECOND_MS)}/s`],
  [
    "first index of all: processor time, log",
    ({ plan }) => {
      const { cpuMs, logBytes } = firstIndexOf(plan.repositories);
      return `${time(cpuMs)}, ${bytes(logBytes)}`;
    },
  ],
  [`one read node lost: p95 below ${TARGET_MS} ms after`, ({ lost }) => recovery(lost)],
  [
    "copied because of that: in two minutes, in the end",
    ({ lost }) => `${bytes(lost.extraBytes)}, ${bytes(lost.allBytes)}`,
  ],
  [`start without copies: p95 below ${TARGET_MS} ms after`, ({ cold }) => recovery(cold)],
  ["questions refused until then", ({ cold }) => percent(cold.refusedShare)],
  ["start without copies, indexes in S3", ({ coldFromObjects }) => recovery(coldFromObjects)],
  [
    "fullest part of the database",
    ({ plan, steady }) => {
      const [first] = partsOf(plan, steady);
      return first === undefined ? "" : `${first.name}, ${percent(first.use)}`;
    },
  ],
  [
    "primaries: as it is, with indexes in S3",
    ({ plan, steady }) => {
      const { whole, withoutIndexes } = neededPrimaries(plan, steady);
      return `${whole}, ${withoutIndexes}`;
    },
  ],
];

export function answersTable({ sizes }: Results): string {
  const counts = sizes.map(({ plan }) => count(plan.repositories.count));
  return table(
    ["repositories", ...counts],
    LINES.map(([name, of]) => [name, ...sizes.map(of)]),
  );
}

/** The parts of the database, by how soon they reach their limits. */
export function partsTable({ sizes }: Results): string {
  const used = sizes.map(({ plan, steady }) => ({
    parts: partsOf(plan, steady),
    repositories: plan.repositories.count,
  }));
  const largest = used.at(-1);
  if (largest === undefined) throw new Error("there are no sizes");
  return table(
    [
      "part of the database",
      ...used.map(({ repositories }) => count(repositories)),
      `${percent(MAX_USE)} used at`,
      "what replaces it",
    ],
    largest.parts.map((part) => [
      part.name,
      ...used.map(({ parts }) => percent(parts.find(({ name }) => name === part.name)?.use ?? 0)),
      count(safeRepositories(part, largest.repositories)),
      part.replacement,
    ]),
  );
}

export function balancersTable({ hitRates, popular }: Results): string {
  const { rendezvous, random } = popular;
  return table(
    ["", "by namespace", "any node"],
    [
      ...hitRates.map(({ limitShare, hitShares }) => [
        `questions with a copy, if a node holds ${percent(limitShare)} of all`,
        percent(hitShares.rendezvous),
        percent(hitShares.random),
      ]),
      [
        "a push every minute: nodes, bytes read for each",
        `${rendezvous.nodes}, ${bytes(rendezvous.bytesOfPush)}`,
        `${random.nodes}, ${bytes(random.bytesOfPush)}`,
      ],
      ["p95 of its answers without and with it", p95OfPopular(rendezvous), p95OfPopular(random)],
    ],
  );
}

export function comparisonTable(comparisons: readonly Comparison[]): string {
  return table(
    ["real nodes", "measured", "modelled", "difference"],
    comparisons.map((one) => [
      `${one.what}, ${one.unit}`,
      one.measured.toFixed(0),
      one.modelled.toFixed(1),
      `${errorOf(one) > 0 ? "+" : ""}${percent(errorOf(one))}`,
    ]),
  );
}

/** Returns the table in Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

function p95OfPopular({ p95BeforeMs, p95Ms }: PopularPushes): string {
  return `${time(p95BeforeMs)}, ${time(p95Ms)}`;
}

function recovery({ recoveryMs }: LostNode | ColdStart): string {
  return recoveryMs === 0 ? "at once" : time(recoveryMs);
}

export function count(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en-US");
}

function percent(share: number): string {
  const value = share * 100;
  return `${Math.abs(value) < 1 && value !== 0 ? value.toFixed(1) : value.toFixed(0)} %`;
}

function perSecond(perMs: number): string {
  return String(Number((perMs * SECOND_MS).toPrecision(2)));
}

function bytes(value: number): string {
  if (value === 0) return "nothing";
  const [unit, name] = (
    [
      [TB, "TB"],
      [GB, "GB"],
      [MB, "MB"],
    ] as const
  ).find(([one]) => value >= one) ?? [KB, "kB"];
  return `${Number((value / unit).toPrecision(2))} ${name}`;
}

function time(ms: number): string {
  const units = [
    [365 * DAY_MS, "years"],
    [DAY_MS, "days"],
    [HOUR_MS, "h"],
    [MINUTE_MS, "min"],
    [SECOND_MS, "s"],
  ] as const;
  const [unit, name] = units.find(([one]) => ms >= 2 * one) ?? [1, "ms"];
  return `${Number((ms / unit).toPrecision(2))} ${name}`;
}
