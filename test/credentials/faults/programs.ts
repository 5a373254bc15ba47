// Runs programs of fixtures/ as processes that can be killed, limited and traced.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { onTestFinished } from "vitest";

import { bundledProgram } from "../../helpers/bundled-program.ts";

/**
 * Directory of the stores in these tests. Data that a killed process wrote to the system survives, synced or not,
 * so memory shows as much as a disk, and is faster.
 */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Creates directories for one store, in memory if possible; removed when the test ends. */
export function memoryHome(): { root: string; directory: string; keyDirectory: string } {
  const root = mkdtempSync(join(MEMORY, "svc-faults-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, directory: join(root, "store"), keyDirectory: join(root, "keys") };
}

export interface Ended {
  readonly output: string;
  readonly errors: string;
  /** Exit code, or the signal that ended the process. */
  readonly end: number | NodeJS.Signals | null;
}

export interface Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
}

/** Starts a program of fixtures/, or with `wrapper` a command that runs it, such as `strace -o FILE`. */
export function start(
  name: string,
  args: readonly string[],
  wrapper: readonly string[] = [],
): Running {
  const path = bundledProgram(join(import.meta.dirname, "fixtures", name));
  return startCommand([...wrapper, process.execPath, path, ...args]);
}

export function startCommand(words: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const [command = "", ...rest] = words;
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  const errors: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const ended = once(child, "close").then(() => ({
    output: output.join(""),
    errors: errors.join(""),
    end: child.exitCode ?? child.signalCode,
  }));
  return { child, ended };
}

/** Runs `work` for each item, two at a time. */
export async function inPairs<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      // oxlint-disable-next-line no-await-in-loop -- one at a time in each lane
      if (item !== undefined) results[at] = await work(item);
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}
