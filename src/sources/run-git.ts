// Runs git on a repository without its configuration, with limits on time and output.

import { tmpdir } from "node:os";
import { relative, sep } from "node:path";

import { SvcError } from "../base/errors.ts";
import { childProcesses, killProcessGroup } from "../base/run-program.ts";
import { createGitDirectory, SAFE_GIT_OPTIONS, safeEnvironment } from "./git-directory.ts";
import { refused } from "./git-location.ts";
import { storeProblem } from "./git-store.ts";
import type { Repository } from "./git.ts";

/** Limits of one git command. */
export interface GitLimits {
  /** Signal of the call; git is killed when it is aborted. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Further output is cut off. */
  readonly maxBytes: number;
}

/** Result of one git command. */
export interface GitOutput {
  /** Standard output, up to `maxBytes`. */
  readonly bytes: Buffer;
  /**
   * "whole": git ended by itself and succeeded. "late": it exceeded `timeoutMs`. "full": it exceeded
   * `maxBytes`. "absent": git is not installed.
   */
  readonly outcome: "whole" | "late" | "full" | "failed" | "absent";
}

/** Runs one git command with `input` as its standard input. Throws TIMEOUT if the call is aborted. */
export type Git = (
  args: readonly string[],
  limits: GitLimits,
  input?: string,
) => Promise<GitOutput>;

/**
 * Calls `use` with a git that reads only the objects, the index and the work tree of the repository. Throws
 * INVALID_PARAMS if the repository leads git to another place.
 */
export async function withGit<T>(
  repository: Repository,
  use: (git: Git) => Promise<T>,
): Promise<T> {
  const { path: directory, environment, remove } = createGitDirectory(repository);
  try {
    // Windows searches the working directory for programs first, so it must not be the tree.
    return await use((args, limits, input) =>
      runGit([...SAFE_GIT_OPTIONS, ...args], { directory, environment, limits, input }),
    );
  } finally {
    remove();
  }
}

/**
 * Returns the object id of a revision such as `main^{commit}`; undefined if there is none. Revisions depend on
 * the repository's configuration, so git reads it; `rev-parse` starts no program that it names. Throws
 * INVALID_PARAMS as `withGit` does, and TIMEOUT if the call is aborted.
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

/** Returns git's version in its own words, "2.39.5 (Apple Git-154)"; undefined if git is not installed. */
export async function gitVersion(signal: AbortSignal): Promise<string | undefined> {
  const limits = { signal, timeoutMs: 2000, maxBytes: 1 << 12 };
  const run = { directory: tmpdir(), environment: safeEnvironment(), limits };
  const { bytes, outcome } = await runGit(["--version"], run);
  if (outcome === "absent") return undefined;
  return /^git version (?<version>.+)/.exec(bytes.toString("latin1"))?.groups?.["version"] ?? "";
}

/** The error of whatever needs git on a machine without it. */
export function gitMissing(): SvcError {
  return new SvcError("INVALID_PARAMS", "git is not installed, so svc cannot read a history.", {
    hint: "Install git, and make sure that it is in PATH.",
  });
}

/** Returns the path of a folder relative to the top level, with `/`; "" for the top level itself. */
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
  const child = childProcesses().spawn("git", args, {
    cwd: directory,
    env: environment,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    // Its own process group, so that git's children end with it.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  // Git may end before it has read all input.
  child.stdin?.on("error", () => undefined).end(input);
  const parts: Buffer[] = [];
  let length = 0;
  let stopped: Exclude<GitOutput["outcome"], "whole" | "failed"> | undefined;
  const stop = (why: typeof stopped): void => {
    stopped ??= why;
    killProcessGroup(child);
    // A child that left the group would keep the pipe open.
    child.stdout?.destroy();
  };
  const timer = setTimeout(() => stop("late"), timeoutMs);
  const onAbort = (): void => {
    stop("late");
    reject(cancelled());
  };
  // Otherwise git could keep waiting at a pipe after this process ends, because it has its own group.
  const onExit = (): void => killProcessGroup(child);
  signal.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  child.stdout?.on("data", (part: Buffer) => {
    if (length >= maxBytes) return;
    parts.push(part.subarray(0, maxBytes - length));
    length += part.length;
    if (length > maxBytes) stop("full");
  });
  // A "close" event follows.
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
