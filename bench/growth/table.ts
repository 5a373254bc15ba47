// The table of all trees: a row per figure, a column per tree, and how much each figure has grown beside
// how much the work has.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

import type { Figure, Work } from "./figure.ts";

export interface Column {
  readonly tree: string;
  /** Of what is indexed. */
  readonly amounts: Readonly<Record<Exclude<Work, "nothing">, number>>;
  readonly figures: readonly Figure[];
}

interface Growth {
  readonly figure: number;
  readonly work: number;
}

const BENCH_FOLDER = join(import.meta.dirname, "..");
const NAME_WIDTH = 42;
const UNIT_WIDTH = 8;
const VALUE_WIDTH = 17;
/** A figure that grows more than this beyond the work is marked: less is noise and caches. */
const NOTEWORTHY = 1.25;

/** Prints the table, keeps it in results/, and returns a sentence for each breach of a budget. */
export function publishTable(columns: readonly Column[]): readonly string[] {
  console.log(`\ngrowth\nmachine  ${machine()}`);
  console.log("(n) is a multiple of the peer in the indented row below; ! grows faster than the work\n");
  const isSeveral = columns.length > 1;
  console.log(line("", "", columns.map(({ tree }) => tree), isSeveral ? "growth" : "", "target"));
  for (const work of ["files", "text", "chunks"] as const) console.log(amountLine(columns, work));
  console.log("");
  for (const name of rowNames(columns)) console.log(figureLine(columns, name));
  keep(columns);
  return breaches(columns);
}

function amountLine(columns: readonly Column[], work: Exclude<Work, "nothing">): string {
  const values = columns.map(({ amounts }) =>
    work === "text" ? (amounts.text / 1e6).toFixed(1) : String(amounts[work]),
  );
  const first = columns[0]?.amounts[work] ?? Number.NaN;
  const last = columns.at(-1)?.amounts[work] ?? Number.NaN;
  const growth = columns.length > 1 ? (last / first).toFixed(1) : "";
  return line(work, work === "text" ? "MB" : "", values, growth, "");
}

function figureLine(columns: readonly Column[], name: string): string {
  const found = columns.map(({ figures }) => figures.find((figure) => figure.name === name));
  const { unit = "", target = "", work = "nothing" } = found.find(Boolean) ?? {};
  const growth = growthOf(columns, name);
  const isFaster = growth !== undefined && !name.startsWith(" ") && excess(growth) > NOTEWORTHY;
  const grown =
    growth === undefined
      ? ""
      : `${growth.figure.toFixed(1)} (${work} ${growth.work.toFixed(1)})${isFaster ? " !" : ""}`;
  return line(name, unit, found.map(cell), grown, target);
}

function cell(figure: Figure | undefined): string {
  if (figure?.value === undefined) return "-";
  const { value, ratio } = figure;
  return `${number(value)}${ratio === undefined ? "" : ` (${number(ratio.value)})`}`;
}

function number(value: number): string {
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
}

function line(
  name: string,
  unit: string,
  values: readonly string[],
  ...[growth, target]: readonly [string, string]
): string {
  const cells = values.map((value) => ` ${value}`.padStart(VALUE_WIDTH)).join("");
  const last = growth === "" ? target : `${growth.padEnd(24)}${target}`;
  return `${name.padEnd(NAME_WIDTH)}${unit.padEnd(UNIT_WIDTH)}${cells}   ${last}`.trimEnd();
}

/** From the first tree to the last; undefined where one of them lacks the figure. */
function growthOf(columns: readonly Column[], name: string): Growth | undefined {
  const [first, last] = [columns[0], columns.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const [from, to] = [first, last].map(({ figures }) =>
    figures.find((figure) => figure.name === name),
  );
  if (from?.value === undefined || to?.value === undefined) return undefined;
  const { work } = from;
  return {
    figure: to.value / from.value,
    work: work === "nothing" ? 1 : last.amounts[work] / first.amounts[work],
  };
}

function excess({ figure, work }: Growth): number {
  return figure / work;
}

/** In the order in which the trees have them; a tree may lack some. */
function rowNames(columns: readonly Column[]): readonly string[] {
  const longest = columns.toSorted((one, other) => other.figures.length - one.figures.length);
  return [...new Set(longest.flatMap(({ figures }) => figures.map(({ name }) => name)))];
}

/**
 * `growth` in budgets.json holds the largest ratio to a peer, on any tree; `growth beyond the work` the
 * largest growth of a figure divided by that of its work.
 */
function breaches(columns: readonly Column[]): readonly string[] {
  const text = readFileSync(join(BENCH_FOLDER, "budgets.json"), "utf8");
  const budgets: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(text);
  const names = rowNames(columns);
  const limits = Object.entries(budgets["growth"] ?? {});
  const growthLimits = Object.entries(budgets["growth beyond the work"] ?? {});
  const unknown = [...limits, ...growthLimits]
    .filter(([name]) => !names.includes(name))
    .map(([name]) => `growth: budgets.json names "${name}", which is not measured`);
  const over = limits.flatMap(([name, limit]) =>
    columns.flatMap(({ tree, figures }) => {
      const ratio = figures.find((figure) => figure.name === name)?.ratio;
      if (ratio === undefined || ratio.value <= limit) return [];
      return [`growth: ${tree}: ${name} is ${number(ratio.value)} x ${ratio.to}, more than ${limit}`];
    }),
  );
  const faster = growthLimits.flatMap(([name, limit]) => {
    const growth = growthOf(columns, name);
    if (growth === undefined || excess(growth) <= limit) return [];
    return [
      `growth: ${name} grows by ${number(growth.figure)} where the work grows by ${number(growth.work)}, more than ${limit} times that`,
    ];
  });
  return [...unknown, ...over, ...faster];
}

function keep(columns: readonly Column[]): void {
  const results = join(BENCH_FOLDER, "results");
  mkdirSync(results, { recursive: true });
  const result = { bench: "growth", at: new Date().toISOString(), machine: machine(), columns };
  writeFileSync(join(results, "growth.json"), `${JSON.stringify(result, null, 2)}\n`);
}

function machine(): string {
  const cores = cpus();
  return `${cores[0]?.model ?? "unknown"}, ${cores.length} cores, Node ${process.versions.node}`;
}
