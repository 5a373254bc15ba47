// The figures of the README match those of their source pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Comparison } from "../../bench/rivals/compare/measured.ts";
import { amountOf, MEASURES } from "../../scripts/generate/benchmark-measures.ts";

const README = read("README.md");

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, "../..", file), "utf8");
}

function cellsOf(row: string): readonly string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

test("the table of other tools has the figures of docs/benchmarks.json", () => {
  const { corpora }: Comparison = JSON.parse(read("docs/benchmarks.json"));
  const corpus = corpora.find(({ id }) => id === "tokio");
  const [head = "", , ...rows] =
    /^\| Tokio .*\n(?:\|.*\n)+/m.exec(README)?.[0].trim().split("\n") ?? [];
  const [, ...tools] = cellsOf(head);
  expect(tools).toEqual(["svc", "codegraph", "ripgrep", "probe"]);
  expect(rows).toHaveLength(6);
  for (const row of rows) {
    const [name, ...cells] = cellsOf(row);
    const measure = MEASURES.find((one) => one.name === name);
    if (measure === undefined) throw new Error(`there is no measure ${name}`);
    const measured = tools.map((tool) => {
      const figures = corpus?.tools.find((one) => one.tool === tool);
      if (figures === undefined) throw new Error(`${tool} was not measured`);
      return amountOf(measure, measure.of(figures));
    });
    expect([name, ...cells]).toEqual([name, ...measured]);
  }
  const size = `${corpus?.questions} questions in words about Tokio (${corpus?.files} files, `;
  expect(README).toContain(`${size}${((corpus?.bytes ?? 0) / 1e6).toFixed(1)} MB)`);
});

test("the counts of right answers are those of docs/compared.md", () => {
  const totals = /^\| \*\*right\*\*.*$/m.exec(read("docs/compared.md"))?.[0] ?? "";
  const [, svc, codegraph, gitnexus] = cellsOf(totals).map((cell) => cell.replaceAll("*", ""));
  const text = README.replaceAll(/\s+/g, " ");
  expect(text).toContain(
    `svc answered ${svc} exactly, gitnexus ${gitnexus} and codegraph ${codegraph}.`,
  );
});
