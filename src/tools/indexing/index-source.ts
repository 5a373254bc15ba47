import * as v from "valibot";

import type { IndexAnswer } from "../../engine/engine.ts";
import { namespace, wholeNumber } from "../arguments.ts";
import { defineTool } from "../tool.ts";

const globs = (description: string) =>
  v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(1000))),
      v.maxLength(100),
      v.description(description),
    ),
  );

export const indexSource = defineTool({
  name: "index_source",
  title: "Index a folder",
  group: "indexing",
  description:
    "Add a directory to the index, or bring it up to date. The workspace is indexed by itself: use this for further folders, or to be sure of the newest state. Answers with counts, or with the running job after wait_ms.",
  readOnly: false,
  input: {
    source: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(4096),
      v.description("Absolute path of a directory."),
    ),
    include: globs("Globs of what to take."),
    exclude: globs("Globs of what to leave out."),
    wait_ms: v.optional(wholeNumber(0, 25_000), 20_000),
    namespace,
  },
  output: { required: ["namespace", "state", "done"] },
  async run({ wait_ms, ...rest }, { engine, caller, signal, emit, progress }) {
    const opened = await engine();
    const answer = await opened.index({
      ...rest,
      otherwise: "workspace",
      waitMs: wait_ms,
      caller,
      signal,
      onProgress: ({ stage, done, total }) => progress({ done, total, message: stage }),
    });
    const structured = indexRecord(answer);
    emit({ text: JSON.stringify(structured) });
    return { structured };
  },
});

/** What an indexing run did, as the tool and `svc index --json` tell it. */
export function indexRecord({
  namespace: name,
  source,
  report,
  status,
}: IndexAnswer): Record<string, unknown> {
  const { state, generation, files, chunks, symbols, stages } = status;
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
  };
}
