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
/** Lines are read in parts of this length: answers to one part are all that can come on top of a full buffer. */
const READ_BYTES = 4 * 1024;
/**
 * With so much unwritten nothing more is read or begun. What runs by then still answers: 64 calls, of
 * 20,000 tokens at most, keep all of it below 8 MiB.
 */
const MAX_UNWRITTEN_BYTES = MIB;
/** With so much read and not begun nothing more is read: some 15,000 calls. */
const MAX_WAITING_BYTES = 16 * MIB;
/**
 * After the end of input, calls may still finish for so long: `printf ... | svc mcp --stdio` gets its
 * answers. Together with FLUSH_MS it stays under the one second a client waits for the process to go.
 */
const GRACE_MS = 500;
const FLUSH_MS = 300;

/**
 * Serves one client over a pair of streams, one JSON-RPC message per line, until the input ends, the
 * output closes or the signal is aborted. Resolves at most 800 ms after that, with running calls
 * aborted and written answers flushed. Never rejects.
 */
export async function serveStdio(options: ServerOptions, streams: StdioStreams): Promise<void> {
  const { input, output } = streams;
  const working = new Set<Promise<void>>();
  const writer = new LineWriter(output);
  const session = new Session(options, (line) => {
    writer.write(line);
    if (writer.unwrittenBytes > MAX_UNWRITTEN_BYTES) session.pause();
  });
  const lines = new LineSplitter({
    onLine(text) {
      const work = session.receive(text);
      if (work === undefined) return;
      working.add(work);
      void work.finally(() => {
        working.delete(work);
        read();
      });
    },
    onUnreadable: (error) => session.refuse(error),
  });
  /** Of what has come, what was not read yet. */
  let unread: Buffer = Buffer.alloc(0);
  const hasRoom = (): boolean =>
    writer.unwrittenBytes <= MAX_UNWRITTEN_BYTES && session.waitingBytes <= MAX_WAITING_BYTES;
  const read = (): void => {
    while (unread.length > 0 && hasRoom()) {
      const part = unread.subarray(0, READ_BYTES);
      unread = unread.subarray(READ_BYTES);
      lines.push(part);
    }
    // The buffer it came in is used again.
    if (unread.length > 0) unread = Buffer.from(unread);
    if (!hasRoom()) input.pause();
    else if (input.isPaused()) input.resume();
  };
  output.on("drain", () => {
    session.resume();
    read();
  });
  input.on("data", (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    read();
  });
  input.once("end", () => lines.end());

  const cutOff = whenCutOff(streams);
  void cutOff.then(() => session.stopStarting());
  await Promise.race([whenInputEnds(input), cutOff]);
  await session.endSubscriptions();
  await waitAtMost(GRACE_MS, Promise.race([Promise.all(working), cutOff]));
  session.close();
  input.destroy();
  writer.flush();
  if (output.writable) await waitAtMost(FLUSH_MS, flushed(output));
}

/** Resolves when there is nothing more to read, whether it ended well or not. */
function whenInputEnds(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) input.on(event, () => resolve());
  });
}

/** Resolves when the session is to stop at once: told so, or nobody reads its answers any more. */
function whenCutOff({ output, signal }: StdioStreams): Promise<void> {
  return new Promise((resolve) => {
    // EPIPE and its kin. The listener stays, because each pending write reports its own.
    output.on("error", () => resolve());
    output.once("close", resolve);
    if (signal?.aborted === true) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

function flushed(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    output.once("close", resolve);
    output.write("", () => resolve());
  });
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, elapsed]);
  clearTimeout(timer);
}
