// Runs git on a repository without its configuration being read, within limits of time and output.

import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { relative, sep } from "node:path";

import { SvcError } from "../base/errors.ts";
import { killProcessGroup } from "../base/run-program.ts";
import { createGitDirectory, SAFE_GIT_OPTIONS, safeEnvironment } from "./git-directory.ts";
import { refused } from "./git-location.ts";
import { storeProblem } from "./git-store.ts";
import type { Repository } from "./git.ts";

export interface GitLimits {
  /** The call that asks: its end is git's as well. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What git says beyond is cut off. */
  readonly maxBytes: number;
}

export interface GitOutput {
  readonly bytes: Buffer;
  /** "whole" when git came to its end by itself and succeeded, "absent" where there is no git. */
  readonly outcome: "whole" | "late" | "full" | "failed" | "absent";
}

/** Runs one command of git, which reads `input`. Throws TIMEOUT when the call is over. */
export type Git = (
  args: readonly string[],
  limits: GitLimits,
  input?: string,
) => Promise<GitOutput>;

/**
 * Gives `use` a git that reads the objects, the index and the work tree of the repository, and nothing else. Throws
 * INVALID_PARAMS where the repository leads git elsewhere.
 */
export async function withGit<T>(
  repository: Repository,
  use: (git: Git) => Promise<T>,
): Promise<T> {
  const { path: directory, environment, remove } = createGitDirectory(repository);
  try {
    // Windows looks for programs in the working directory first: it must not be the tree.
    return await use((args, limits, input) =>
      runGit([...SAFE_GIT_OPTIONS, ...args], { directory, environment, limits, input }),
    );
  } finally {
    remove();
  }
}

/**
 * The object that a name of git's stands for, such as `main^{commit}`; undefined when there is none. The names
 * are the repository's own, and so its configuration is read; `rev-parse` starts nothing that is named there. Throws
 * INVALID_PARAMS as `withGit`, and TIMEOUT when the call is over.
 */
export async function resolveRevision(
  repository: Repository,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { topLevel, gitDirectory } = repository;
  const problem = storeProblem(repository);
  if (problem !== undefined) throw refused(problem);
  const args = [`--git-dir=${gitDirectory}`, `--work-tree=${topLevel}`, "rev-parse"];
  const { bytes, outcome } = await runGit(
    [...SAFE_GIT_OPTIONS, ...args, "--verify", "--quiet", "--end-of-options", name],
    {
      directory: tmpdir(),
      environment: safeEnvironment(),
      limits: { signal, timeoutMs: 5000, maxBytes: 1 << 16 },
    },
  );
  const id = bytes.toString("latin1").trim();
  return outcome === "whole" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : undefined;
}

/** As git itself words it, "2.39.5 (Apple Git-154)"; undefined where there is no git. */
export async function gitVersion(signal: AbortSignal): Promise<string | undefined> {
  const limits = { signal, timeoutMs: 2000, maxBytes: 1 << 12 };
  const run = { directory: tmpdir(), environment: safeEnvironment(), limits };
  const { bytes, outcome } = await runGit(["--version"], run);
  if (outcome === "absent") return undefined;
  return /^git version (?<version>.+)/.exec(bytes.toString("latin1"))?.groups?.["version"] ?? "";
}

/** Where a folder below the top level lies in the repository: "" for the top level itself, else with `/`. */
export function pathInRepository({ topLevel }: Repository, folder: string): string {
  return relative(topLevel, folder).split(sep).join("/");
}

function cancelled(): SvcError {
  return new SvcError("TIMEOUT", "The call was cancelled.");
}

interface GitRun {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: GitLimits;
  readonly input?: string | undefined;
}

function runGit(
  args: readonly string[],
  { directory, environment, limits, input }: GitRun,
): Promise<GitOutput> {
  const { signal, timeoutMs, maxBytes } = limits;
  const { promise, resolve, reject } = Promise.withResolvers<GitOutput>();
  if (signal.aborted) return Promise.reject(cancelled());
  const child = spawn("git", args, {
    cwd: directory,
    env: environment,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    // A group of its own, so that what git starts ends with it.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  // Git may end before it has read everything.
  child.stdin?.on("error", () => undefined).end(input);
  const parts: Buffer[] = [];
  let length = 0;
  let stopped: Exclude<GitOutput["outcome"], "whole" | "failed"> | undefined;
  const stop = (why: typeof stopped): void => {
    stopped ??= why;
    killProcessGroup(child);
    // Something that left the group would keep it open.
    child.stdout?.destroy();
  };
  const timer = setTimeout(() => stop("late"), timeoutMs);
  const onAbort = (): void => {
    stop("late");
    reject(cancelled());
  };
  // Git would wait on at a pipe, without its group, when this process ends by itself.
  const onExit = (): void => killProcessGroup(child);
  signal.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  child.stdout?.on("data", (part: Buffer) => {
    if (length >= maxBytes) return;
    parts.push(part.subarray(0, maxBytes - length));
    length += part.length;
    if (length > maxBytes) stop("full");
  });
  // "close" comes then as well.
  child.on("error", () => {
    stopped ??= "absent";
  });
  child.on("close", (code) => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    process.off("exit", onExit);
    resolve({ bytes: Buffer.concat(parts), outcome: stopped ?? (code === 0 ? "whole" : "failed") });
  });
  return promise;
}
