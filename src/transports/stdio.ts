import type { Readable, Writable } from "node:stream";

import type { ServerOptions } from "../mcp/options.ts";
import { Session } from "../mcp/session.ts";
import { LineSplitter } from "./line-splitter.ts";
import { LineWriter } from "./line-writer.ts";

interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the session at once; the caller binds SIGINT and SIGTERM to it. */
  readonly signal?: AbortSignal;
}

const MIB = 1024 * 1024;
/** Input is read in parts of this length, so only the replies to one part can exceed a full output buffer. */
const READ_BYTES = 4 * 1024;
/**
 * With more unwritten bytes, nothing more is read or begun. Running calls still reply: 64 calls of up to 20,000
 * tokens keep the total below 8 MiB.
 */
const MAX_UNWRITTEN_BYTES = MIB;
/** With more bytes of waiting calls, nothing more is read: some 15,000 calls. */
const MAX_WAITING_BYTES = 16 * MIB;
/**
 * After the end of input, calls may still finish within this time, so that `printf ... | svc mcp --stdio` gets its
 * replies. Together with FLUSH_MS it is below the one second that a client waits for the process to exit.
 */
const GRACE_MS = 500;
/**
 * Time in which other programs have the processor does not count. A process that still computes continues until it has
 * used GRACE_MS of CPU time. It checks every STEP_MS, up to MAX_STEPS times.
 */
const STEP_MS = 100;
const MAX_STEPS = 20;
/** A process that has used less of a step waits for something else than the processor. */
const MIN_USED_MS = 5;
/** A client that reads nothing for this time, and for what is left of GRACE_MS, has stopped reading. */
const FLUSH_MS = 300;
/** A client that continues to read gets up to this many times as long. */
const MAX_FLUSHES = 10;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Serves one client over a pair of streams, one JSON-RPC message per line, until the input ends, the output closes
 * or the signal is aborted. Resolves within 800 ms after that, later only on a busy machine or while the client
 * reads, with running calls aborted and written replies flushed. Never rejects.
 */
export async function serveStdio(options: ServerOptions, streams: StdioStreams): Promise<void> {
  const { input, output } = streams;
  const working = new Set<Promise<void>>();
  const writer = new LineWriter(output, () => {
    if (writer.unwrittenBytes > MAX_UNWRITTEN_BYTES) return;
    session.resume();
    read();
  });
  const session = new Session(options, (line) => {
    // A client that waits for one reply gets it before the call is logged.
    if (working.size === 1 && !isReading) writer.writeNow(line);
    else writer.write(line);
    if (writer.unwrittenBytes > MAX_UNWRITTEN_BYTES) session.pause();
  });
  const lines = new LineSplitter({
    onLine(text) {
      const work = session.receive(text);
      if (work === undefined) return;
      working.add(work);
      // It never rejects.
      void work.then(() => {
        working.delete(work);
        return read();
      });
    },
    onUnreadable: (error) => session.refuse(error),
  });
  /** The part of the received input that has not been read yet. */
  let unread = NOTHING;
  let isReading = false;
  const hasRoom = (): boolean =>
    writer.unwrittenBytes <= MAX_UNWRITTEN_BYTES && session.waitingBytes <= MAX_WAITING_BYTES;
  const read = (): void => {
    isReading = true;
    while (unread.length > 0 && hasRoom()) {
      const part = unread;
      if (part.length <= READ_BYTES) {
        unread = NOTHING;
        lines.push(part);
      } else {
        unread = part.subarray(READ_BYTES);
        lines.push(part.subarray(0, READ_BYTES));
      }
    }
    isReading = false;
    // The input buffer is reused, so copy the rest.
    if (unread.length > 0) unread = Buffer.from(unread);
    if (!hasRoom()) input.pause();
    else if (input.isPaused()) input.resume();
  };
  input.on("data", (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    read();
  });
  input.once("end", () => lines.end());

  const stopped = whenStopped(streams);
  void stopped.then(() => session.stopStarting());
  await Promise.race([whenInputEnds(input), stopped]);
  await session.endSubscriptions();
  const endedAt = performance.now();
  await graceFor(Promise.race([Promise.all(working), stopped]));
  session.close();
  input.destroy();
  const leftMs = GRACE_MS - (performance.now() - endedAt);
  if (output.writable) await writeRest(writer, FLUSH_MS + Math.max(0, leftMs));
}

/** Resolves when there is no more input, whether it ended normally or with an error. */
function whenInputEnds(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) input.on(event, () => resolve());
  });
}

/** Resolves when the session must stop at once: on the signal, or when nobody reads its output any more. */
function whenStopped({ output, signal }: StdioStreams): Promise<void> {
  return new Promise((resolve) => {
    // EPIPE and similar errors. The listener stays, because each pending write reports its own error.
    output.on("error", () => resolve());
    output.once("close", resolve);
    if (signal?.aborted === true) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Gives calls their time to end. */
async function graceFor(work: Promise<unknown>): Promise<void> {
  const begunMs = processorMs();
  let isDone = await waitAtMost(GRACE_MS, work);
  let lastMs = begunMs;
  for (let step = 0; step < MAX_STEPS && !isDone; step += 1) {
    const nowMs = processorMs();
    if (nowMs - begunMs >= GRACE_MS || nowMs - lastMs < MIN_USED_MS) return;
    lastMs = nowMs;
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    isDone = await waitAtMost(STEP_MS, work);
  }
}

/** Processor time of this process so far. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Waits until everything is written, for as long as the client continues to read. */
async function writeRest(writer: LineWriter, waitMs: number): Promise<void> {
  const done = writer.finish();
  let unwritten = Infinity;
  for (let wait = 0; wait < MAX_FLUSHES && writer.unwrittenBytes < unwritten; wait += 1) {
    unwritten = writer.unwrittenBytes;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    if (await waitAtMost(waitMs, done)) return;
  }
}

/** Returns whether the work was done within the time. */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: elapsed, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const isDone = await Promise.race([work.then(() => true), elapsed]);
  clearTimeout(timer);
  return isDone;
}
