import { packedEmbeddings } from "../../src/engine/embeddings.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import type { IndexReport } from "../../src/engine/api/index-report.ts";
import { runIndexJob } from "../../src/engine/indexing/run-index-job.ts";
import type { IndexHooks, RunOptions } from "../../src/engine/indexing/run-options.ts";
import { readRegistryState } from "../../src/backend/open-registry.ts";
import type { Monitor } from "../../src/sources/registry/records.ts";
import { documentFiles } from "../../src/sources/text/document-store.ts";
import { indexLayout } from "../../src/index/embedded/layout.ts";
import { EmbeddedBackend } from "../../src/index/embedded/backend.ts";

/** A run into the indexes of a data directory. It can be sent to another thread or process. */
export interface LocalRun extends RunOptions {
  readonly dataDirectory: string;
}

/** One indexing run in this thread, with the grammars and vectors of the program and the monitors of the registry. */
export async function runIndex(
  { dataDirectory, ...options }: LocalRun,
  hooks: Partial<IndexHooks> = {},
): Promise<IndexReport> {
  const index = new EmbeddedBackend(dataDirectory);
  try {
    return await runIndexJob(options, {
      index,
      grammars: packedGrammars,
      embeddings: packedEmbeddings,
      texts: documentFiles((name) => indexLayout(dataDirectory, name).documents).archiveOf(
        options.namespace,
      ),
      monitors: () => monitorsOf(dataDirectory, options.namespace),
      ...hooks,
    });
  } finally {
    index.close();
  }
}

async function monitorsOf(dataDirectory: string, namespace: string): Promise<readonly Monitor[]> {
  const state = await readRegistryState({ kind: "embedded", dataDirectory });
  return state.monitors(namespace);
}
