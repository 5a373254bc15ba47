import { existsSync } from "node:fs";

import { toSvcError } from "../base/errors.ts";
import type { IndexReader, IndexSummary } from "../index/backend.ts";
import type { Source } from "../sources/registry.ts";
import type { NamespaceStatus, StatusRequest } from "./engine.ts";
import type { IndexProgress } from "./indexer.ts";
import type { Freshness } from "./watcher-note.ts";

const LISTED_SKIPPED = 200;

interface StatusInput {
  readonly namespace: string;
  readonly detail: StatusRequest["detail"];
  readonly sources: readonly Source[];
  readonly reader: () => Promise<IndexReader | undefined>;
  /** Of the run of this process, if there is one. */
  readonly progress: IndexProgress | undefined;
  /** Whether another process is writing to the index, asked only when this one is not. */
  readonly isBeingWritten: () => boolean;
  readonly freshness: () => Freshness;
}

const EMPTY: IndexSummary = {
  files: 0,
  chunks: 0,
  symbols: 0,
  bytes: 0,
  stages: { listed: 0, words: 0, complete: 0 },
  skipped: {},
  indexedAt: null,
};

/** What `index_status` and `svc status` tell of one namespace. Never throws: a damaged index is a state. */
export async function namespaceStatus(input: StatusInput): Promise<NamespaceStatus> {
  try {
    const reader = await input.reader();
    const status = statusOf(input, await reader?.summary(), reader?.version.at ?? 0);
    return reader === undefined ? status : await withDetail(input, status, reader);
  } catch (thrown) {
    const status = statusOf(input, undefined, 0);
    return { ...status, state: "degraded", problem: toSvcError(thrown).detail };
  }
}

async function withDetail(
  { detail }: StatusInput,
  status: NamespaceStatus,
  reader: IndexReader,
): Promise<NamespaceStatus> {
  if (detail === "skipped") {
    return { ...status, skipped_files: await reader.skippedFiles(LISTED_SKIPPED) };
  }
  if (detail !== "health") return status;
  const damaged = await reader.verify();
  if (damaged.length === 0) return status;
  return {
    ...status,
    state: "degraded",
    problem: `Damaged: ${damaged.join(", ")}. Run \`svc index --rebuild\`.`,
  };
}

function statusOf(
  input: StatusInput,
  summary: IndexSummary = EMPTY,
  generation: number,
): NamespaceStatus {
  const { namespace, sources, progress } = input;
  const { files, chunks, symbols, bytes, stages, skipped, indexedAt } = summary;
  return {
    name: namespace,
    state: stateOf(generation, input, stages),
    generation,
    sources: sources.map(({ root, prefix }) => ({ root, prefix, available: existsSync(root) })),
    files,
    chunks,
    symbols,
    bytes,
    stages: stagesOf(stages, progress),
    skipped,
    indexed_at: indexedAt,
    freshness: input.freshness(),
  };
}

function stateOf(
  generation: number,
  { progress, isBeingWritten }: StatusInput,
  { listed, words }: IndexSummary["stages"],
): NamespaceStatus["state"] {
  // A scan that finds nothing new is no news: the index is as ready as before.
  if (progress !== undefined && (generation === 0 || progress.stage !== "list")) return "indexing";
  const isUnfinished = generation === 0 || listed + words > 0;
  if (isUnfinished && isBeingWritten()) return "indexing";
  return generation === 0 ? "empty" : "ready";
}

/** What has been published, and of the stage that is under way what has been read. */
function stagesOf(
  { listed, words, complete }: IndexSummary["stages"],
  progress: IndexProgress | undefined,
): NamespaceStatus["stages"] {
  const total = listed + words + complete;
  const done = { list: total, words: words + complete, syntax: complete };
  if (progress !== undefined && progress.stage !== "list") {
    const { stage } = progress;
    done[stage] = Math.max(done[stage], total - (progress.total - progress.done));
  }
  return (["list", "words", "syntax"] as const).map((name) => ({ name, done: done[name], total }));
}
