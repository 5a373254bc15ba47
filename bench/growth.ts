// Checks whether any cost grows faster than the work. One table shows every figure with a target, on trees of growing
// size, and the growth of each figure.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { firstIndex } from "./growth/build.ts";
import type { Figure } from "./growth/figure.ts";
import { firstAnswer } from "./growth/first-answer.ts";
import { memory } from "./growth/memory.ts";
import { noChange } from "./growth/no-change.ts";
import { wordQuestions } from "./growth/questions.ts";
import { saves } from "./growth/saves.ts";
import { indexSize } from "./growth/sizes.ts";
import { publishTable, type Column } from "./growth/table.ts";
import { textSearch } from "./growth/text-search.ts";
import type { Extent, IndexedTree, Tree } from "./growth/tree.ts";
import { whileBuilding } from "./growth/while-building.ts";
import { homesIn } from "./workspace.ts";

type Part = (tree: IndexedTree, extent: Extent) => Promise<readonly Figure[]> | readonly Figure[];

/** After the first index, which the queries of the other measures use. */
const PARTS: Readonly<Record<string, Part>> = {
  "no change": noChange,
  size: indexSize,
  questions: wordQuestions,
  "text search": textSearch,
  "first answer": firstAnswer,
  saves,
  memory,
  "while indexing": whileBuilding,
};

/**
 * Measures the trees, which are only read, prints the table, and returns a sentence for each missed
 * a budget. The trees come smallest first.
 */
export async function growth(roots: readonly string[], extent: Extent): Promise<readonly string[]> {
  const base = mkdtempSync(join(tmpdir(), "svc-growth-"));
  const columns: Column[] = [];
  try {
    for (const [at, root] of roots.entries()) {
      const folder = join(base, String(at));
      mkdirSync(folder);
      const freshEnv = homesIn(folder);
      const tree = { name: basename(root), root: realpathSync(root), folder, freshEnv };
      columns.push(await column(tree, extent));
      rmSync(folder, { recursive: true });
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  return publishTable(columns);
}

async function column(tree: Tree, extent: Extent): Promise<Column> {
  const step = async <T>(name: string, run: () => Promise<T> | T): Promise<T> => {
    const from = performance.now();
    const result = await run();
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.error(`growth: ${tree.name}: ${name}, ${seconds} s`);
    return result;
  };
  const { indexed, figures } = await step("first index", () => firstIndex(tree, extent));
  const all = [...figures];
  for (const [name, part] of Object.entries(PARTS)) {
    all.push(...(await step(name, () => part(indexed, extent))));
  }
  const { paths, textBytes: text, chunks } = indexed;
  return { tree: tree.name, amounts: { files: paths.length, text, chunks }, figures: all };
}
