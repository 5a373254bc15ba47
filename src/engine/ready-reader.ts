// Opens readers with the stage that a query needs, also during the first build.

import type { EmbeddedBackend } from "../index/embedded/backend.ts";
import type { IndexReader } from "../index/port.ts";
import type { AuthorizedNamespace } from "../sources/principal.ts";
import type { EngineRequest } from "./engine-request.ts";
import type { RunningJob } from "./indexing/job-queue.ts";
import { waitFor } from "./indexing/job-waiters.ts";
import type { IndexReadiness } from "./query-service.ts";

/** How long a query waits for the first generation of a small project. */
const MAX_FIRST_BUILD_WAIT_MS = 3000;
/** How often it checks meanwhile whether the stage is reached. */
const FIRST_BUILD_POLL_MS = 25;
/** After this time a query returns a partial answer: a call has 30 s. */
const MAX_QUERY_MS = 20_000;

/** Undefined until the index has reached the stage that the query needs. */
export async function readyReader(
  backend: EmbeddedBackend,
  namespace: AuthorizedNamespace,
  { readiness, request }: { readonly readiness: IndexReadiness; readonly request: EngineRequest },
): Promise<IndexReader | undefined> {
  const { signal, deadline: requestDeadline = Infinity } = request;
  const deadline = Math.min(performance.now() + MAX_QUERY_MS, requestDeadline);
  const reader = await backend.reader(namespace, { signal, deadline });
  if (reader === undefined || reader.version.at === 0) return undefined;
  if (readiness === "files" || reader.hasWords) return reader;
  // A project without a single readable file is ready, too.
  const { listed } = (await reader.summary()).stages;
  return listed === 0 ? reader : undefined;
}

/** Waits until `read` returns a reader during a first build, up to MAX_FIRST_BUILD_WAIT_MS. */
export async function firstReader(
  job: RunningJob,
  read: () => Promise<IndexReader | undefined>,
  signal: AbortSignal,
): Promise<IndexReader | undefined> {
  const end = performance.now() + MAX_FIRST_BUILD_WAIT_MS;
  for (;;) {
    // eslint-disable-next-line no-await-in-loop -- polling
    const report = await waitFor(job, { waitMs: FIRST_BUILD_POLL_MS, signal });
    // eslint-disable-next-line no-await-in-loop -- as above
    const reader = await read();
    const isOver = report !== undefined || signal.aborted || performance.now() > end;
    if (reader !== undefined || isOver) return reader;
  }
}
