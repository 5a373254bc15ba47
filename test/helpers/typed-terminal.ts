import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

import { onTestFinished, vi, expect } from "vitest";

export interface TypedTerminal {
  readonly type: (keys: string) => void;
  /** Everything that the program wrote. */
  readonly written: () => string;
  /** Resolves when the program wrote this after the given offset, whatever its colours. */
  readonly shows: (text: string, from?: number) => Promise<void>;
  /** Resolves to the exit code. */
  readonly exit: Promise<number | null>;
}

interface Options {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a shell command in a terminal of 80 columns and 24 rows, on whose keyboard a test types. */
export function openTerminal(command: string, { cwd, env }: Options): TypedTerminal {
  const line = `stty rows 24 cols 80; ${command}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd, env, stdio: "pipe" });
  let written = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  onTestFinished(() => void child.kill());
  const exit = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  return {
    type: (keys) => void child.stdin.write(keys),
    written: () => written,
    shows: (text, from = 0) =>
      vi.waitFor(() => expect(stripVTControlCharacters(written.slice(from))).toContain(text), {
        timeout: 15_000,
      }),
    exit,
  };
}
