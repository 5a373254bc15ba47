import { setTimeout as delay } from "node:timers/promises";

import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { IndexDamage } from "../index/damage.ts";
import type { IndexReader, JournalReader } from "../index/backend.ts";
import { EmbeddedBackend } from "../index/embedded-backend.ts";
import type { GrantedNamespace } from "../sources/caller.ts";
import { noNamespaceNamed, requireNamespaceName } from "../sources/namespace.ts";
import { MonitorStore } from "../sources/monitors.ts";
import { Registry } from "../sources/registry.ts";
import type { Engine, IndexAnswer, IndexRequest, Request, StatusRequest } from "./engine.ts";
import type { RunningJob } from "./indexing/index-jobs.ts";
import type { IndexProgress } from "./indexing/indexer.ts";
import { settled } from "./interest.ts";
import type { KeptAnswersOptions } from "./kept-answers.ts";
import { removeIndex, removeLeftovers } from "./leftovers.ts";
import { requireSource } from "./named-source.ts";
import { maskedEngine } from "./masked-engine.ts";
import type { NamespaceStatus } from "./namespace-status.ts";
import { NamespaceRuns, WRITER_WAIT_MS } from "./indexing/namespace-runs.ts";
import type { Need, Opened, Questions } from "./questions.ts";
import { RepositoryUpdates } from "./indexing/repository-updates.ts";
import { SourcePlacing } from "./indexing/source-placing.ts";
import { namespaceStatus } from "./status.ts";
import type { FetchRepository } from "./indexing/update-clone.ts";

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
  /** Fetches repositories; without it they are refused. */
  readonly fetchRepository?: FetchRepository | undefined;
  /** Watches the files of the namespaces that are used, as a process does that stays. */
  readonly watches?: boolean | undefined;
  /** How answers are kept that may be given again. */
  readonly kept?: KeptAnswersOptions | undefined;
  /** Answers hold the secrets of files as they are; a mask stands in their place by default. */
  readonly showsSecrets?: boolean | undefined;
}

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
/** Opens nothing until it is asked something. */
export function createEngine(options: EngineOptions): Engine {
  const engine = new LocalEngine(options);
  return options.showsSecrets === true ? engine : maskedEngine(engine);
}

class LocalEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #backend: EmbeddedBackend;
  readonly #runs: NamespaceRuns;
  /** Namespaces whose damaged index is being built anew. */
  readonly #mended = new Set<string>();
  /** Namespaces whose index was verified because of damage that a question met. */
  readonly #verified = new Set<string>();
  readonly #updates: RepositoryUpdates;
  readonly #placing: SourcePlacing;
  /** When the namespaces were made whose indexes may be open. */
  readonly #createdAt = new Map<string, string>();
  #questions: Promise<Questions> | undefined;
  #registry: Registry | undefined;
  #monitors: MonitorStore | undefined;
  #workspaceNamespace: string | undefined;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#backend = new EmbeddedBackend(options.dataDirectory);
    this.#runs = new NamespaceRuns(options, {
      backend: this.#backend,
      registry: () => this.#openRegistry(),
      createdAt: (namespace) => this.#createdNow(namespace),
      forget: (namespace) => this.#letGo(namespace),
    });
    this.#updates = new RepositoryUpdates({
      dataDirectory: options.dataDirectory,
      fetchRepository: options.fetchRepository,
      registry: () => this.#openRegistry(),
      failed: (namespace, thrown) => this.#runs.note(namespace, "index", { thrown }),
    });
    this.#placing = new SourcePlacing({
      options,
      registry: () => this.#openRegistry(),
      workspace: () => this.#workspace(),
      defaultNamespace: () => this.#defaultNamespace(),
      grant: (request, namespace) => this.#grant(request, namespace),
    });
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
    const namespace = this.#askedNamespace(request);
    const job = this.#runs.start(namespace, { fresh: true });
    const patience = { waitMs: LOOK_WITHIN_MS, signal: request.signal };
    await this.#runs.interest.wait(job, patience).catch(() => undefined);
    this.#runs.noteLook(namespace);
    return (await this.#answering()).changes({ ...request, namespace });
  };
  readonly impact: Engine["impact"] = async (request) => (await this.#answering()).impact(request);

  /** What answers questions is loaded with the first of them: a session that asks none starts sooner. */
  #answering(): Promise<Questions> {
    this.#questions ??= import("./questions.ts").then(
      ({ Questions: Answering }) =>
        new Answering({
          ask: (request, need, answer) => this.#mending(request, need, answer),
          sources: (namespace) => this.#shownSources(namespace),
          reader: (namespace) => this.#anyReader(namespace),
          monitors: (namespace, { caller }) => this.#openMonitors().ofOwner(namespace, caller.id),
          look: (namespace) => this.#runs.refreshStale(namespace, 0),
          building: (namespace) => this.#runs.building(namespace),
          embeddings: this.#options.embeddings,
          kept: this.#options.kept,
        }),
    );
    return this.#questions;
  }

  readonly monitors: Engine["monitors"] = async (request) => {
    const namespace = this.#askedNamespace(request);
    const { setMonitor } = await import("./monitors/set-monitor.ts");
    const answer = setMonitor(this.#openMonitors(), namespace, request);
    if (request.action !== "create") return { ...answer, isWatching: true };
    // It hits what changes once a run has prepared for it.
    const job = this.#runs.start(namespace, { fresh: true });
    const patience = { waitMs: PREPARE_WITHIN_MS, signal: request.signal };
    const report = await this.#runs.interest.wait(job, patience);
    return { ...answer, isWatching: report?.outcome === "done" };
  };

  readonly monitorHits: Engine["monitorHits"] = async (request) => {
    const { caller, places } = request;
    const { findMonitorHits } = await import("./monitors/monitor-hits.ts");
    if (this.#isClosed) return { found: [], places };
    const own = this.#openMonitors().allOfOwner(caller.id);
    const monitors = own.filter(({ namespace }) => caller.maySee(namespace));
    const journal = (namespace: string): JournalReader | undefined =>
      this.#backend.journal(this.#grant(request, namespace));
    return findMonitorHits({ monitors, journal }, request);
  };

  readonly index = async (request: IndexRequest): Promise<IndexAnswer> => {
    const placed = this.#placing.place(request);
    const { namespace, source } = placed;
    const before = await this.#version(namespace);
    const wish = { fresh: true, rebuild: request.rebuild ?? false, by: "index" } as const;
    const start = (): RunningJob => this.#runs.start(namespace, wish);
    const { repository } = placed;
    const job = repository === undefined ? start() : this.#updates.start(placed, repository, start);
    if (request.onProgress !== undefined) job.onProgress(request.onProgress);
    // A question meanwhile needs no other look.
    this.#runs.noteLook(namespace);
    const report = await this.#runs.interest.wait(job, request);
    if (report !== undefined) this.#runs.noteLook(namespace);
    const isUnchanged = before !== undefined && (await this.#version(namespace)) === before;
    const status = await this.#status(namespace, "summary");
    return { namespace, source: source.url ?? source.root, report, isUnchanged, status };
  };

  readonly removeSource: Engine["removeSource"] = async (request) => {
    const source = requireSource(this.#openRegistry(), request);
    const namespace = this.#grant(request, source.namespace);
    this.#openRegistry().removeSource(source);
    await Promise.all(this.#updates.of([source]).map((update) => update.cancel()));
    const run = this.#runs.start(namespace, { fresh: true, by: "index" });
    const { outcome } = await run.finished;
    removeLeftovers(this.#openRegistry(), this.#options.dataDirectory);
    if (outcome === "done") return namespace;
    throw new SvcError("INDEX_UNAVAILABLE", `Another svc process is indexing "${namespace}".`, {
      hint: "The source is taken out; what the index has of it goes with the next run.",
    });
  };

  readonly verify: Engine["verify"] = async (request) => {
    const source = requireSource(this.#openRegistry(), request);
    const namespace = this.#grant(request, source.namespace);
    const damage = this.#backend.verify(namespace);
    if (damage !== undefined) return { namespace, damage };
    throw new SvcError("INDEX_EMPTY", `"${namespace}" has no index yet.`, {
      hint: "Run `svc index`.",
    });
  };

  readonly removeNamespace: Engine["removeNamespace"] = async (request) => {
    const namespace = this.#grant(request, request.namespace);
    const registry = this.#openRegistry();
    const { dataDirectory } = this.#options;
    const updates = this.#updates.of(registry.sources(namespace));
    registry.removeNamespace(namespace);
    this.#letGo(namespace);
    await Promise.all(updates.map((update) => update.cancel()));
    // Whoever writes to it sees that it is gone, and ends.
    const end = performance.now() + WRITER_WAIT_MS;
    while (this.#backend.isBeingWritten(namespace) && performance.now() < end) {
      // eslint-disable-next-line no-await-in-loop -- one look after the other
      await delay(FIRST_BUILD_LOOK_MS);
    }
    removeIndex(registry, { dataDirectory, namespace });
    removeLeftovers(registry, dataDirectory);
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

  readonly check = async (): Promise<void> => {
    this.#openRegistry().namespaces();
  };

  readonly startBackground = (): void => {
    if (this.#isClosed) return;
    let namespace: string;
    try {
      namespace = this.#defaultNamespace();
    } catch (thrown) {
      // No workspace is no failure of the session: the tools say how to name one.
      this.#options.logger.warn("no workspace", { error: thrown });
      return;
    }
    this.#runs.watch(namespace, true);
    // A first index does not wait until the files are watched.
    const isUnread = this.#backend.isUnread(namespace);
    if (isUnread || !this.#runs.freshness.isWatched(namespace)) this.#runs.refresh(namespace);
  };

  readonly keepFresh: Engine["keepFresh"] = (namespace, onBatch) => {
    const { freshness } = this.#runs;
    freshness.listen(namespace, onBatch);
    freshness.use(namespace, { keep: true });
    return freshness.freshness(namespace);
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#updates.cancelAll();
    await this.#runs.close();
    if (this.#questions !== undefined) (await this.#questions).close();
    this.#backend.close();
    this.#monitors?.close();
    this.#monitors = undefined;
    this.#registry?.close();
    this.#registry = undefined;
  };

  #openRegistry(): Registry {
    if (this.#registry === undefined) {
      this.#registry = new Registry(this.#options.dataDirectory);
      removeLeftovers(this.#registry, this.#options.dataDirectory);
    }
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

  #shownSources(namespace: string): ReturnType<Registry["sources"]> {
    const sources = this.#sources(namespace);
    if (this.#options.showsSecrets !== true) return sources;
    return sources.map((source) => ({ ...source, showsSecrets: true }));
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

  /** The one that a question names, or else the caller's own, or that of the workspace. */
  #askedNamespace(request: Request): GrantedNamespace {
    const { caller } = request;
    const asked = request.namespace ?? caller.onlyNamespace;
    if (asked !== undefined) return this.#grant(request, asked);
    const served = this.#defaultNamespace();
    // Its name is none of this caller's business.
    if (!caller.maySee(served)) throw noNamespaceNamed();
    return this.#grant(request, served);
  }

  #grant({ caller }: Pick<Request, "caller">, namespace: string): GrantedNamespace {
    return caller.grant(
      namespace,
      (name) => this.#createdNow(name) !== undefined,
      () => this.#openRegistry().namespaces(),
    );
  }

  /** Lets go of the index of a namespace that was removed, also when there is another of its name now. */
  #createdNow(namespace: string): string | undefined {
    const createdAt = this.#openRegistry().createdAt(namespace);
    const before = this.#createdAt.get(namespace);
    if (before !== undefined && before !== createdAt) this.#letGo(namespace);
    if (createdAt === undefined) {
      this.#createdAt.delete(namespace);
      this.#runs.freshness.drop(namespace);
    } else this.#createdAt.set(namespace, createdAt);
    return createdAt;
  }

  /** Answers from the index of the question's namespace; one that proves damaged is built anew. */
  async #mending<T>(
    request: Request,
    need: Need,
    answer: (opened: Opened) => Promise<T>,
  ): Promise<T> {
    const namespace = this.#askedNamespace(request);
    try {
      return await answer(await this.#open(namespace, need, request));
    } catch (thrown) {
      if (!(thrown instanceof IndexDamage) || this.#isClosed) throw thrown;
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
    this.#backend.noteDamage(namespace, error.message);
    const end = (): void => void this.#mended.delete(namespace);
    // What is met again, though nothing was found, is not left to be met for ever.
    const setAside = this.#verified.has(namespace) ? "all" : "damaged";
    this.#verified.add(namespace);
    const job = this.#runs.start(namespace, { fresh: true, setAside });
    this.#runs.interest.keep(job).finished.then(end, end);
  }

  /** Opens the index of a namespace, waiting a moment for a first build. */
  async #open(namespace: GrantedNamespace, need: Need, request: Request): Promise<Opened> {
    let reader = await this.#reader(namespace, need, request);
    if (reader === undefined) {
      const job = this.#runs.interest.keep(this.#runs.start(namespace, { fresh: false }));
      reader = await this.#firstReader(job, { namespace, need, request });
    } else this.#runs.refreshStale(namespace);
    this.#runs.watch(namespace);
    if (reader !== undefined) return { namespace, reader };
    throw new SvcError(
      "INDEX_EMPTY",
      `The index of "${namespace}" is being built for the first time.`,
      {
        hint: `${progressText(this.#runs.running(namespace)?.progress())} Ask again in a few seconds; \`index_status\` shows how far it is.`,
      },
    );
  }

  /** Undefined while there is not yet what an answer needs. */
  async #reader(
    namespace: GrantedNamespace,
    need: Need,
    { signal, answerBy = Infinity }: Request,
  ): Promise<IndexReader | undefined> {
    const deadline = Math.min(performance.now() + ANSWER_WITHIN_MS, answerBy);
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

  /** Names the version of an index; undefined before the first, and where it is damaged. */
  async #version(namespace: GrantedNamespace): Promise<string | undefined> {
    const reader = await this.#backend.reader(namespace).catch(() => undefined);
    return reader && `${reader.version.epoch} ${reader.version.at}`;
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

  #letGo(namespace: string): void {
    const close = this.#backend.forget(namespace);
    // Calls that are under way still read from it.
    if (close !== undefined) setTimeout(close, LONGEST_CALL_MS).unref();
  }

  #status(namespace: GrantedNamespace, detail: StatusRequest["detail"]): Promise<NamespaceStatus> {
    const sources = this.#sources(namespace);
    const [update] = this.#updates.of(sources);
    return namespaceStatus({
      namespace,
      detail,
      sources,
      reader: () => this.#backend.reader(namespace),
      progress: (update ?? this.#runs.running(namespace))?.progress(),
      lastRun: this.#openRegistry().lastRun(namespace),
      damage: () => this.#backend.notedDamage(namespace),
      isBeingWritten: () => this.#backend.isBeingWritten(namespace),
      freshness: () => this.#runs.freshness.freshness(namespace),
    });
  }
}

function progressText(progress: IndexProgress | undefined): string {
  if (progress === undefined || progress.total === 0) return "";
  return `${progress.done} of ${progress.total} files are ${progress.stage === "list" ? "listed" : "read"}.`;
}
