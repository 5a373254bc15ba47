// A search thread of a server. It opens indexes of its own, so that it shares nothing with the main thread, and runs one
// search after the other.

import { parentPort, workerData } from "node:worker_threads";

import type { StoredDescription } from "../../backend/backend.ts";
import { openBackend } from "../../backend/open-backend.ts";
import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import type { IndexVersion } from "../../index/port.ts";
import { createTokenizer } from "../../parse/tokenizer.ts";
import { QueryEmbedder } from "../../search/query-embedder.ts";
import type { Source } from "../../sources/registry/records.ts";
import { embeddingsFrom } from "../embeddings.ts";
import { maskedTexts } from "../files/masked-texts.ts";
import { ReadDependencies } from "../middleware/read-dependencies.ts";
import { searchPassages, type FoundPassages, type SearchQuestion } from "./search-passages.ts";

export interface SearchWorkerData {
  readonly backend: StoredDescription;
  /** The folder of a model2vec model; the bundled table by default. */
  readonly embeddings: string | undefined;
}

export interface SearchJob {
  readonly id: number;
  /** The main thread has checked that the caller may search it. */
  readonly namespace: AuthorizedNamespace;
  readonly sources: readonly Source[];
  /** The version of the main thread's reader. */
  readonly version: IndexVersion;
  readonly question: Omit<SearchQuestion, "reranker">;
  /** Milliseconds until the search returns a partial answer. */
  readonly remainingMs: number;
}

export type SearchCommand =
  | { readonly search: SearchJob }
  /** Nobody waits for the job with this id any more. */
  | { readonly cancel: number }
  | { readonly end: true };

export interface SearchThreadAnswer {
  readonly found: FoundPassages;
  /** The version that was searched. */
  readonly version: IndexVersion;
  /** The files behind the answer, as `ReadDependencies.files` returns them. */
  readonly files: ReadonlyMap<string, string> | undefined;
}

export type SearchEvent =
  | { readonly ready: true }
  /** Without an answer the search has failed, or was cancelled. */
  | { readonly id: number; readonly answer: SearchThreadAnswer | undefined };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by SearchThreads
const { backend: description, embeddings } = workerData as SearchWorkerData;
const opening = openBackend(description);
const tokenizer = createTokenizer();
const embedder = new QueryEmbedder(embeddingsFrom(embeddings));
/** The jobs that have not ended. */
const jobs = new Map<number, AbortController>();
let last = Promise.resolve();

function send(event: SearchEvent): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(event);
}

/** A job with what ends it. */
interface ReceivedJob extends SearchJob {
  /** In milliseconds of `performance.now()` of this thread. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

async function search({
  namespace,
  sources,
  version,
  question,
  deadline,
  signal,
}: ReceivedJob): Promise<SearchThreadAnswer | undefined> {
  const backend = await opening;
  const reader = await backend.index.reader(namespace, { atLeast: version, signal, deadline });
  if (reader === undefined) return undefined;
  const dependencies = new ReadDependencies();
  const texts = maskedTexts(
    dependencies.track(backend.texts.open(namespace, sources)),
    reader.file,
  );
  const context = { reader, sources, texts, tokenizer, embedder };
  const found = await searchPassages(context, { ...question, signal });
  return { found, version: reader.version, files: dependencies.files };
}

async function answer(job: ReceivedJob): Promise<void> {
  const isCancelled = job.signal.aborted;
  // The main thread repeats a search that fails, and so has the error with all its parts.
  const found = isCancelled ? undefined : await search(job).catch(() => undefined);
  jobs.delete(job.id);
  send({ id: job.id, answer: found });
}

parentPort?.on("message", (command: SearchCommand) => {
  if ("cancel" in command) {
    jobs.get(command.cancel)?.abort();
  } else if ("end" in command) {
    void opening.then((backend) => backend.close());
    parentPort?.close();
  } else {
    const { search: job } = command;
    const controller = new AbortController();
    jobs.set(job.id, controller);
    // The time in which a job waits for the one before it counts.
    const deadline = performance.now() + job.remainingMs;
    last = last.then(() => answer({ ...job, deadline, signal: controller.signal }));
  }
});

async function start(): Promise<void> {
  await opening;
  // Loads the table of words.
  embedder.embed("ready");
  send({ ready: true });
}

void start();
