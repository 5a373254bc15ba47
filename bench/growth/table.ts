// The table of all trees: a row per figure, a column per tree, and the growth of each figure next to
// the growth of the work.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

import type { Figure, Work } from "./figure.ts";

export interface Column {
  readonly tree: string;
  /** Count and size of the indexed files. */
  readonly amounts: Readonly<Record<Exclude<Work, "nothing">, number>>;
  readonly figures: readonly Figure[];
}

interface Growth {
  readonly figure: number;
  readonly work: number;
  /** Growth of the figure divided by the growth of the work; 1 means in proportion. */
  readonly beyond: number;
}

const BENCH_FOLDER = join(import.meta.dirname, "..");
const NAME_WIDTH = 44;
const UNIT_WIDTH = 8;
const VALUE_WIDTH = 17;
/** The table marks a figure that grows beyond the work by more than this; smaller growth is noise and caches. */
const NOTEWORTHY = 1.25;

/** Prints the table, keeps it in results/, and returns a sentence for each breach of a budget. */
export function publishTable(columns: readonly Column[]): readonly string[] {
  console.log(`\ngrowth\nmachine  ${machine()}`);
  console.log(
    "(n) is a multiple of the peer in the indented row below; ! grows faster than the work\n",
  );
  const isSeveral = columns.length > 1;
  console.log(
    line(
      "",
      "",
      columns.map(({ tree }) => tree),
      isSeveral ? "growth" : "",
      "target",
    ),
  );
  for (const work of ["files", "text", "chunks"] as const) console.log(amountLine(columns, work));
  console.log("");
  for (const row of rowsOf(columns)) console.log(figureLine(columns, row));
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

function figureLine(columns: readonly Column[], row: Figure): string {
  const { name, unit, target = "", work, peerOf } = row;
  const growth = growthOf(columns, row);
  const isFaster = growth !== undefined && peerOf === undefined && growth.beyond > NOTEWORTHY;
  const grown =
    growth === undefined
      ? ""
      : `${growth.figure.toFixed(1)} (${work === "nothing" ? work : `${work} ${growth.work.toFixed(1)}`})`;
  const cells = columns.map((column) => cell(figureOf(column, row)));
  return line(
    peerOf === undefined ? name : `  ${name}`,
    unit,
    cells,
    isFaster ? `${grown} !` : grown,
    target,
  );
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

/** From the first tree to the last; undefined if one of them lacks the figure. */
function growthOf(columns: readonly Column[], row: Figure): Growth | undefined {
  const [first, last] = [columns[0], columns.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  const [from, to] = [figureOf(first, row)?.value, figureOf(last, row)?.value];
  if (from === undefined || to === undefined) return undefined;
  const figure = to / from;
  const work = row.work === "nothing" ? 1 : last.amounts[row.work] / first.amounts[row.work];
  return { figure, work, beyond: row.isBetterHigher === true ? work / figure : figure / work };
}

function figureOf({ figures }: Column, { name, peerOf }: Figure): Figure | undefined {
  return figures.find((figure) => figure.name === name && figure.peerOf === peerOf);
}

/** One figure of each row, in the order of the tree with the most figures; a tree may lack some. */
function rowsOf(columns: readonly Column[]): readonly Figure[] {
  return (
    columns.map(({ figures }) => figures).toSorted((one, other) => other.length - one.length)[0] ??
    []
  );
}

/**
 * `growth` in budgets.json holds the largest ratio to a peer, on any tree; `growth beyond the work` the
 * largest growth of a figure divided by that of its work.
 */
function breaches(columns: readonly Column[]): readonly string[] {
  const text = readFileSync(join(BENCH_FOLDER, "budgets.json"), "utf8");
  const budgets: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(text);
  const own = rowsOf(columns).filter(({ peerOf }) => peerOf === undefined);
  const limitsOf = (key: string): readonly (readonly [string, number, Figure | undefined])[] =>
    Object.entries(budgets[key] ?? {}).map(([name, limit]) => {
      return [name, limit, own.find((row) => row.name === name)];
    });
  const toPeers = limitsOf("growth");
  const toWork = limitsOf("growth beyond the work");
  const unknown = [...toPeers, ...toWork]
    .filter(([, , row]) => row === undefined)
    .map(([name]) => `growth: budgets.json names "${name}", which is not measured`);
  const over = toPeers.flatMap(([name, limit, row]) =>
    columns.flatMap((column) => {
      const ratio = row && figureOf(column, row)?.ratio;
      if (ratio === undefined || ratio.value <= limit) return [];
      const { value, to } = ratio;
      return [`growth: ${column.tree}: ${name} is ${number(value)} x ${to}, more than ${limit}`];
    }),
  );
  const faster = toWork.flatMap(([name, limit, row]) => {
    const growth = row && growthOf(columns, row);
    if (growth === undefined || growth.beyond <= limit) return [];
    const { figure, work } = growth;
    return [
      `growth: ${name} grows ${number(figure)} times, its work ${number(work)} times: more than ${limit} beyond it`,
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
