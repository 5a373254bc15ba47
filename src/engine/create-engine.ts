// Composes the engine from its parts.

import { openEmbeddedBackend } from "../backend/open-backend.ts";
import type { SearchNodes } from "../backend/nodes/port.ts";
import type { Engine, EngineNodes } from "./api/engine.ts";
import { dependencyCalls } from "./dependencies/dependency-calls.ts";
import type { EngineOptions } from "./engine-options.ts";
import { engineExports } from "./index-exports.ts";
import { RepositoryUpdates } from "./indexing/repository-updates.ts";
import { RunScheduler } from "./indexing/scheduler.ts";
import { SourceService } from "./indexing/source-service.ts";
import { withMiddleware } from "./middleware/engine-calls.ts";
import { indexPaths } from "./middleware/index-paths.ts";
import { masking } from "./middleware/masking.ts";
import { tracing } from "./middleware/tracing.ts";
import { MonitorService } from "./monitors/monitor-service.ts";
import { Namespaces } from "./namespaces.ts";
import { OpenIndexes } from "./open-indexes.ts";
import type { QueryService } from "./query-service.ts";
import { StatusService } from "./status-service.ts";

/** How long a request for changes waits for the check of the files. */
const MAX_CHANGES_RUN_WAIT_MS = 4000;

/** Opens no file before the first request. */
export function createEngine(options: EngineOptions): Engine {
  const { dataDirectory, logger, showsSecrets } = options;
  const backend = options.backend ?? openEmbeddedBackend({ kind: "embedded", dataDirectory });
  const namespaces = new Namespaces(options, backend);
  const runs = new RunScheduler(options, backend, namespaces);
  const indexes = new OpenIndexes(options, { backend, namespaces, runs });
  const updates = new RepositoryUpdates({
    dataDirectory,
    fetchRepository: options.fetchRepository,
    registry: () => namespaces.registry(),
    onFailure: (namespace, thrown) => void runs.recordRun(namespace, "index", { thrown }),
    onUndoFailure: (error) => logger.warn("the source was not removed again", { error }),
  });
  const status = new StatusService({ dataDirectory, backend, namespaces, runs, updates });
  const sources = new SourceService(options, { backend, namespaces, runs, updates, status });
  const dependencies = dependencyCalls(options, { backend, namespaces, runs, sources });
  const monitors = new MonitorService({ index: backend.index, namespaces, runs });
  let queries: Promise<QueryService> | undefined;
  let isClosed = false;

  /** Loaded on the first query, so that a session starts sooner. */
  const loadQueries = (): Promise<QueryService> => {
    queries ??= import("./query-service.ts").then(
      (module) => new module.QueryService({ ...options, backend, indexes, namespaces, runs }),
    );
    return queries;
  };

  const engine: Engine = {
    search: async (request) => (await loadQueries()).search(request),
    searchText: async (request) => (await loadQueries()).searchText(request),
    read: async (request) => (await loadQueries()).read(request),
    findSymbols: async (request) => (await loadQueries()).findSymbols(request),
    outline: async (request) => (await loadQueries()).outline(request),
    references: async (request) => (await loadQueries()).references(request),
    ...readerCalls(loadQueries, sources),
    related: async (request) => (await loadQueries()).related(request),
    impact: async (request) => (await loadQueries()).impact(request),
    changes: async (request) => {
      // The answer must include all changes up to now, so check the files first.
      const namespace = await namespaces.requested(request);
      if ((await namespaces.obstacle()) === undefined) {
        const job = runs.start(namespace, { mustBeNew: true });
        const wait = { waitMs: MAX_CHANGES_RUN_WAIT_MS, signal: request.signal };
        await runs.waiters.wait(job, wait).catch(() => undefined);
        runs.markScanned(namespace);
      }
      return (await loadQueries()).changes({ ...request, namespace });
    },
    monitors: monitors.set,
    monitorHits: monitors.hits,
    ...dependencies,
    ...sourceCalls(sources),
    namespaces: (request) => namespaces.visible(request),
    defaultNamespace: (request) => namespaces.requested(request).catch(() => undefined),
    status: status.ofNamespaces,
    checkRegistry: async () => void (await namespaces.state()),
    exports: engineExports(backend.index, namespaces),
    nodes: backend.nodes && nodesOf(backend.nodes, namespaces),
    traced: (note) => withSteps([tracing(note)]),
    startBackground: () => {
      if (!isClosed) void sources.startBackground();
    },
    watch: async (namespace, onBatch) => {
      const { watchers } = runs;
      watchers.listen(namespace, onBatch);
      watchers.watch(namespace, { isPinned: true });
      return watchers.freshness(namespace);
    },
    close: async () => {
      isClosed = true;
      indexes.close();
      monitors.close();
      await sources.close();
      await runs.close();
      if (queries !== undefined) await (await queries).close();
      backend.close();
    },
  };
  const withSteps: WithSteps = (steps) =>
    withMiddleware(engine, stepsAfter(steps, namespaces, showsSecrets === true));
  return withSteps([]);
}

type Steps = Parameters<typeof withMiddleware>[1];
type WithSteps = (steps: Steps) => Engine;

/** The steps between a caller and the engine, the first one first. */
function stepsAfter(steps: Steps, namespaces: Namespaces, showsSecrets: boolean): Steps {
  const ownPaths = indexPaths(async (request) =>
    namespaces.displaySources(await namespaces.requested(request)),
  );
  return [...steps, ownPaths, ...(showsSecrets ? [] : [masking])];
}

function sourceCalls({
  refresh,
  remove: removeSource,
  verify,
}: SourceService): Pick<Engine, "refresh" | "removeSource" | "verify"> {
  return { refresh, removeSource, verify };
}

/** What a person who reads code asks, and what other tools read. */
function readerCalls(
  load: () => Promise<QueryService>,
  sources: SourceService,
): Pick<
  Engine,
  | "folder"
  | "file"
  | "colors"
  | "nameAt"
  | "why"
  | "drift"
  | "renewNotes"
  | "apiChanges"
  | "exportScip"
> {
  return {
    exportScip: async (request) => {
      await sources.refreshNow(request);
      return (await load()).exportScip(request);
    },
    why: async (request) => (await load()).why(request),
    drift: async (request) => (await load()).drift(request),
    renewNotes: async (request) => (await load()).renewNotes(request),
    apiChanges: async (request) => (await load()).apiChanges(request),
    folder: async (request) => (await load()).folder(request),
    file: async (request) => (await load()).file(request),
    colors: async (request) => (await load()).colors(request),
    nameAt: async (request) => (await load()).nameAt(request),
  };
}

function nodesOf({ join, answer }: SearchNodes, namespaces: Namespaces): EngineNodes {
  return {
    join,
    answer: ({ principal, message }) =>
      answer(message, (namespace) => namespaces.authorize({ principal }, namespace)),
  };
}
