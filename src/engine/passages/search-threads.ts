// Runs searches of a busy server in threads, so that it uses more than one processor. A thread gives the same answers as
// the main thread: both run `searchPassages` on the same version.

import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import { untilAborted } from "../../base/deadline.ts";
import type { Logger } from "../../base/log.ts";
import { endThread, startThread } from "../../base/thread.ts";
import type { SearchRequest } from "../api/search.ts";
import type { SearchThreadsChoice } from "../engine-options.ts";
import { answerWithinMs, type OpenIndex } from "../open-indexes.ts";
import { ProcessorLoad } from "./processor-load.ts";
import type {
  SearchCommand,
  SearchEvent,
  SearchJob,
  SearchThreadAnswer,
  SearchWorkerData,
} from "./search-worker.ts";

/** From this load of the main thread and all search threads on, in processors, threads help. */
const HIGH_LOAD = 0.75;
/** One that runs, and one that is there when it ends: the main thread may be busy with a search of its own then. */
const MAX_JOBS_OF_THREAD = 2;
/** A thread without jobs for so long is ended: it has its own copies of what it read. */
const MAX_IDLE_MS = 30_000;

/** The main thread receives calls, masks answers and writes them, which is an eighth of the work of a search. */
const MAX_THREADS = 7;

const MAIN_LOOP = performance.eventLoopUtilization.bind(performance);

export class SearchThreads {
  readonly #data: SearchWorkerData;
  readonly #logger: Logger;
  readonly #choice: SearchThreadsChoice;
  readonly #load = new ProcessorLoad();
  readonly #threads = new Set<SearchThread>();
  #hasFailed = false;
  #isClosed = false;

  constructor(data: SearchWorkerData, logger: Logger, choice: SearchThreadsChoice = {}) {
    this.#data = data;
    this.#logger = logger;
    this.#choice = choice;
  }

  /**
   * Undefined if the caller should search by itself: the load is low, no thread is free, or the thread's search failed.
   * Rejects with the reason of the request's signal.
   */
  async search(index: OpenIndex, request: SearchRequest): Promise<SearchThreadAnswer | undefined> {
    if (request.reranker !== undefined || this.#hasFailed || this.#isClosed) return undefined;
    if (!this.#isBusy()) return undefined;
    const { namespace } = index;
    const free = [...this.#threads].filter((thread) => thread.isFree);
    const warm = free.filter((thread) => thread.warmNamespaces.has(namespace));
    const [thread] = warm.toSorted((one, other) => one.jobs - other.jobs);
    if (thread !== undefined) return thread.search(jobOf(index, request), request.signal);
    // The first search of a thread opens the index, which takes longer than the search. The caller does not wait.
    const idle = free.find(({ jobs }) => jobs === 0);
    if (idle !== undefined) void this.#warm(idle, jobOf(index, request));
    else if (this.#mayStart()) this.#start();
    return undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #isBusy(): boolean {
    if (this.#choice.isBusy !== undefined) return this.#choice.isBusy();
    const loops = [...this.#threads].map((thread) => thread.utilization);
    return this.#load.cores([MAIN_LOOP, ...loops]) >= HIGH_LOAD;
  }

  /** Lets a thread open the index of a job. */
  async #warm(thread: SearchThread, job: Omit<SearchJob, "id">): Promise<void> {
    const answer = await thread.search(job, new AbortController().signal);
    const { namespace } = job;
    if (answer === undefined) return;
    thread.warmNamespaces.add(namespace);
    this.#logger.info("a search thread is ready", { namespace, threads: this.#threads.size });
  }

  #mayStart(): boolean {
    const isStarting = [...this.#threads].some((thread) => !thread.isReady);
    const { maxThreads = Math.min(MAX_THREADS, availableParallelism() - 1) } = this.#choice;
    return !isStarting && this.#threads.size < maxThreads;
  }

  #start(): void {
    const thread = new SearchThread(this.#data, (failure) => {
      this.#threads.delete(thread);
      if (failure === undefined || this.#isClosed) return;
      // The main thread continues alone: what ends one thread may end the next one too.
      this.#hasFailed = true;
      this.#logger.warn("a search thread failed", { error: failure });
    });
    this.#threads.add(thread);
  }
}

class SearchThread {
  readonly #worker: Worker;
  readonly #answers = new Map<number, (answer: SearchThreadAnswer | undefined) => void>();
  /** Namespaces whose index it has opened. */
  readonly warmNamespaces = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #latest = 0;
  #isEnding = false;
  isReady = false;

  /** Calls `onEnd` once when the thread has ended, with the reason if it was not asked to. */
  constructor(data: SearchWorkerData, onEnd: (failure: unknown) => void) {
    const { source, options } = workerEntry("search-worker");
    this.#worker = startThread(source, { ...options, workerData: data });
    this.#worker.unref();
    let failure: unknown;
    this.#worker
      .on("message", (event: SearchEvent) => this.#receive(event))
      .on("error", (error) => (failure = error))
      .on("exit", (code) => {
        clearTimeout(this.#timer);
        for (const resolve of this.#answers.values()) resolve(undefined);
        this.#answers.clear();
        onEnd(this.#isEnding ? undefined : (failure ?? new Error(`it ended with ${code}`)));
      });
  }

  get jobs(): number {
    return this.#answers.size;
  }

  get isFree(): boolean {
    return this.isReady && !this.#isEnding && this.jobs < MAX_JOBS_OF_THREAD;
  }

  get utilization(): Worker["performance"]["eventLoopUtilization"] {
    return this.#worker.performance.eventLoopUtilization;
  }

  async search(
    job: Omit<SearchJob, "id">,
    signal: AbortSignal,
  ): Promise<SearchThreadAnswer | undefined> {
    signal.throwIfAborted();
    this.#latest += 1;
    const id = this.#latest;
    clearTimeout(this.#timer);
    const { promise, resolve } = Promise.withResolvers<SearchThreadAnswer | undefined>();
    this.#answers.set(id, resolve);
    const cancel = (): void => this.#send({ cancel: id });
    signal.addEventListener("abort", cancel, { once: true });
    try {
      this.#send({ search: { ...job, id } });
      return await untilAborted(promise, signal);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await endThread(this.#worker);
  }

  #receive(event: SearchEvent): void {
    if ("ready" in event) {
      this.isReady = true;
    } else {
      this.#answers.get(event.id)?.(event.answer);
      this.#answers.delete(event.id);
    }
    if (this.jobs === 0) this.#timer = setTimeout(() => this.#retire(), MAX_IDLE_MS).unref();
  }

  #retire(): void {
    this.#isEnding = true;
    this.#send({ end: true });
  }

  #send(command: SearchCommand): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(command);
  }
}

function jobOf(
  { namespace, reader, sources }: OpenIndex,
  request: SearchRequest,
): Omit<SearchJob, "id"> {
  const { principal: _principal, namespace: _named, signal: _signal, ...rest } = request;
  const { deadline, reranker: _reranker, ...question } = rest;
  const remainingMs = answerWithinMs(deadline);
  return { namespace, sources, version: reader.version, question, remainingMs };
}
