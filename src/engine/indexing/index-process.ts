// Runs a large job in a separate process. The memory of the run goes back to the system when that process ends; in this
// process, the C library would keep hundreds of megabytes.

import { spawn, type ChildProcess } from "node:child_process";

import { productVersion, programEntry } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import { readProgramEnvironment } from "../../config/settings.ts";
import type { IndexProgress, IndexReport } from "../api/index-report.ts";
import type { IndexJob, RunListener } from "./run-options.ts";
import { cancelled, runError, type RunFailure } from "./run-failure.ts";

export interface AgentCommand {
  readonly job: IndexJob;
}

export type AgentMessage =
  /** The first message. */
  | { readonly version: string }
  | { readonly progress: IndexProgress }
  /** The index has a new version. */
  | { readonly committed: true }
  | { readonly report: IndexReport }
  | { readonly failure: RunFailure };

/**
 * For the C library of GNU. Buffers above the threshold are given back when they are freed: it begins with this limit, and
 * raises it to up to 32 MB with each buffer that is freed, unless it is set. With an arena for each thread, those of
 * the compiling threads keep what they once needed.
 */
const MEMORY_OPTIONS = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072" };

/**
 * Resolves with the report when the process has ended; undefined if it cannot be started, or is of another version because
 * the program has been replaced. Aborting the signal kills the process.
 */
export async function runInProcess(
  job: IndexJob,
  { onProgress, onCommit }: RunListener,
  signal: AbortSignal,
): Promise<IndexReport | undefined> {
  if (signal.aborted) throw cancelled();
  const agent = startAgent();
  if (agent === undefined) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<IndexReport | undefined>();
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  let hasJob = false;
  agent.on("message", (message: AgentMessage) => {
    if ("version" in message) {
      hasJob = message.version === productVersion();
      if (hasJob) agent.send({ job } satisfies AgentCommand);
      else agent.kill("SIGKILL");
    } else if ("progress" in message) onProgress?.(message.progress);
    else if ("committed" in message) onCommit?.();
    else if ("report" in message) resolve(message.report);
    else reject(runError(message.failure));
  });
  agent.on("error", () => {
    // Otherwise the process has ended, or will.
    if (agent.pid === undefined) end(undefined);
  });
  // After "exit", its last messages may still come.
  agent.once("close", (code, killedBy) => {
    const what = `The indexing process ended with ${killedBy ?? `code ${code}`}.`;
    if (signal.aborted) reject(cancelled());
    else if (hasJob) reject(new SvcError("INTERNAL_ERROR", what));
    end(undefined);
  });
  const cancel = (): void => void agent.kill("SIGKILL");
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const report = await Promise.race([promise, ended]);
    // Otherwise the caller would begin without a process what was cancelled.
    if (report === undefined && signal.aborted) throw cancelled();
    return report;
  } finally {
    signal.removeEventListener("abort", cancel);
    await ended;
  }
}

function startAgent(): ChildProcess | undefined {
  const { command, args } = programEntry("index-agent");
  try {
    return spawn(command, args, {
      env: { ...readProgramEnvironment(), ...MEMORY_OPTIONS },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      windowsHide: true,
    });
  } catch {
    // For example, the environment is too large. Other problems are events.
    return undefined;
  }
}
