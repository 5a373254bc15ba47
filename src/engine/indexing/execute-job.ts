// Executes one run of the engine with its sources and monitors, and checks that its namespace still exists.

import type { Backend } from "../../backend/backend.ts";
import { namespaceNotFound } from "../../sources/namespace.ts";
import type { IndexReport } from "../api/index-report.ts";
import { embeddingsFrom } from "../embeddings.ts";
import { removeIndex } from "../pending-deletions.ts";
import { runIndexJob } from "./run-index-job.ts";
import type { IndexJob, RunListener, StartParsers } from "./run-options.ts";
import type { SourceScan } from "./source-scan.ts";

interface ExecuteOptions extends RunListener {
  /** Called before each commit; refuses it by throwing. */
  readonly beforeCommit?: () => void;
  readonly startParsers?: StartParsers;
  readonly lowerPriority?: () => void;
}

/**
 * Executes a job. Any process can remove the namespace meanwhile: then it throws NAMESPACE_NOT_FOUND before the next
 * commit, and deletes what the run may have created again.
 */
export async function executeJob(
  job: IndexJob,
  backend: Backend,
  { onProgress, onCommit, beforeCommit, startParsers, lowerPriority }: ExecuteOptions,
): Promise<IndexReport> {
  const { namespace } = job;
  const registry = await backend.registry();
  const requireNamespace = async (): Promise<void> => {
    if (await isRemoved(job, backend)) throw namespaceNotFound(namespace);
  };
  try {
    await requireNamespace();
    const sources = await withUsableSources(job);
    const scan = await startIndex({ ...job, sources }, backend, {
      beforeCommit,
      startParsers,
    });
    return await runIndexJob(
      { ...job, sources },
      {
        index: backend.index,
        scan,
        // The library is large, and most runs parse nothing.
        grammars: async () => (await import("../packed-grammars.ts")).packedGrammars(),
        startParsers,
        lowerPriority,
        embeddings: embeddingsFrom(job.embeddings),
        texts: backend.texts.archiveOf(namespace),
        monitors: async () => (await registry.state()).monitors(namespace),
        beforeCommit: async () => {
          beforeCommit?.();
          await requireNamespace();
        },
        onProgress,
        onCommit,
      },
    );
  } finally {
    if (await isRemoved(job, backend)) await removeIndex(registry, backend.index, namespace);
  }
}

interface StartIndexOptions {
  readonly beforeCommit: ExecuteOptions["beforeCommit"] | undefined;
  readonly startParsers: StartParsers | undefined;
}

/**
 * Starts a first index from that of another worktree or clone. One that cannot be used does not stop the run. Returns the
 * scan of the files if there was one.
 */
async function startIndex(
  job: IndexJob,
  { index, registry }: Backend,
  { beforeCommit, startParsers }: StartIndexOptions,
): Promise<SourceScan | undefined> {
  if (index.bases?.isNew(job.namespace) !== true) return undefined;
  const state = await (await registry()).state();
  const { startFromBase } = await import("./start-from-base.ts");
  const embedder = embeddingsFrom(job.embeddings)?.id ?? "";
  const check = async (): Promise<void> => {
    beforeCommit?.();
    // Messages to this thread arrive only now.
    await new Promise(setImmediate);
  };
  try {
    return await startFromBase(job, state, { index, embedder, check, startParsers });
  } catch {
    // The base is damaged or gone, or the disk is full: the run builds the index from the files, or says why it cannot.
    beforeCommit?.();
    return undefined;
  }
}

/** Whether the namespace of the job was removed, or replaced by another of the same name. */
export async function isRemoved(
  { namespace, namespaceCreatedAt }: IndexJob,
  backend: Pick<Backend, "registry">,
): Promise<boolean> {
  const registry = await backend.registry();
  return (await registry.state()).createdAt(namespace) !== namespaceCreatedAt;
}

/** Loads the code for clones only when there are some. */
async function withUsableSources({ sources }: IndexJob): Promise<IndexJob["sources"]> {
  if (sources.every(({ url }) => url === undefined)) return sources;
  const { withoutBrokenClones } = await import("./usable-clones.ts");
  return withoutBrokenClones(sources);
}
