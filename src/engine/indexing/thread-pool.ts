import { availableParallelism } from "node:os";
import type { MessagePort, Worker } from "node:worker_threads";

import { workerEntry } from "../../base/assets.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import { endThread, startThread } from "../../base/thread.ts";
import type { IndexReport } from "../api/index-report.ts";
import type { JobRunner } from "./job-runner.ts";
import { cancelled, runError, RunTooLarge } from "./run-failure.ts";
import type { IndexJob, RunListener } from "./run-options.ts";
import type { WorkerCommand, WorkerMessage } from "./index-worker.ts";
import type { ParseWorkerData } from "./parse-worker.ts";

/** How long an idle thread is kept: the next save mostly comes sooner, and a new thread costs as much as ten runs. */
const MAX_IDLE_MS = 120_000;
/** A thread that has read more files has grown in memory and is ended. */
const MAX_FILES_TO_REUSE = 500;

/** Without a limit, V8 lets the part of new objects grow to 134 MB, and indexing takes just as long with little. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 };
/** Less is indexed in six seconds. A parsing thread takes 75 MB, and a second of processor time until its code is fast. */
const MIN_PARALLEL_BYTES = 12 << 20;
/** The indexing thread writes what others parse, which is a third of the work. */
const MAX_PARSERS = 3;

/**
 * Indexing threads, and processes for runs above `maxBytes`. Keeps one idle thread for a while, with compiled code and
 * loaded grammars.
 */
export class IndexThreadPool implements JobRunner {
  #idle: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Of threads that are about to end. */
  readonly #ending = new Set<Promise<void>>();
  readonly #maxIdleMs: number;
  readonly #parsersFor: typeof parsersFor;
  readonly #maxBytes: number | undefined;

  constructor({ maxIdleMs = MAX_IDLE_MS, parsers = parsersFor, maxBytes }: ThreadPoolOptions = {}) {
    this.#maxIdleMs = maxIdleMs;
    this.#parsersFor = parsers;
    this.#maxBytes = maxBytes;
  }

  readonly run: JobRunner["run"] = async (job, listener, signal) => {
    try {
      return await this.#runInThread({ ...job, maxBytes: this.#maxBytes }, listener, signal);
    } catch (thrown) {
      if (!(thrown instanceof RunTooLarge)) throw thrown;
      const { runInProcess } = await import("./index-process.ts");
      const report = await runInProcess(job, listener, signal);
      return report ?? this.#runInThread(job, listener, signal);
    }
  };

  readonly #runInThread: JobRunner["run"] = async (job, listener, signal) => {
    const worker = this.#takeWorker();
    const parsers: Worker[] = [];
    const startParsers = (bytes: number): void => {
      const ports = Array.from({ length: this.#parsersFor(job, bytes) }, () => {
        const { thread, port } = startParser();
        parsers.push(thread);
        return port;
      });
      post(worker, { parsers: ports }, ports);
    };
    const cancel = (): void => {
      for (const thread of [worker, ...parsers]) this.#end(thread);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const answer = await reportOf(worker, job, { ...listener, startParsers });
      const { needsNewThread = false, ...report } = answer;
      // Once it is cancelled, the thread ends, even if it has still sent its report.
      const isFit =
        !signal.aborted && !needsNewThread && report.added + report.changed <= MAX_FILES_TO_REUSE;
      if (isFit) this.#returnWorker(worker);
      else cancel();
      return report;
    } catch (thrown) {
      if (thrown instanceof RunTooLarge && !signal.aborted) this.#returnWorker(worker);
      else cancel();
      throw thrown;
    } finally {
      signal.removeEventListener("abort", cancel);
      await Promise.all(parsers.map(endThread));
    }
  };

  /** Waits for the end of every thread: the process may end next, which aborts it if a thread is compressing. */
  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#idle !== undefined) this.#end(this.#idle);
    await Promise.all(this.#ending);
  };

  #end(thread: Worker): void {
    const end = endThread(thread).finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }

  #takeWorker(): Worker {
    const idle = this.#idle;
    this.#idle = undefined;
    clearTimeout(this.#timer);
    if (idle !== undefined) {
      stopListening(idle);
      idle.ref();
      return idle;
    }
    const { source, options } = workerEntry("index-worker");
    return startThread(source, {
      ...options,
      stdout: false,
      stderr: false,
      resourceLimits: RESOURCE_LIMITS,
    });
  }

  #returnWorker(worker: Worker): void {
    stopListening(worker);
    if (this.#idle !== undefined || this.#isClosed) {
      this.#end(worker);
      return;
    }
    const forget = (): void => {
      if (this.#idle === worker) this.#idle = undefined;
    };
    worker.once("error", forget).once("exit", forget);
    worker.unref();
    this.#idle = worker;
    const end = (): void => {
      // Ending takes a while, and no run may get this thread meanwhile.
      forget();
      this.#end(worker);
    };
    this.#timer = setTimeout(end, this.#maxIdleMs).unref();
  }
}

/** Removes listeners per event: a worker without Node's own listeners gets no messages. */
function stopListening(worker: Worker): void {
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

/**
 * Returns how many parsing threads are worth starting for a run. Work in the background leaves half of the processors
 * to others.
 */
function parsersFor({ isAwaited }: IndexJob, bytes: number): number {
  if (bytes < MIN_PARALLEL_BYTES) return 0;
  const processors = availableParallelism();
  const free = isAwaited === true ? processors : Math.floor(processors / 2);
  return Math.min(MAX_PARSERS, free - 1);
}

function startParser(): { readonly thread: Worker; readonly port: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  const { source, options } = workerEntry("parse-worker");
  const thread = startThread(source, {
    ...options,
    workerData: { port: port2 } satisfies ParseWorkerData,
    transferList: [port2],
    resourceLimits: RESOURCE_LIMITS,
    stdout: false,
    stderr: false,
  });
  // The indexing thread sees the end of the port, and does the work itself.
  thread.on("error", () => undefined);
  return { thread, port: port1 };
}

function post(
  worker: Worker,
  command: WorkerCommand,
  transferList: readonly MessagePort[] = [],
): void {
  worker.postMessage(command, transferList);
}

interface ThreadPoolOptions {
  readonly maxIdleMs?: number;
  /** Returns the number of parsing threads for a run. */
  readonly parsers?: typeof parsersFor;
  /**
   * A run with more bytes to read gets a process of its own. What it has used goes back to the system when the process
   * ends, so that is for programs that go on afterwards. By default, every run has a thread.
   */
  readonly maxBytes?: number | undefined;
}

interface ThreadListener extends RunListener {
  readonly startParsers: (bytes: number) => void;
}

function reportOf(worker: Worker, job: IndexJob, listener: ThreadListener): Promise<IndexReport> {
  return new Promise<IndexReport>((resolve, reject) => {
    worker.on("message", (message: WorkerMessage) => {
      if ("progress" in message) {
        listener.onProgress?.(message.progress);
      } else if ("committed" in message) {
        listener.onCommit?.();
      } else if ("parseBytes" in message) {
        listener.startParsers(message.parseBytes);
      } else if ("report" in message) {
        resolve(message.report);
      } else {
        reject("tooLarge" in message ? new RunTooLarge() : runError(message.failure));
      }
    });
    worker.on("error", (cause) => {
      const error = toSvcError(cause);
      const isKnown = error.code !== "INTERNAL_ERROR";
      reject(isKnown ? error : new SvcError(error.code, "The indexing thread failed.", { cause }));
    });
    worker.on("exit", () => reject(cancelled()));
    post(worker, { job });
  });
}
