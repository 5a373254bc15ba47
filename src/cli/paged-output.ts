import { SvcError } from "../base/errors.ts";
import type { Io } from "./io.ts";
import { terminalRows } from "./print/fit-results.ts";
import { endOf, startUserProgram } from "./user-program.ts";

/** less quits at once if its text fits, shows colours, and leaves the text on the terminal; the same for lv. */
const PAGER_DEFAULTS = { LESS: "FRX", LV: "-c" };
/** In characters; more than a pipe holds, so a reader has taken some of it. */
const MAX_UNREAD = 1_000_000;
/** Exit codes of a shell that could not run a program. */
const MIN_NOT_STARTED = 126;
const MAX_NOT_STARTED = 127;

/** Keeps output until it is longer than the window, and gives it to a pager then. */
export class PagedOutput {
  readonly #io: Io;
  readonly #command: string;
  readonly #closed = new AbortController();
  /** Everything so far, until the pager has read something: there may be no such program. */
  readonly #kept: { readonly text: string; readonly isError: boolean }[] = [];
  #rows = 0;
  /** In characters. */
  #sent = 0;
  #pager:
    | { readonly child: ReturnType<typeof startUserProgram>; readonly ended: Promise<number> }
    | undefined;
  /** A second Ctrl-C would end this process, and leave the pager without its terminal. */
  readonly #ignore = (): void => {};

  constructor(io: Io, command: string) {
    this.#io = io;
    this.#command = command;
  }

  /** Aborted when the user quits the pager. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  asIo(): Io {
    const io = this.#io;
    return {
      ...io,
      out: (text) => this.#write(text, false),
      err: (text) => (io.errIsTerminal ? this.#write(text, true) : io.err(text)),
      flush: () => this.#drained(),
    };
  }

  /** Prints what fitted the window, or waits until the user quits the pager. */
  async end(): Promise<void> {
    const pager = this.#pager;
    if (pager === undefined) return this.#printKept();
    pager.child.stdin?.end();
    const code = await pager.ended;
    process.off("SIGINT", this.#ignore);
    if (code < MIN_NOT_STARTED || code > MAX_NOT_STARTED) return;
    this.#io.err(`svc: The pager ${JSON.stringify(this.#command)} did not start.\n`);
    this.#printKept();
  }

  #printKept(): void {
    for (const { text, isError } of this.#kept) (isError ? this.#io.err : this.#io.out)(text);
  }

  #write(text: string, isError: boolean): void {
    if (this.#sent <= MAX_UNREAD) this.#kept.push({ text, isError });
    if (this.#pager !== undefined) {
      this.#send(text);
      return;
    }
    const { columns, rows } = this.#io;
    this.#rows += terminalRows(text.replace(/\n$/, "").split("\n"), columns);
    // The prompt takes a row.
    if (this.#rows >= rows) this.#start();
  }

  #start(): void {
    process.on("SIGINT", this.#ignore);
    const child = startUserProgram(this.#command, [], { input: "pipe", defaults: PAGER_DEFAULTS });
    // A user who quits closes the pipe.
    child.stdin?.on("error", () => {});
    const ended = endOf(child).then((code) => {
      this.#closed.abort(new SvcError("TIMEOUT", "The pager was closed."));
      return code;
    });
    this.#pager = { child, ended };
    for (const { text } of this.#kept) this.#send(text);
  }

  #send(text: string): void {
    this.#pager?.child.stdin?.write(text, (error) => {
      if (error) return;
      this.#sent += text.length;
      if (this.#sent > MAX_UNREAD) this.#kept.length = 0;
    });
  }

  /** Resolves when the pager wants more, or has ended. */
  #drained(): Promise<void> {
    const input = this.#pager?.child.stdin;
    if (input?.writableNeedDrain !== true) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      input.off("drain", end);
      input.off("close", end);
      resolve();
    };
    input.on("drain", end);
    input.on("close", end);
    return promise;
  }
}
