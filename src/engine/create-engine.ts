import { embeddingsFrom } from "./embeddings.ts";
import { QuestionEmbedder } from "../search/question-vector.ts";
import { existsSync } from "node:fs";
import { basename } from "node:path";

import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { hasQueryLength, QUERY_LENGTH_PROBLEM } from "../base/query-length.ts";
import { createTokenizer, type Tokenizer } from "../chunk/words.ts";
import type { IndexReader } from "../index/backend.ts";
import { EmbeddedBackend } from "../index/embedded-backend.ts";
import { isForbiddenRoot, requireFolder } from "../sources/folder.ts";
import { maySee, namespaceNotFound, requireNamespaceName } from "../sources/namespace.ts";
import { Registry } from "../sources/registry.ts";
import type {
  Engine,
  IndexAnswer,
  IndexRequest,
  NamespaceStatus,
  ReadAnswer,
  ReadRequest,
  Request,
  SearchAnswer,
  SearchRequest,
  StatusRequest,
  TextAnswer,
  TextRequest,
} from "./engine.ts";
import { IndexJobs, type RunningJob } from "./index-jobs.ts";
import type { IndexProgress, IndexReport } from "./indexer.ts";
import { readTargets } from "./read-context.ts";
import { searchPassages } from "./search-passages.ts";
import { searchText } from "./search-text.ts";
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
}

interface Opened {
  readonly namespace: string;
  readonly reader: IndexReader;
}

/** What must be there for an answer: names of files are enough to search for text. */
type Need = "files" | "words";

interface JobWish {
  /** Must see what is there now; otherwise the run under way will do. */
  readonly fresh: boolean;
  readonly rebuild: boolean;
}

/** How old the last look at the files may be before a search has them looked at again, behind its back. */
const RESCAN_AFTER_MS = 2000;
/** How long after a question that look begins. */
const REFRESH_DELAY_MS = 100;
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
  #registry: Registry | undefined;
  #tokenizer: Tokenizer | undefined;
  #embedder: QuestionEmbedder | undefined;
  #workspaceNamespace: string | undefined;
  #isClosed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#jobs = new IndexJobs(options.logger);
    this.#backend = new EmbeddedBackend(options.dataDirectory);
  }

  readonly search = async (request: SearchRequest): Promise<SearchAnswer> => {
    const started = performance.now();
    if (!hasQueryLength(request.query)) {
      throw new SvcError("INVALID_QUERY", `query: ${QUERY_LENGTH_PROBLEM}.`);
    }
    return this.#mending(request, "words", async ({ namespace, reader }) => {
      this.#tokenizer ??= createTokenizer();
      this.#embedder ??= new QuestionEmbedder(embeddingsFrom(this.#options.embeddings));
      const sources = this.#sources(namespace);
      const sight = { reader, sources, tokenizer: this.#tokenizer, embedder: this.#embedder };
      const answer = await searchPassages(sight, request);
      return {
        namespace,
        generation: reader.version.at,
        partial: reader.partial,
        ...answer,
        building: this.#building(namespace),
        tookMs: Math.round((performance.now() - started) * 100) / 100,
      };
    });
  };

  readonly searchText = (request: TextRequest): Promise<TextAnswer> =>
    this.#mending(request, "files", async ({ namespace, reader }) => {
      const sight = { reader, sources: this.#sources(namespace) };
      return { namespace, ...(await searchText(sight, request)) };
    });

  readonly read = (request: ReadRequest): Promise<ReadAnswer> =>
    this.#mending(request, "files", async ({ namespace, reader }) => {
      const sight = { reader, sources: this.#sources(namespace) };
      return { namespace, ...(await readTargets(sight, request)) };
    });

  readonly index = async (request: IndexRequest): Promise<IndexAnswer> => {
    const root = request.source === undefined ? this.#workspace() : requireFolder(request.source);
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
      this.#requireVisible(request, request.namespace);
      return [await this.#status(request.namespace, request.detail)];
    }
    const visible = this.#openRegistry()
      .namespaces()
      .filter((name) => maySee(request.caller, name));
    return Promise.all(visible.map((name) => this.#status(name, request.detail)));
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
    this.#backend.close();
    this.#registry?.close();
    this.#registry = undefined;
  };

  #openRegistry(): Registry {
    this.#registry ??= new Registry(this.#options.dataDirectory);
    return this.#registry;
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

  #requireVisible({ caller }: Request, namespace: string): void {
    if (!maySee(caller, namespace) || !this.#openRegistry().has(namespace)) {
      throw namespaceNotFound(namespace);
    }
  }

  #namespaceForSource(request: IndexRequest, root: string): string {
    const registry = this.#openRegistry();
    const wanted = request.namespace ?? this.#options.namespace;
    if (wanted !== undefined) requireNamespaceName(wanted);
    const { caller, include, exclude } = request;
    const known = wanted ?? registry.namespaceOf(root) ?? this.#fallback(request);
    // Who may see some namespaces only must not make another.
    if (caller.namespaces !== "all" && (known === undefined || !maySee(caller, known))) {
      throw namespaceNotFound(known ?? basename(root));
    }
    const namespace = known ?? registry.ensureWorkspace(root);
    registry.addSource(namespace, { root, include, exclude });
    return namespace;
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
    const namespace = request.namespace ?? this.#defaultNamespace();
    this.#requireVisible(request, namespace);
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
  async #open(namespace: string, need: Need, request: Request): Promise<Opened> {
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
    namespace: string,
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

  /** Waits until a first build has got far enough, but not long. */
  async #firstReader(
    job: RunningJob,
    { namespace, need, request }: { namespace: string; need: Need; request: Request },
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

  #status(namespace: string, detail: StatusRequest["detail"]): Promise<NamespaceStatus> {
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
