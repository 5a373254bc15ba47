// Runs a program that the user's environment names, such as a pager or an editor, on the same terminal.
import { spawn, type ChildProcess } from "node:child_process";

import { currentEnvironment } from "../config/environment.ts";

interface Running {
  /** "pipe" if this process writes its input, "inherit" if it reads the terminal. */
  readonly input: "pipe" | "inherit";
  /** Variables that it gets if they are not set. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/**
 * Starts a command line, as git does: the shell splits it into words. The shell gets `args` as values that it does not
 * read: a name of a file is never a part of a command.
 */
export function startUserProgram(
  command: string,
  args: readonly string[],
  { input, defaults = {} }: Running,
): ChildProcess {
  const env = { ...defaults, ...currentEnvironment() };
  const stdio: ("pipe" | "inherit")[] = [input, "inherit", "inherit"];
  if (process.platform === "win32") {
    const [program = "", ...words] = command.split(" ");
    return spawn(program, [...words, ...args], { env, stdio });
  }
  const line = args.length === 0 ? command : `${command} "$@"`;
  return spawn("/bin/sh", ["-c", line, "sh", ...args], { env, stdio });
}

/** Resolves to the exit code, when the program has ended; 127 if it could not be started. */
export function endOf(child: ChildProcess): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  child.once("error", () => resolve(127));
  child.once("close", (code) => resolve(code ?? 0));
  return promise;
}
