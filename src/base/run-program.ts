// Runs a program to its end and hears what it says meanwhile. It gets a group of processes of its own, so that
// what it has started ends with it, and no terminal, so that nothing in it can ask or read what is typed there.

import { spawn, type ChildProcess } from "node:child_process";

export interface RunProgramOptions {
  readonly directory: string;
  /** All there is: nothing is inherited. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** It is ended when it has said nothing for so long. */
  readonly idleTimeoutMs: number;
  /** Hears each line of standard error; what is overwritten with a carriage return is a line as well. */
  readonly onLine: (line: string) => void;
}

export interface ProgramResult {
  /** `absent` where there is no such program, `late` when it was silent for too long. */
  readonly outcome: "done" | "failed" | "late" | "cancelled" | "absent";
  /** The last lines of standard error, the newest last. */
  readonly lines: readonly string[];
}

const MAX_LINES = 40;
/** What is longer is no message. */
const MAX_LINE_LENGTH = 2000;

/** Never rejects; resolves once the program is gone. */
export function runProgram(
  program: string,
  args: readonly string[],
  { directory, environment, signal, idleTimeoutMs, onLine }: RunProgramOptions,
): Promise<ProgramResult> {
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  if (signal.aborted) return Promise.resolve({ outcome: "cancelled", lines: [] });
  const child = spawn(program, args, {
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
    // Something that left the group would keep it open.
    child.stderr.destroy();
  };
  const idleTimer = setTimeout(() => stop("late"), idleTimeoutMs);
  const onAbort = (): void => stop("cancelled");
  // The program would go on without its group when this process ends by itself.
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

/** Ends a program that was started in a group of its own, and all it has started. */
export function killProcessGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") {
      spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
    } else {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // It has ended by itself.
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
