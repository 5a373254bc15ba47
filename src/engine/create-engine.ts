import { existsSync } from "node:fs";
import { basename } from "node:path";

import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { IndexReader } from "../index/backend.ts";
import { EmbeddedBackend } from "../index/embedded-backend.ts";
import { isForbiddenRoot, requireBelow, requireFolder } from "../sources/folder.ts";
import type { GrantedNamespace } from "../sources/caller.ts";
import { namespaceNotFound, requireNamespaceName } from "../sources/namespace.ts";
import { MonitorStore } from "../sources/monitors.ts";
import { Registry } from "../sources/registry.ts";
import type {
  Engine,
  IndexAnswer,
  IndexRequest,
  NamespaceStatus,
  Request,
  StatusRequest,
} from "./engine.ts";
import { IndexJobs, type RunningJob } from "./index-jobs.ts";
import type { IndexProgress, IndexReport } from "./indexer.ts";
import type { Need, Opened, Questions } from "./questions.ts";
import { namespaceStatus } from "./status.ts";

export interface EngineOptions {
  readonly dataDirectory: string;
  readonly home: string;
  readonly logger: Logger;
  /** The folder a session works on; throws NO_WORKSPACE where there is none. */
  readonly workspace?: (() => string) | undefined;
  /** Overrides the namespace of the workspace. */
  readonly namespace?: string | undefined;
  /** The folder of a model2vec model; the program's own table by default. */
  readonly embeddings?: string | undefined;
  /** Folders that may be indexed with all below them, beside those that are sources already; any by default. */
  readonly indexOnlyBelow?: readonly string[] | undefined;
}

interface JobWish {
  /** Must see what is there now; otherwise the run under way will do. */
  readonly fresh: boolean;
  readonly rebuild: boolean;
}

/** How old the last look at the files may be before a search has them looked at again, behind its back. */
const RESCAN_AFTER_MS = 2000;
/** How long after a question that look begins. */
const REFRESH_DELAY_MS = 100;
/** How long a question for changes waits for the files to be looked at. */
const LOOK_WITHIN_MS = 4000;
/** How long a new monitor waits until it is at work. */
const PREPARE_WITHIN_MS = 15_000;
/** How long a question waits for the very first generation of a small project. */
const FIRST_BUILD_WAIT_MS = 3000;
/** How often it looks meanwhile whether there is enough for an answer. */
const FIRST_BUILD_LOOK_MS = 25;
/** What an index gives within this time is the answer, marked as partial: a call has 30 s. */
const ANSWER_WITHIN_MS = 20_000;
/** No call runs longer (interface, section 8). */
const LONGEST_CALL_MS = 30_000;
/** How long a run waits for another process that is writing to the same namespace. */
const WRITER_WAIT_MS = 15_000;

/** Opens nothing until it is asked something. */
export function createEngine(options: EngineOptions): Engine {
  return new LocalEngine(options);
}

class LocalEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #jobs: IndexJobs;
  readonly #backend: EmbeddedBackend;
  readonly #lastScan = new Map<string, number>();
  /** Namespaces that had no index when their latest run began. */
  readonly #firstBuilds = new Set<string>();
  /** Namespaces whose damaged index is being built anew. */
  readonly #mended = new Set<string>();
  #questions: Promise<Questions> | undefined;
  #registry: Registry | undefined;
  #monitors: MonitorStore | undefined;
  #workspaceNamespace: string | undefined;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#jobs = new IndexJobs(options.logger);
    this.#backend = new EmbeddedBackend(options.dataDirectory);
  }

  readonly search: Engine["search"] = async (request) => (await this.#answering()).search(request);
  readonly searchText: Engine["searchText"] = async (request) =>
    (await this.#answering()).searchText(request);
  readonly read: Engine["read"] = async (request) => (await this.#answering()).read(request);
  readonly references: Engine["references"] = async (request) =>
    (await this.#answering()).references(request);
  readonly findSymbols: Engine["findSymbols"] = async (request) =>
    (await this.#answering()).findSymbols(request);
  readonly outline: Engine["outline"] = async (request) =>
    (await this.#answering()).outline(request);
  readonly related: Engine["related"] = async (request) =>
    (await this.#answering()).related(request);
  readonly changes: Engine["changes"] = async (request) => {
    // Who asks what changed means up to now.
    const namespace = this.#grant(request, request.namespace ?? this.#defaultNamespace());
    const { signal } = request;
    const job = this.#startJob(namespace, { fresh: true, rebuild: false });
    await settled(job, { waitMs: LOOK_WITHIN_MS, signal }).catch(() => undefined);
    this.#lastScan.set(namespace, performance.now());
    return (await this.#answering()).changes({ ...request, namespace });
  };
  readonly impact: Engine["impact"] = async (request) => (await this.#answering()).impact(request);

  /** What answers questions is loaded with the first of them: a session that asks none starts sooner. */
  #answering(): Promise<Questions> {
    this.#questions ??= import("./questions.ts").then(
      ({ Questions: Answering }) =>
        new Answering({
          ask: (request, need, answer) => this.#mending(request, need, answer),
          sources: (namespace) => this.#sources(namespace),
          reader: (namespace) => this.#anyReader(namespace),
          monitors: (namespace, { caller }) => this.#openMonitors().ofOwner(namespace, caller.id),
          look: (namespace) => this.#lookAgain(namespace),
          building: (namespace) => this.#building(namespace),
          embeddings: this.#options.embeddings,
        }),
    );
    return this.#questions;
  }

  readonly monitors: Engine["monitors"] = async (request) => {
    const namespace = this.#grant(request, request.namespace ?? this.#defaultNamespace());
    const { setMonitor } = await import("./set-monitor.ts");
    const answer = setMonitor(this.#openMonitors(), namespace, request);
    if (request.action !== "create") return { ...answer, isWatching: true };
    // It hits what changes once a run has prepared for it.
    const job = this.#startJob(namespace, { fresh: true, rebuild: false });
    const report = await settled(job, { waitMs: PREPARE_WITHIN_MS, signal: request.signal });
    return { ...answer, isWatching: report?.outcome === "done" };
  };

  readonly index = async (request: IndexRequest): Promise<IndexAnswer> => {
    const root = this.#folderOf(request);
    if (isForbiddenRoot(root, this.#options.home)) {
      throw new SvcError("NO_WORKSPACE", `${root} is too wide to be indexed.`, {
        hint: "Name a project folder below it.",
      });
    }
    const namespace = this.#namespaceForSource(request, root);
    const job = this.#startJob(namespace, { fresh: true, rebuild: request.rebuild ?? false });
    if (request.onProgress !== undefined) job.onProgress(request.onProgress);
    const report = await settled(job, request);
    if (report !== undefined) this.#lastScan.set(namespace, performance.now());
    return { namespace, source: root, report, status: await this.#status(namespace, "summary") };
  };

  readonly status = async (request: StatusRequest): Promise<readonly NamespaceStatus[]> => {
    if (request.namespace !== undefined) {
      const granted = this.#grant(request, request.namespace);
      return [await this.#status(granted, request.detail)];
    }
    const visible = this.#openRegistry()
      .namespaces()
      .filter((name) => request.caller.maySee(name))
      .map((name) => this.#grant(request, name));
    return Promise.all(visible.map((granted) => this.#status(granted, request.detail)));
  };

  readonly startBackground = (): void => {
    let namespace: string;
    try {
      namespace = this.#defaultNamespace();
    } catch (thrown) {
      // No workspace is no failure of the session: the tools say how to name one.
      this.#options.logger.warn("no workspace", { error: thrown });
      return;
    }
    this.#refresh(namespace);
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#jobs.cancelAll();
    if (this.#questions !== undefined) (await this.#questions).close();
    this.#backend.close();
    this.#monitors?.close();
    this.#monitors = undefined;
    this.#registry?.close();
    this.#registry = undefined;
  };

  #folderOf({ source, caller }: IndexRequest): string {
    if (source === undefined) return this.#workspace();
    const { indexOnlyBelow } = this.#options;
    if (indexOnlyBelow === undefined) return requireFolder(source);
    const registry = this.#openRegistry();
    const visible = registry.namespaces().filter((name) => caller.maySee(name));
    const roots = visible.flatMap((name) => registry.sources(name)).map(({ root }) => root);
    // A folder of one namespace must not be read through another: who sees some only has their sources.
    return requireBelow(caller.seesAll ? [...roots, ...indexOnlyBelow] : roots, source);
  }

  #openRegistry(): Registry {
    this.#registry ??= new Registry(this.#options.dataDirectory);
    return this.#registry;
  }

  #openMonitors(): MonitorStore {
    // They lie beside the namespaces, which must be there.
    this.#openRegistry();
    this.#monitors ??= new MonitorStore(this.#options.dataDirectory);
    return this.#monitors;
  }

  #sources(namespace: string): ReturnType<Registry["sources"]> {
    return this.#openRegistry().sources(namespace);
  }

  #defaultNamespace(): string {
    const { namespace } = this.#options;
    if (namespace !== undefined) return requireNamespaceName(namespace);
    this.#workspaceNamespace ??= this.#openRegistry().ensureWorkspace(this.#workspace());
    return this.#workspaceNamespace;
  }

  #workspace(): string {
    const { workspace } = this.#options;
    if (workspace !== undefined) return workspace();
    throw new SvcError("NO_WORKSPACE", "There is no workspace.", { hint: "Name a namespace." });
  }

  #grant({ caller }: Request, namespace: string): GrantedNamespace {
    return caller.grant(namespace, (name) => this.#openRegistry().has(name));
  }

  #namespaceForSource(request: IndexRequest, root: string): GrantedNamespace {
    const registry = this.#openRegistry();
    const wanted = request.namespace ?? this.#options.namespace;
    if (wanted !== undefined) requireNamespaceName(wanted);
    const { caller, include, exclude } = request;
    const known = wanted ?? registry.namespaceOf(root) ?? this.#fallback(request);
    // Who may see some namespaces only must not make another.
    if (!caller.seesAll && (known === undefined || !caller.maySee(known))) {
      throw namespaceNotFound(known ?? basename(root));
    }
    const namespace = known ?? registry.ensureWorkspace(root);
    registry.addSource(namespace, { root, include, exclude });
    return this.#grant(request, namespace);
  }

  #fallback({ otherwise }: IndexRequest): string | undefined {
    if (otherwise !== "workspace") return undefined;
    try {
      return this.#defaultNamespace();
    } catch (thrown) {
      // A session without a workspace can still index a folder that is named.
      if (thrown instanceof SvcError && thrown.code === "NO_WORKSPACE") return undefined;
      throw thrown;
    }
  }

  /** Answers from the index of the question's namespace; one that proves damaged is built anew. */
  async #mending<T>(
    request: Request,
    need: Need,
    answer: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const namespace = this.#grant(request, request.namespace ?? this.#defaultNamespace());
    try {
      return await answer(await this.#open(namespace, need, request));
    } catch (thrown) {
      const isDamage = thrown instanceof SvcError && thrown.code === "INDEX_UNAVAILABLE";
      if (!isDamage || this.#isClosed) throw thrown;
      this.#mend(namespace, thrown);
      throw new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" is damaged.`, {
        hint: "It is being built anew from the files; ask again in a few seconds.",
        cause: thrown,
      });
    }
  }

  /** Starts a rebuild, unless one is on its way: each question meanwhile finds the same damage. */
  #mend(namespace: string, error: SvcError): void {
    if (this.#mended.has(namespace)) return;
    this.#mended.add(namespace);
    this.#options.logger.warn("index damaged", { namespace, error });
    const end = (): void => void this.#mended.delete(namespace);
    this.#startJob(namespace, { fresh: true, rebuild: true }).finished.then(end, end);
  }

  /** Opens the index of a namespace, waiting a moment for a first build. */
  async #open(namespace: GrantedNamespace, need: Need, request: Request): Promise<Opened> {
    let reader = await this.#reader(namespace, need, request);
    if (reader === undefined) {
      const job = this.#startJob(namespace, { fresh: false, rebuild: false });
      reader = await this.#firstReader(job, { namespace, need, request });
    } else if (performance.now() - (this.#lastScan.get(namespace) ?? -Infinity) > RESCAN_AFTER_MS) {
      this.#refreshSoon(namespace);
    }
    if (reader !== undefined) return { namespace, reader };
    throw new SvcError(
      "INDEX_EMPTY",
      `The index of "${namespace}" is being built for the first time.`,
      {
        hint: `${progressText(this.#jobs.running(namespace)?.progress())} Ask again in a few seconds; \`index_status\` shows how far it is.`,
      },
    );
  }

  /** Undefined while there is not yet what an answer needs. */
  async #reader(
    namespace: GrantedNamespace,
    need: Need,
    { signal }: Request,
  ): Promise<IndexReader | undefined> {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    const reader = await this.#backend.reader(namespace, { signal, deadline });
    if (reader === undefined || reader.version.at === 0) return undefined;
    if (need === "files" || reader.hasWords) return reader;
    // A project without a single readable file has been read all the same.
    const { listed } = (await reader.summary()).stages;
    return listed === 0 ? reader : undefined;
  }

  async #anyReader(namespace: GrantedNamespace): Promise<IndexReader> {
    const reader = await this.#backend.reader(namespace);
    if (reader !== undefined) return reader;
    throw new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" is gone.`, {
      hint: "Ask again in a few seconds.",
    });
  }

  /** Waits until a first build has got far enough, but not long. */
  async #firstReader(
    job: RunningJob,
    { namespace, need, request }: { namespace: GrantedNamespace; need: Need; request: Request },
  ): Promise<IndexReader | undefined> {
    const end = performance.now() + FIRST_BUILD_WAIT_MS;
    for (;;) {
      // eslint-disable-next-line no-await-in-loop -- one look after the other
      const report = await settled(job, { waitMs: FIRST_BUILD_LOOK_MS, signal: request.signal });
      // eslint-disable-next-line no-await-in-loop -- as above
      const reader = await this.#reader(namespace, need, request);
      const isOver = report !== undefined || request.signal.aborted || performance.now() > end;
      if (reader !== undefined || isOver) return reader;
    }
  }

  /** Once the question has its answer, which a new thread would slow down. */
  #refreshSoon(namespace: string): void {
    this.#lastScan.set(namespace, performance.now());
    const refresh = (): void => {
      if (!this.#isClosed) this.#refresh(namespace);
    };
    setTimeout(refresh, REFRESH_DELAY_MS).unref();
  }

  #lookAgain(namespace: string): void {
    const isOld =
      performance.now() - (this.#lastScan.get(namespace) ?? -Infinity) > RESCAN_AFTER_MS;
    if (isOld && !this.#isClosed) this.#refresh(namespace);
  }

  #refresh(namespace: string): void {
    this.#lastScan.set(namespace, performance.now());
    // Failures are logged by the jobs; the old generation goes on serving.
    this.#startJob(namespace, { fresh: false, rebuild: false })
      .finished.then(() => this.#lastScan.set(namespace, performance.now()))
      .catch(() => undefined);
  }

  #startJob(namespace: string, { fresh, rebuild }: JobWish): RunningJob {
    const { dataDirectory } = this.#options;
    return this.#jobs.start(
      namespace,
      () => {
        if (rebuild) this.#forget(namespace);
        if (this.#backend.isUnread(namespace)) this.#firstBuilds.add(namespace);
        else this.#firstBuilds.delete(namespace);
        return {
          dataDirectory,
          embeddings: this.#options.embeddings,
          namespace,
          sources: this.#sources(namespace).filter(({ root }) => existsSync(root)),
          rebuild,
          waitMs: WRITER_WAIT_MS,
        };
      },
      { fresh, rebuild },
    );
  }

  /** Lets go of an index that is built anew; a damaged catalogue must not stand in the way of that. */
  #forget(namespace: string): void {
    const close = this.#backend.forget(namespace);
    // Calls that are under way still read from it.
    if (close !== undefined) setTimeout(close, LONGEST_CALL_MS).unref();
    this.#backend.removeUnreadable(namespace);
  }

  #status(namespace: GrantedNamespace, detail: StatusRequest["detail"]): Promise<NamespaceStatus> {
    return namespaceStatus({
      namespace,
      detail,
      sources: this.#sources(namespace),
      reader: () => this.#backend.reader(namespace),
      progress: this.#jobs.running(namespace)?.progress(),
      isBeingWritten: () => this.#backend.isBeingWritten(namespace),
    });
  }

  #building(namespace: string): IndexProgress | undefined {
    // Runs after the first one look for changes only: the answer lacks nothing that was there before.
    const progress = this.#jobs.running(namespace)?.progress();
    if (progress === undefined) this.#firstBuilds.delete(namespace);
    return this.#firstBuilds.has(namespace) ? progress : undefined;
  }
}

/** The report of a job, or undefined when it goes on after `waitMs` or the caller has given up. */
async function settled(
  job: RunningJob,
  { waitMs, signal }: { waitMs?: number | undefined; signal: AbortSignal },
): Promise<IndexReport | undefined> {
  if (signal.aborted) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<IndexReport | undefined>();
  const giveUp = (): void => resolve(undefined);
  const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
  signal.addEventListener("abort", giveUp);
  job.finished.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  });
}

function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined || progress.total === 0) return "";
  return `${progress.done} of ${progress.total} files are ${progress.stage === "list" ? "listed" : "read"}.`;
}
