// Runs a program to its end and reports its standard error line by line. The program gets its own process
// group, so that its children end with it. It gets no terminal, so that it can neither prompt nor read keyboard
// input.

import type { ChildProcess } from "node:child_process";

/** How to run a program. */
export interface RunProgramOptions {
  /** Working directory. */
  readonly directory: string;
  /** The complete environment; the program inherits no variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborting it kills the program. */
  readonly signal: AbortSignal;
  /** The program is killed after this many milliseconds without output. */
  readonly idleTimeoutMs: number;
  /** Called with each line of standard error. Text that a carriage return overwrites counts as a line. */
  readonly onLine: (line: string) => void;
}

/** How a program ended. */
export interface ProgramResult {
  /** `absent`: the program does not exist. `late`: it printed nothing for `idleTimeoutMs`. */
  readonly outcome: "done" | "failed" | "late" | "cancelled" | "absent";
  /** The last lines of standard error, the newest last. */
  readonly lines: readonly string[];
}

const MAX_LINES = 40;
/** Longer lines are cut: they are not messages. */
const MAX_LINE_LENGTH = 2000;

/** Resolves when the program has ended; never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  { directory, environment, signal, idleTimeoutMs, onLine }: RunProgramOptions,
): Promise<ProgramResult> {
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  if (signal.aborted) return Promise.resolve({ outcome: "cancelled", lines: [] });
  const child = childProcesses().spawn(program, args, {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const lines = new LastLines(onLine);
  let why: "late" | "cancelled" | "absent" | undefined;
  const stop = (reason: "late" | "cancelled"): void => {
    why ??= reason;
    killProcessGroup(child);
    // A child that left the group would keep the pipe open.
    child.stderr.destroy();
  };
  const idleTimer = setTimeout(() => stop("late"), idleTimeoutMs);
  const onAbort = (): void => stop("cancelled");
  // Otherwise the program would outlive this process, because it has its own group.
  const onExit = (): void => killProcessGroup(child);
  signal.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    idleTimer.refresh();
    lines.add(text);
  });
  child.on("error", () => {
    why ??= "absent";
  });
  child.on("close", (code) => {
    clearTimeout(idleTimer);
    signal.removeEventListener("abort", onAbort);
    process.off("exit", onExit);
    resolve({ outcome: why ?? (code === 0 ? "done" : "failed"), lines: lines.end() });
  });
  return promise;
}

/** Not imported: most commands start no program, and loading this module takes 1 % of a search in a shell. */
export function childProcesses() {
  return process.getBuiltinModule("node:child_process");
}

/** Kills a program that has its own process group, and all its children. */
export function killProcessGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") {
      const options = { stdio: "ignore", windowsHide: true } as const;
      childProcesses().spawn("taskkill", ["/pid", String(pid), "/t", "/f"], options);
    } else {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // The program has already ended.
  }
}

class LastLines {
  readonly #lines: string[] = [];
  readonly #onLine: (line: string) => void;
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(text: string): void {
    const parts = (this.#rest + text).split(/[\r\n]+/);
    this.#rest = (parts.pop() ?? "").slice(0, MAX_LINE_LENGTH);
    for (const part of parts) this.#take(part);
  }

  end(): readonly string[] {
    this.#take(this.#rest);
    return this.#lines;
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    this.#lines.push(line.slice(0, MAX_LINE_LENGTH));
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
    this.#onLine(line);
  }
}
