// Prints the results of the suites, and stores them.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";

import type { Row, Summary } from "./rows.ts";
import { share, table } from "./table.ts";
import type { Judged } from "./targets.ts";

type Summaries = Readonly<Record<string, Summary>>;

const RESULTS = join(import.meta.dirname, "../results");

/** Every figure of every suite that was measured. */
export function figuresTable(summaries: Summaries): string {
  const headings =
    "suite,questions,macro,ndcg10,raw,r@5,r@10,mrr,hit@1,hit@3,span3,span10,tok1st,tokAll,p50 ms,p95 ms".split(
      ",",
    );
  const rows = Object.entries(summaries).map(([suite, of]) => [
    suite,
    of.questions,
    ...[of.macro, of.ndcg10, of.ndcg10Raw, of.recall5, of.recall10].map(share),
    ...[of.reciprocalRank, of.hit1, of.hit3, of.span3, of.span10].map(share),
    of.tokensToFirst,
    of.tokensOfReply,
    of.p50Ms?.toFixed(1),
    of.p95Ms?.toFixed(1),
  ]);
  return table(headings, rows);
}

/** Every target with its result. `countOf` returns the number of queries of a suite. */
export function verdictTable(
  judged: readonly Judged[],
  summaries: Summaries,
  countOf: (suite: string) => number,
): string {
  const headings = ["target", "figure", "questions", "value", "floor", "aim", ""];
  const rows = judged.map(({ target, value, verdict }) => {
    const { suite, figure, floor, aim, most } = target;
    const digits = most === undefined ? 3 : 0;
    return [
      suite,
      FIGURES[figure],
      suite in summaries ? `${summaries[suite]?.questions} of ${countOf(suite)}` : undefined,
      value?.toFixed(digits),
      floor?.toFixed(2),
      most === undefined ? aim?.toFixed(2) : `<= ${most}`,
      verdict,
    ];
  });
  return table(headings, rows);
}

const FIGURES: Readonly<Record<Judged["target"]["figure"], string>> = {
  macro: "macro ndcg10",
  hit3: "hit@3",
  span3: "span3",
  span10: "span10",
  tokensToFirst: "median tok1st",
  largestReply: "largest reply, tokens",
};

/** Saves a result as `bench/results/<name>.json`, with its date, the commit and the machine. */
export function keep(name: string, result: Readonly<Record<string, unknown>>): void {
  const cores = cpus();
  const about = {
    bench: name,
    at: new Date().toISOString(),
    commit: commit(),
    machine: `${cores[0]?.model ?? "unknown"}, ${cores.length} cores`,
  };
  write(join(RESULTS, `${name}.json`), `${JSON.stringify({ ...about, ...result }, null, 2)}\n`);
}

/** Saves the rows for `--compare`. */
export function keepRows(file: string, rows: readonly Row[]): void {
  write(file, `${JSON.stringify({ rows })}\n`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The commit of the checkout, with `-dirty` if it has changes; undefined without git. */
function commit(): string | undefined {
  const { status, stdout } = spawnSync(
    "git",
    ["describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"],
    {
      cwd: import.meta.dirname,
      encoding: "utf8",
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    },
  );
  return status === 0 ? stdout.trim() : undefined;
}
