// The terminal. Only this file and transports/stdio.ts may write to standard output.
import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { isatty } from "node:tty";

import type { ColorMode } from "../config/settings.ts";

export interface Io {
  /** Writes to standard output; adds no newline. */
  readonly out: (text: string) => void;
  /** Writes bytes to standard output, for a program that reads them. */
  readonly outBytes: (bytes: Uint8Array) => void;
  /** Writes to standard error; adds no newline. */
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Width of the terminal in cells; 80 when there is none. */
  readonly columns: number;
  /** Height of the terminal in lines; 24 when there is none. */
  readonly rows: number;
  readonly color: boolean;
  readonly errColor: boolean;
  /** True: standard output is a terminal that shows links (OSC 8). */
  readonly hyperlinks: boolean;
  /** Aborted when standard output fails; the reason is the error. */
  readonly outputClosed: AbortSignal;
  /** True: output is lost, because standard output is the null device, as when a program starts without one. */
  readonly outputIsLost: boolean;
  /** Resolves when everything written to standard output and standard error has left the process or has failed. */
  readonly flush: () => Promise<void>;
  readonly inputIsTerminal: boolean;
  /** Command line of the user's pager; undefined if there is none. */
  readonly pager: string | undefined;
  /** Command line of the user's editor; undefined if there is none. */
  readonly editor: string | undefined;
  /** Returns standard input up to its end, or its first characters if it is longer than `maxLength`. */
  readonly readInput: (limits: InputLimits) => Promise<string>;
}

interface InputLimits {
  readonly maxLength: number;
  /** Ends the input. */
  readonly signal: AbortSignal;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** File descriptors. */
const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;

interface TerminalOptions {
  readonly color: ColorMode;
  readonly hyperlinks: boolean;
  readonly pager?: string | undefined;
  readonly editor?: string | undefined;
}

export function createTerminalIo({ color, hyperlinks, pager, editor }: TerminalOptions): Io {
  // oxlint-disable-next-line no-restricted-properties -- this file owns standard output for commands
  const output: NodeJS.WriteStream = process.stdout;
  const errors: NodeJS.WriteStream = process.stderr;
  const closed = new AbortController();
  output.on("error", (error) => closed.abort(error));
  // A closed standard error must not end the work; there is nowhere left to report it.
  const errorsClosed = new AbortController();
  errors.on("error", (error) => errorsClosed.abort(error));
  const isTerminal = isTerminalStream(output);
  const errIsTerminal = isTerminalStream(errors);
  return {
    out: (text) => {
      if (!closed.signal.aborted) output.write(text);
    },
    outBytes: (bytes) => {
      if (!closed.signal.aborted) output.write(bytes);
    },
    err: (text) => {
      errors.write(text);
    },
    isTerminal,
    errIsTerminal,
    get columns() {
      return output.columns || errors.columns || DEFAULT_COLUMNS;
    },
    get rows() {
      return output.rows || errors.rows || DEFAULT_ROWS;
    },
    color: isColorEnabled(color, isTerminal),
    errColor: isColorEnabled(color, errIsTerminal),
    hyperlinks: hyperlinks && isTerminal,
    outputClosed: closed.signal,
    get outputIsLost() {
      return isNullDevice(STANDARD_OUTPUT);
    },
    flush: async () => {
      await Promise.all([drained(output, closed), drained(errors, errorsClosed)]);
    },
    get inputIsTerminal() {
      return isatty(STANDARD_INPUT);
    },
    readInput,
    pager,
    editor,
  };
}

async function readInput({ maxLength, signal }: InputLimits): Promise<string> {
  const { stdin } = process;
  stdin.setEncoding("utf8");
  const stop = (): void => void stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  let text = "";
  try {
    const chunks: AsyncIterable<string> = stdin;
    for await (const chunk of chunks) {
      text += chunk;
      if (text.length > maxLength) break;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return text.slice(0, maxLength);
}

export interface MemoryIo extends Io {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Makes standard output fail, as it does when its reader has gone. */
  readonly closeOutput: (error?: Error) => void;
}

type MemoryOptions = Partial<
  Pick<
    Io,
    | "isTerminal"
    | "errIsTerminal"
    | "columns"
    | "rows"
    | "color"
    | "hyperlinks"
    | "outputIsLost"
    | "pager"
    | "editor"
  >
> & {
  /** Standard input; without it, input is a terminal on which nobody types. */
  readonly input?: string;
};

/** An Io that records all output, for tests of commands without a process. */
export function createMemoryIo(options: MemoryOptions = {}): MemoryIo {
  const written = { out: "", err: "" };
  const closed = new AbortController();
  const { isTerminal = false, errIsTerminal = false, color = false } = options;
  const { outputIsLost = false, hyperlinks = false } = options;
  return {
    out: (text) => {
      if (!closed.signal.aborted) written.out += text;
    },
    outBytes: (bytes) => {
      if (!closed.signal.aborted) written.out += Buffer.from(bytes).toString("latin1");
    },
    err: (text) => {
      written.err += text;
    },
    isTerminal,
    errIsTerminal,
    columns: options.columns ?? DEFAULT_COLUMNS,
    rows: options.rows ?? DEFAULT_ROWS,
    color,
    errColor: color,
    hyperlinks,
    outputClosed: closed.signal,
    outputIsLost,
    flush: () => Promise.resolve(),
    inputIsTerminal: options.input === undefined,
    pager: options.pager,
    editor: options.editor,
    readInput: ({ maxLength }) => Promise.resolve((options.input ?? "").slice(0, maxLength)),
    stdout: () => written.out,
    stderr: () => written.err,
    closeOutput: (error = Object.assign(new Error("write EPIPE"), { code: "EPIPE" })) =>
      closed.abort(error),
  };
}

/** Node's types declare `isTTY` for every stream; on a pipe or a file it is absent. */
function isTerminalStream({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY ?? false;
}

/** Node opens the null device for a standard descriptor that is closed when the process starts. */
function isNullDevice(descriptor: number): boolean {
  try {
    const output = fstatSync(descriptor);
    return output.isCharacterDevice() && output.rdev === statSync(devNull).rdev;
  } catch {
    // No such descriptor, or the system's null device is not a file.
    return false;
  }
}

function isColorEnabled(mode: ColorMode, isTerminal: boolean): boolean {
  return mode === "always" || (mode === "auto" && isTerminal);
}

function drained(output: NodeJS.WriteStream, closed: AbortController): Promise<void> {
  // A failed write to a file marks the stream at once; the error event comes later.
  if (output.errored !== null) closed.abort(output.errored);
  if (closed.signal.aborted || !output.writable) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  // A command may wait often: each call removes what it has added.
  const end = (): void => {
    closed.signal.removeEventListener("abort", end);
    resolve();
  };
  closed.signal.addEventListener("abort", end);
  output.write("", (error) => {
    if (error) closed.abort(error);
    end();
  });
  return promise;
}
