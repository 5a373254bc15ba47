// Compares two runs, suite by suite.
import { readFileSync } from "node:fs";

import * as v from "valibot";

import { SvcError } from "../../src/base/errors.ts";
import { compareRows } from "./bootstrap.ts";
import { difference, share, table } from "./table.ts";

const RUN = v.object({
  rows: v.array(
    v.object({ id: v.string(), suite: v.string(), repo: v.string(), ndcg10: v.number() }),
  ),
});

/** The table for two files of rows, as `--out` writes them. Throws USAGE for other files. */
export function comparisonTable(before: string, after: string): string {
  const rows = compareRows(readRows(before), readRows(after)).map((row) => [
    row.suite,
    row.questions,
    row.clusters,
    share(row.before),
    share(row.after),
    difference(row.difference),
    `${difference(row.low)} … ${difference(row.high)}`,
    row.low > 0 ? "better" : row.high < 0 ? "worse" : "open",
  ]);
  const headings = ["suite", "questions", "clusters", "A", "B", "B - A", "95 % interval", ""];
  return table(headings, rows);
}

function readRows(file: string): v.InferOutput<typeof RUN>["rows"] {
  try {
    return v.parse(RUN, JSON.parse(readFileSync(file, "utf8"))).rows;
  } catch (cause) {
    throw new SvcError("USAGE", `${file} does not hold the rows of a run.`, {
      hint: "Make it with --out FILE.",
      cause,
    });
  }
}
