// The common parts of collect.ts and collect-confidence.ts: their command line, and indexes that are built once.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { runIndex } from "../../test/helpers/run-index.ts";

/** The namespace of every index. */
export const NAMESPACE = "bench";

interface CollectOptions {
  readonly folders: Readonly<Record<"corpora" | "indexes" | "out", string>>;
  readonly questions: readonly string[];
  /** From 1 on. */
  readonly part: { readonly number: number; readonly of: number };
}

/** Undefined, with a message, if the command line of `program` is incomplete. */
export function collectOptions(program: string): CollectOptions | undefined {
  const { values } = parseArgs({
    options: {
      corpora: { type: "string" },
      indexes: { type: "string" },
      out: { type: "string" },
      questions: { type: "string", multiple: true, default: [] },
      part: { type: "string", default: "1/1" },
    },
  });
  const { corpora, indexes, out, questions, part } = values;
  if (corpora === undefined || indexes === undefined || out === undefined) {
    console.error(`${program}: --corpora, --indexes and --out are needed.`);
    process.exitCode = 2;
    return undefined;
  }
  const [number = 1, of = 1] = part.split("/").map(Number);
  return { folders: { corpora, indexes, out }, questions, part: { number, of } };
}

type Source = Omit<Parameters<typeof runIndex>[0]["sources"][number], "addedAt">;

/** Indexes a folder, unless the data directory has its complete index. */
export async function indexOnce(source: Source, data: string): Promise<void> {
  const mark = join(data, "complete");
  if (existsSync(mark)) return;
  rmSync(data, { recursive: true, force: true });
  await runIndex({
    dataDirectory: data,
    namespace: NAMESPACE,
    sources: [{ ...source, addedAt: "" }],
    rebuild: false,
    waitMs: 1000,
  });
  writeFileSync(mark, "");
}
