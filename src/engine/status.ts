import { existsSync } from "node:fs";

import { toSvcError } from "../base/errors.ts";
import type { Catalog } from "../index/catalog.ts";
import { takeWriterLock } from "../index/writer-lock.ts";
import type { Source } from "../sources/registry.ts";
import type { NamespaceStatus, StatusRequest } from "./engine.ts";
import type { IndexProgress } from "./indexer.ts";
import type { IndexLayout } from "./layout.ts";
import type { NamespaceIndex } from "./namespace-index.ts";

const LISTED_SKIPPED = 200;

interface StatusInput {
  readonly namespace: string;
  readonly detail: StatusRequest["detail"];
  readonly sources: readonly Source[];
  readonly index: () => NamespaceIndex | undefined;
  /** Of the run of this process, if there is one. */
  readonly progress: IndexProgress | undefined;
  readonly layout: IndexLayout;
}

/** What `index_status` and `svc status` tell of one namespace. Never throws: a damaged index is a state. */
export function namespaceStatus(input: StatusInput): NamespaceStatus {
  try {
    return healthyStatus(input, input.index());
  } catch (thrown) {
    return { ...statusOf(input, undefined), state: "degraded", problem: toSvcError(thrown).detail };
  }
}

function healthyStatus(input: StatusInput, index: NamespaceIndex | undefined): NamespaceStatus {
  const status = statusOf(input, index?.catalog);
  if (index === undefined) return status;
  const damaged =
    input.detail === "health"
      ? index.snapshot().segments.flatMap(({ reader }) => reader.damagedSections())
      : [];
  const extra =
    input.detail === "skipped" ? { skipped_files: index.catalog.skippedFiles(LISTED_SKIPPED) } : {};
  if (damaged.length === 0) return { ...status, ...extra };
  return {
    ...status,
    state: "degraded",
    problem: `Damaged: ${damaged.join(", ")}. Run \`svc index --rebuild\`.`,
  };
}

function statusOf(
  { namespace, sources, progress, layout }: StatusInput,
  catalog: Catalog | undefined,
): NamespaceStatus {
  const totals = catalog?.totals() ?? { files: 0, chunks: 0, symbols: 0, bytes: 0 };
  const generation = catalog?.generation() ?? 0;
  return {
    name: namespace,
    state: stateOf(generation, progress, layout),
    generation,
    sources: sources.map(({ root, prefix }) => ({ root, prefix, available: existsSync(root) })),
    ...totals,
    stages: progress === undefined ? [] : [stage(progress)],
    skipped: catalog?.skippedCounts() ?? {},
    indexed_at: catalog?.meta("indexed_at") ?? null,
  };
}

function stateOf(
  generation: number,
  progress: IndexProgress | undefined,
  layout: IndexLayout,
): NamespaceStatus["state"] {
  if (generation === 0) {
    return progress !== undefined || isBeingWritten(layout) ? "indexing" : "empty";
  }
  // A scan that finds nothing new is no news: the index is as ready as before.
  return progress === undefined || progress.stage === "scan" ? "ready" : "indexing";
}

function stage({ stage: name, done, total }: IndexProgress): NamespaceStatus["stages"][number] {
  return { name, done, total };
}

/** Another process may be indexing; only its lock tells. */
function isBeingWritten({ writerLock }: IndexLayout): boolean {
  if (!existsSync(writerLock)) return false;
  const release = takeWriterLock(writerLock, 0);
  release?.();
  return release === undefined;
}
