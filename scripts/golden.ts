// npm run golden [-- --check]
// Runs the queries of scripts/golden on packages that every checkout has, and writes the answers to
// test/golden. With --check it writes nothing: it names the files that differ and exits with 1.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runQuestions, type GoldenRun } from "./golden/run-questions.ts";
import { figuresOf } from "./golden/figures.ts";
import { bestMrr, summaryPage, treePage } from "./golden/page.ts";
import { TREES } from "./golden/trees.ts";

const ROOT = join(import.meta.dirname, "..");
/** The folder of the answers. */
export const GOLDEN = join(ROOT, "test/golden");
const SUMMARY = "summary.txt";

export interface Golden {
  /** The expected files of `GOLDEN`, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Over all queries: the current value, and the best recorded value. */
  readonly mrr: number;
  readonly bestMrr: number;
}

/** Some ten seconds of work. */
export async function golden(): Promise<Golden> {
  const trees = new Map<string, readonly GoldenRun[]>();
  const files = new Map<string, string>();
  for (const tree of TREES) {
    // eslint-disable-next-line no-await-in-loop -- indexing takes all there is of a core
    const runs = await runQuestions(tree);
    trees.set(tree.name, runs);
    files.set(`${tree.name}.txt`, treePage(tree.parts.map(withVersion), runs));
  }
  const { mrr } = figuresOf([...trees.values()].flat());
  const kept = bestMrr(goldenText(SUMMARY));
  files.set(SUMMARY, summaryPage(trees, Math.max(kept, mrr)));
  return { files, mrr, bestMrr: kept };
}

/** A file of `GOLDEN`; empty if there is none. */
export function goldenText(name: string): string {
  const place = join(GOLDEN, name);
  return existsSync(place) ? readFileSync(place, "utf8") : "";
}

function withVersion(part: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the manifest of a package
  const { name, version } = JSON.parse(
    readFileSync(join(ROOT, "node_modules", part, "package.json"), "utf8"),
  ) as { name: string; version: string };
  return `${name} ${version}`;
}

if (import.meta.main) {
  const { files } = await golden();
  const stale = [...files].filter(([name, text]) => goldenText(name) !== text);
  if (process.argv.includes("--check")) {
    for (const [name] of stale) console.error(`${name}: stale; run \`npm run golden\``);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else {
    for (const [name, text] of stale) {
      writeFileSync(join(GOLDEN, name), text);
      console.error(`wrote test/golden/${name}`);
    }
  }
}
