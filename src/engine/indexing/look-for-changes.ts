// Checks whether a run would find anything to do, without the lock of the index and without a thread. Starting a thread
// costs more than checking the files of a usual project.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { Backend } from "../../backend/backend.ts";
import type { ChangeLogReader, IndexReader } from "../../index/port.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import type { IndexReport } from "../api/index-report.ts";
import { embeddingsFrom } from "../embeddings.ts";
import {
  EMPTY_LIST,
  HAS_LINES_NOTE,
  MONITORS_NOTE,
  NAMES_NOTE,
} from "../monitors/monitor-notes.ts";
import {
  countsIfUnchanged,
  LAST_SCAN_NOTE,
  scanIdentity,
  WALK_NOTE,
  walkMemories,
} from "./last-scan.ts";
import type { IndexJob } from "./run-options.ts";
import { scanSources } from "./source-scan.ts";

/** With more files, a thread walks them while this one answers. */
const MAX_FILES = 20_000;

/**
 * Returns the report of a run over all files that would change nothing; undefined if it might change something. This
 * thread does nothing else meanwhile.
 */
export async function lookForChanges(
  namespace: AuthorizedNamespace,
  job: IndexJob,
  backend: Backend,
): Promise<IndexReport | undefined> {
  const startedAt = performance.now();
  const { isBeingWritten, damage } = await backend.index.health(namespace);
  if (isBeingWritten || damage !== undefined) return undefined;
  const reader = await backend.index.reader(namespace);
  const note = await reader?.note(LAST_SCAN_NOTE);
  // An interrupted run leaves an empty one.
  if (reader === undefined || note === undefined || note === "") return undefined;
  if (await backend.index.isOutdated(namespace)) return undefined;
  if (!(await dependsOnFilesOnly(reader, job, backend))) return undefined;
  const scan = scanSources(job.sources, {
    maxFileBytes: MAX_INDEXED_BYTES,
    isShared: job.isShared,
    memories: walkMemories(await reader.note(WALK_NOTE)),
    onSource: () => {},
  });
  const counts = countsIfUnchanged(note, scanIdentity(scan, job.registeredSources));
  if (counts === undefined) return undefined;
  return {
    added: 0,
    changed: 0,
    removed: 0,
    ...counts,
    generation: reader.version.at,
    warnings: scan.warnings,
    outcome: "done",
    elapsedMs: Math.round(performance.now() - startedAt),
  };
}

/** Whether a run with the same files would find nothing to do. */
async function dependsOnFilesOnly(
  reader: IndexReader,
  { namespace, embeddings }: IndexJob,
  backend: Backend,
): Promise<boolean> {
  if ((await reader.summary()).files > MAX_FILES) return false;
  if ((await reader.embedder()) !== (embeddingsFrom(embeddings)?.id ?? "")) return false;
  const monitors = (await (await backend.registry()).state()).monitors(namespace);
  return monitors.length === 0 && !(await hasMonitorData(reader.changeLog));
}

/** Whether a run has something to remove, because the monitors that needed it are gone. */
async function hasMonitorData({ note }: ChangeLogReader): Promise<boolean> {
  if ((await note(HAS_LINES_NOTE)) === "1") return true;
  const lists = [await note(NAMES_NOTE), await note(MONITORS_NOTE)];
  return lists.some((list) => list !== undefined && list !== EMPTY_LIST);
}
