// Prints the results of a bench, stores them, and compares them with budgets.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

export interface Row {
  readonly name: string;
  /** Unit of the samples: "ms", "cpu ms", "MB/s". */
  readonly unit: string;
  /** Empty if this system does not provide it. */
  readonly samples: readonly number[];
  /** The median as a multiple of another measure of the same run, named by `to`. */
  readonly ratio?: { readonly value: number; readonly to: string };
  /** The target of the product. It is shown and not enforced, because it may depend on the machine. */
  readonly target?: string;
  /** Other remarks on the samples. */
  readonly note?: string;
}

export interface Fact {
  readonly text: string;
  readonly holds: boolean;
}

export interface Report {
  readonly bench: string;
  readonly corpus: string;
  readonly rows: readonly Row[];
  /** A fact that must hold on any machine: a sentence, and whether it holds. */
  readonly facts: readonly Fact[];
}

/** Bench -> row -> the largest ratio that passes. */
type Budgets = Readonly<Record<string, Readonly<Record<string, number>>>>;

const RESULTS = join(import.meta.dirname, "results");
const HEADINGS = ["", "unit", "n", "median", "p95", "ratio", "budget", "ratio to / target"];
const WIDTHS = [34, 8, 5, 9, 9, 8, 8, 0];

/** Prints the report, writes it to results/, and returns a sentence for each breach. */
export function publish(report: Report): readonly string[] {
  const budgets = budgetsOf(report.bench);
  console.log(`\n${report.bench}\ncorpus   ${report.corpus}\nmachine  ${machine()}\n`);
  console.log(line(HEADINGS));
  for (const row of report.rows) console.log(line(cells(row, budgets[row.name])));
  for (const { text, holds } of report.facts) console.log(`${holds ? "ok    " : "BROKEN"} ${text}`);
  keep(report);
  return breaches(report, budgets);
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** A fact that proves the requirement of this id in test/spec/requirements.ts. */
export function measures(requirement: string, text: string, holds: boolean): Fact {
  return { text: `${requirement}: ${text}`, holds };
}

/** By the nearest rank, so that it is a measured value. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The row with its ratio to another row: the ratio of the medians. */
export function comparedWith(row: Row, reference: Row): Row {
  if (row.samples.length === 0) return row;
  const value = median(row.samples) / median(reference.samples);
  return { ...row, ratio: { value, to: reference.name } };
}

/**
 * The row with its ratio to another row whose samples alternated with its own: the median of the ratios of the pairs.
 * The speed of a shared machine changes from one second to the next, and changes both samples of a pair alike.
 */
export function comparedInPairs(row: Row, reference: Row): Row {
  if (row.samples.length !== reference.samples.length) throw new Error(`${row.name} has no pairs`);
  const ratios = row.samples.map((sample, at) => sample / (reference.samples[at] ?? Number.NaN));
  return { ...row, ratio: { value: median(ratios), to: reference.name } };
}

function budgetsOf(bench: string): Readonly<Record<string, number>> {
  const text = readFileSync(join(import.meta.dirname, "budgets.json"), "utf8");
  const budgets: Budgets = JSON.parse(text);
  return budgets[bench] ?? {};
}

function breaches({ bench, rows, facts }: Report, budgets: Budgets[string] = {}): string[] {
  const unknown = Object.keys(budgets)
    .filter((name) => rows.every((row) => row.name !== name))
    .map((name) => `${bench}: budgets.json names "${name}", which is not measured`);
  const over = rows.flatMap(({ name, ratio }) => {
    const budget = budgets[name];
    if (budget === undefined || ratio === undefined || ratio.value <= budget) return [];
    return [`${bench}: ${name} is ${ratio.value.toFixed(2)} x ${ratio.to}, more than ${budget}`];
  });
  const broken = facts
    .filter(({ holds }) => !holds)
    .map(({ text }) => `${bench}: does not hold: ${text}`);
  return [...unknown, ...over, ...broken];
}

function cells(
  { name, unit, samples, ratio, target, note }: Row,
  budget: number | undefined,
): string[] {
  return [
    name,
    unit,
    String(samples.length),
    number(median(samples)),
    number(quantile(samples, 0.95)),
    ratio === undefined ? "" : ratio.value.toFixed(2),
    budget === undefined ? "" : String(budget),
    [ratio?.to, target, note].filter((text) => text !== undefined).join(" / "),
  ];
}

function line(texts: readonly string[]): string {
  return texts
    .map((text, at) =>
      at === 0 ? text.padEnd(WIDTHS[0] ?? 0) : ` ${text}`.padStart(WIDTHS[at] ?? 0),
    )
    .join("")
    .trimEnd();
}

function number(value: number): string {
  return Number.isNaN(value) ? "-" : value.toFixed(value < 100 ? 2 : 0);
}

function machine(): string {
  const cores = cpus();
  return `${cores[0]?.model ?? "unknown"}, ${cores.length} cores, Node ${process.versions.node}`;
}

function keep({ bench, corpus, rows, facts }: Report): void {
  mkdirSync(RESULTS, { recursive: true });
  const kept = rows.map((row) => ({
    ...row,
    n: row.samples.length,
    median: median(row.samples),
    p95: quantile(row.samples, 0.95),
  }));
  const result = { bench, at: new Date().toISOString(), machine: machine(), corpus, facts };
  writeFileSync(
    join(RESULTS, `${bench}.json`),
    `${JSON.stringify({ ...result, rows: kept }, null, 2)}\n`,
  );
}
