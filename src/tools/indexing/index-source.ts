import * as v from "valibot";

import type { IndexRequest, IndexResult } from "../../engine/api/index-source.ts";
import { namespace, boundedText, wholeNumber } from "../arguments.ts";
import { defineTool, type ToolContext } from "../tool.ts";

const globs = v.optional(
  v.pipe(
    v.array(boundedText(1000)),
    v.check((list) => list.length <= 100, "must be at most 100 globs"),
  ),
);

export const indexSource = defineTool({
  name: "index_source",
  title: "Index a source",
  group: "indexing",
  description:
    "Index a folder or git repository, or refresh it; the workspace is indexed by itself.",
  readOnly: false,
  openWorld: true,
  input: {
    source: v.pipe(boundedText(4096), v.description("Absolute path, or URL#ref.")),
    include: globs,
    exclude: globs,
    wait_ms: v.optional(wholeNumber(0, 25_000), 20_000),
    namespace,
  },
  aliases: { path: "source" },
  hasOutput: true,
  async run({ wait_ms, ...rest }, { engine, principal, signal, emit, progress }) {
    const opened = await engine();
    const report = createProgressReporter(progress);
    const result = await opened.index({
      ...rest,
      fallbackNamespace: "workspace",
      waitMs: wait_ms,
      principal,
      signal,
      onProgress: report,
    });
    const structured = indexRecord(result);
    emit({ text: JSON.stringify(structured) });
    return { structured };
  },
});

/** The result of an indexing run, as the tool and `svc index --json` return it. */
export function indexRecord({
  namespace: name,
  source,
  report,
  status,
  refused,
}: IndexResult): Record<string, unknown> {
  const { state, files, chunks, symbols, stages, scip } = status;
  // The generation of this run: another process may have published a newer one.
  const generation = report?.outcome === "done" ? report.generation : status.generation;
  const common = { namespace: name, source, state, generation, files, chunks, symbols };
  if (report === undefined) return { ...common, done: false, stages };
  const { added, changed, removed, unchanged, skipped, warnings, elapsedMs } = report;
  return {
    ...common,
    done: report.outcome === "done",
    added,
    changed,
    removed,
    unchanged,
    skipped,
    warnings,
    took_ms: elapsedMs,
    ...(scip === undefined ? {} : { scip }),
    ...(refused === undefined ? {} : { refused_documents: refused }),
  };
}

type Progress = Parameters<NonNullable<IndexRequest["onProgress"]>>[0];

/** Range of each stage in percent, from the usual duration for a medium-sized repository. */
const STAGE_RANGES: Readonly<Record<Progress["stage"], readonly [from: number, to: number]>> = {
  fetch: [0, 40],
  checkout: [40, 50],
  list: [50, 55],
  words: [55, 80],
  syntax: [80, 95],
  documents: [95, 100],
};

/** Converts stages, which each begin at 0, to one number that only grows, as the protocol requires. */
function createProgressReporter(progress: ToolContext["progress"]): (stage: Progress) => void {
  let last = -1;
  return ({ stage, done, total }) => {
    const [from, to] = STAGE_RANGES[stage];
    const share = total === 0 ? 0 : Math.min(1, done / total);
    const now = Math.round((from + share * (to - from)) * 10) / 10;
    if (now <= last) return;
    last = now;
    progress({ done: now, total: 100, message: `${stage} ${done}/${total}` });
  };
}
