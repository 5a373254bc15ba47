import type { Readable, Writable } from "node:stream";

import { SvcError } from "../base/errors.ts";
import type { ServerOptions } from "../mcp/options.ts";
import { Session } from "../mcp/session.ts";

interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the session at once; the caller binds SIGINT and SIGTERM to it. */
  readonly signal?: AbortSignal;
}

const NEWLINE = 0x0a;
/** Space, tab and the carriage return of a CRLF line end; JSON allows them around a value. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
const MAX_UNWRITTEN_BYTES = 8 * 1024 * 1024;
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
  let unwritten = "";
  const flush = (): void => {
    if (unwritten !== "") output.write(unwritten);
    unwritten = "";
    if (output.writableLength <= MAX_UNWRITTEN_BYTES) return;
    input.pause();
    session.pause();
  };
  const session = new Session(options, (line) => {
    // Short answers of one turn share one write: each write costs a system call and a buffer.
    if (unwritten === "") process.nextTick(flush);
    unwritten += `${line}\n`;
    if (unwritten.length > BLOCK_BYTES) flush();
  });
  output.on("drain", () => {
    session.resume();
    input.resume();
  });
  const lines = new LineSplitter({
    onLine(text) {
      const work = session.receive(text).finally(() => working.delete(work));
      working.add(work);
    },
    onUnreadable: (error) => session.refuse(error),
  });
  input.on("data", (chunk: Buffer) => lines.push(chunk));
  input.once("end", () => lines.end());

  const cutOff = cutOffOf(streams);
  await Promise.race([inputEndOf(input), cutOff]);
  await session.endSubscriptions();
  await within(GRACE_MS, Promise.race([Promise.all(working), cutOff]));
  session.close();
  input.destroy();
  flush();
  if (output.writable) await within(FLUSH_MS, flushed(output));
}

/** Resolves when there is nothing more to read, whether it ended well or not. */
function inputEndOf(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) input.on(event, () => resolve());
  });
}

/** Resolves when the session is to stop at once: told so, or nobody reads its answers any more. */
function cutOffOf({ output, signal }: StdioStreams): Promise<void> {
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

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, elapsed]);
  clearTimeout(timer);
}

interface LineHandlers {
  readonly onLine: (text: string) => void;
  readonly onUnreadable: (error: SvcError) => void;
}

/**
 * Cuts bytes into lines at each newline, before they are decoded: a character split over two chunks
 * stays whole. A line that comes in pieces is gathered in blocks, so that neither pieces of one byte
 * nor a line that turns out too long cost more memory than their bytes.
 */
class LineSplitter {
  readonly #handlers: LineHandlers;
  // A byte order mark is kept, and so refused by the JSON parser, rather than quietly dropped.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #blocks: Buffer[] = [];
  #keptBytes = 0;
  #isSkipping = false;

  constructor(handlers: LineHandlers) {
    this.#handlers = handlers;
  }

  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline === -1 ? chunk.length : newline;
      this.#take(chunk.subarray(from, end), newline !== -1);
      from = end + 1;
    }
  }

  /** The last line may lack its newline. */
  end(): void {
    this.#take(Buffer.alloc(0), true);
  }

  #take(part: Buffer, isLineEnd: boolean): void {
    if (!this.#isSkipping && this.#keptBytes + part.length > MAX_LINE_BYTES) {
      this.#isSkipping = true;
      this.#forget();
      this.#handlers.onUnreadable(
        new SvcError("MESSAGE_TOO_LARGE", `A line holds at most ${MAX_LINE_BYTES} bytes.`),
      );
    }
    if (this.#isSkipping) {
      this.#isSkipping = !isLineEnd;
      return;
    }
    if (!isLineEnd) {
      this.#keep(part);
    } else if (this.#keptBytes === 0) {
      this.#read(part);
    } else {
      this.#keep(part);
      this.#read(Buffer.concat(this.#blocks, this.#keptBytes));
      this.#forget();
    }
  }

  #keep(part: Buffer): void {
    let from = 0;
    while (from < part.length) {
      const offset = this.#keptBytes % BLOCK_BYTES;
      const index = (this.#keptBytes - offset) / BLOCK_BYTES;
      const block = (this.#blocks[index] ??= Buffer.allocUnsafeSlow(BLOCK_BYTES));
      const copied = part.copy(block, offset, from);
      from += copied;
      this.#keptBytes += copied;
    }
  }

  /** The first block stays for the next line that comes in pieces. */
  #forget(): void {
    this.#blocks.length = Math.min(this.#blocks.length, 1);
    this.#keptBytes = 0;
  }

  #read(line: Buffer): void {
    if (line.every((byte) => BLANKS.has(byte))) return;
    let text: string;
    try {
      text = this.#decoder.decode(line);
    } catch (cause) {
      const error = new SvcError("PARSE_ERROR", "The message is not valid UTF-8.", { cause });
      this.#handlers.onUnreadable(error);
      return;
    }
    this.#handlers.onLine(text);
  }
}
