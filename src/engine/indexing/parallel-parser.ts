// Parses the files of a run in parsing threads and, while those are busy, in this thread. The results come in the order
// of the files, so that the index does not depend on how many threads there are or how fast they run.

import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";

import { detached, type FileParser, type FileResult, type FileTask } from "./file-parser.ts";
import type { ParseCommand, ParseReply, ParseSetup } from "./parse-worker.ts";

/** A batch has so many bytes of text, or so many files. */
const BATCH_BYTES = 128 << 10;
const BATCH_FILES = 32;
/** One that a thread parses, and one that it begins when it has sent the result. */
const BATCHES_OF_THREAD = 2;
/** How long this thread sleeps at most before it looks whether a thread has ended. */
const MAX_SLEEP_MS = 200;

/** Consecutive files, parsed in one thread. */
interface Batch {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** Undefined until someone parses it. */
  owner: MessagePort | "here" | undefined;
  /** In the order of the files; undefined once taken. */
  readonly results: (FileResult | undefined)[];
}

export class ParallelParser {
  readonly #parser: FileParser;
  readonly #tasks: readonly FileTask[];
  readonly #batches: readonly Batch[];
  readonly #keepsRawBytes: boolean;
  /** With the number of batches that each has. */
  readonly #threads = new Map<MessagePort, number>();
  readonly #replies = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** Index of the batch of the next file. */
  #current = 0;
  #next = 0;

  /** `parser`: of this thread. `threads`: the ports of parsing threads; they are closed by `close`. */
  constructor(
    parser: FileParser,
    tasks: readonly FileTask[],
    threads: readonly MessagePort[],
    setup: Omit<ParseSetup, "replies">,
  ) {
    this.#parser = parser;
    this.#tasks = tasks;
    this.#batches = batchesOf(tasks);
    this.#keepsRawBytes = setup.keepsRawBytes;
    const { buffer: replies } = this.#replies;
    for (const port of threads) {
      this.#threads.set(port, 0);
      port.once("close", () => this.#forget(port));
      send(port, { setup: { ...setup, replies } });
    }
  }

  /** Returns the result of the next file. */
  async next(): Promise<FileResult> {
    const at = this.#next;
    this.#next += 1;
    while (at >= this.#batchAt(this.#current).end) this.#current += 1;
    const batch = this.#batchAt(this.#current);
    for (;;) {
      const seen = Atomics.load(this.#replies, 0);
      this.#receive();
      this.#assign();
      const result = batch.results[at - batch.start];
      if (result !== undefined) {
        batch.results[at - batch.start] = undefined;
        return result;
      }
      if (batch.owner === undefined) batch.owner = "here";
      if (batch.owner === "here") return this.#parser.parse(this.#taskAt(at));
      // oxlint-disable-next-line no-await-in-loop -- until the thread of this batch has replied
      if (!(await this.#parseAhead())) await this.#sleep(seen);
    }
  }

  close(): void {
    for (const port of this.#threads.keys()) port.close();
    this.#threads.clear();
  }

  #receive(): void {
    for (const [port, count] of this.#threads) {
      for (let left = count; ; left -= 1) {
        const received = receiveMessageOnPort(port);
        if (received === undefined) break;
        const { batch, results }: ParseReply = received.message;
        this.#batchAt(batch).results.push(...results.map(withBuffers));
        this.#threads.set(port, left - 1);
      }
    }
  }

  /** Gives each thread work. */
  #assign(): void {
    for (const [port, count] of this.#threads) {
      for (let has = count; has < BATCHES_OF_THREAD; has += 1) {
        const batch = this.#nextFree();
        if (batch === undefined) return;
        batch.owner = port;
        this.#threads.set(port, has + 1);
        send(port, { batch: batch.index, tasks: this.#tasks.slice(batch.start, batch.end) });
      }
    }
  }

  /** Results that wait for those before them need memory, so nobody begins a batch far from the current one. */
  #nextFree(): Batch | undefined {
    const first = this.#current + 1;
    const end = first + (this.#threads.size + 1) * BATCHES_OF_THREAD;
    return this.#batches.slice(first, end).find(({ owner }) => owner === undefined);
  }

  /** Parses a file of a later batch; returns false if there is none to parse here. */
  async #parseAhead(): Promise<boolean> {
    const later = this.#batches
      .slice(this.#current + 1, this.#current + 1 + (this.#threads.size + 1) * BATCHES_OF_THREAD)
      .find(({ owner, results, start, end }) => owner === "here" && results.length < end - start);
    const batch = later ?? this.#nextFree();
    if (batch === undefined) return false;
    batch.owner = "here";
    const task = this.#taskAt(batch.start + batch.results.length);
    batch.results.push(detached(await this.#parser.parse(task), this.#keepsRawBytes));
    return true;
  }

  /** Sleeps until a thread replies; `seen` is the number of replies so far. */
  async #sleep(seen: number): Promise<void> {
    const woken = Atomics.wait(this.#replies, 0, seen, MAX_SLEEP_MS);
    // Events come only now, such as the end of a thread.
    if (woken !== "ok") await new Promise(setImmediate);
  }

  /** The batches of a thread that has ended are parsed by the others. */
  #forget(port: MessagePort): void {
    // Whatever the port still has is lost: Node ends with SIGSEGV if it is read in this event (24.21).
    this.#threads.delete(port);
    for (const batch of this.#batches) {
      if (batch.owner === port && batch.results.length === 0) batch.owner = undefined;
    }
  }

  #batchAt(index: number): Batch {
    const batch = this.#batches[index];
    if (batch === undefined) throw new RangeError(`no batch ${index}`);
    return batch;
  }

  #taskAt(index: number): FileTask {
    const task = this.#tasks[index];
    if (task === undefined) throw new RangeError(`no file ${index}`);
    return task;
  }
}

function send(port: MessagePort, command: ParseCommand): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.postMessage(command);
}

function batchesOf(tasks: readonly FileTask[]): readonly Batch[] {
  const batches: Batch[] = [];
  let start = 0;
  let bytes = 0;
  for (const [at, { size }] of tasks.entries()) {
    bytes += size;
    const end = at + 1;
    if (bytes < BATCH_BYTES && end - start < BATCH_FILES && end < tasks.length) continue;
    batches.push({ index: batches.length, start, end, owner: undefined, results: [] });
    start = end;
    bytes = 0;
  }
  return batches;
}

/** A message has arrays of bytes where the thread had buffers. */
function withBuffers(result: FileResult): FileResult {
  if (!("parsed" in result)) return result;
  const { parsed } = result;
  const { content, rawBytes } = parsed;
  const { bytes, maskedBytes } = content;
  return {
    ...result,
    parsed: {
      ...parsed,
      content: {
        ...content,
        bytes: bufferOf(bytes),
        maskedBytes: maskedBytes && bufferOf(maskedBytes),
      },
      rawBytes: rawBytes && bufferOf(rawBytes),
    },
  };
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
