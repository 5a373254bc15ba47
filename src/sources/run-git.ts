// Runs git on a repository without its configuration being read. Git starts what a configuration names:
// file system monitors, filters, drivers of diffs, programs that verify signatures, and fetches of objects
// that are missing, in submodules as well; not all of it can be turned off by options. So git is given a directory
// of svc's own, with settings that name nothing, and borrows the objects and the index of the repository.

import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";

import { SvcError } from "../base/errors.ts";
import { toFilePath } from "../base/path-bytes.ts";
import { readSessionEnvironment } from "../config/settings.ts";
import type { Repository } from "./git.ts";

export interface GitLimits {
  /** The call that asks: its end is git's as well. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What git says beyond is cut off. */
  readonly limitBytes: number;
}

export interface GitOutput {
  readonly bytes: Buffer;
  /** "whole" when git came to its end by itself and succeeded, "absent" where there is no git. */
  readonly end: "whole" | "late" | "full" | "failed" | "absent";
}

/** Runs one command of git. Throws TIMEOUT when the call is over. */
export type Git = (args: readonly string[], limits: GitLimits) => Promise<GitOutput>;

/** Whatever may run nothing, look nowhere else, and lock nothing. */
const SAFE_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  // Objects that a partial clone has left out are not fetched. Older programs know the second alone.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
} as const;
const OFF = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** What it takes to be a directory of git. The format of object names is the one thing that is copied. */
function configFor({ objectIdBytes }: Repository): string {
  const extension = objectIdBytes === 32 ? "[extensions]\n\tobjectformat = sha256\n" : "";
  const version = objectIdBytes === 32 ? 1 : 0;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${extension}`;
}

/** Gives `use` a git that reads the objects, the index and the work tree of the repository, and nothing else. */
export async function withGit<T>(
  repository: Repository,
  use: (git: Git) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "svc-git-"));
  try {
    mkdirSync(join(directory, "refs"));
    writeFileSync(join(directory, "HEAD"), "ref: refs/heads/none\n");
    writeFileSync(join(directory, "config"), configFor(repository));
    borrow(repository, directory);
    const environment = {
      ...readSessionEnvironment(),
      ...SAFE_ENVIRONMENT,
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      GIT_CONFIG_GLOBAL: join(directory, "none"),
      GIT_DIR: directory,
      GIT_WORK_TREE: repository.topLevel,
      GIT_OBJECT_DIRECTORY: join(repository.commonDirectory, "objects"),
      GIT_INDEX_FILE: join(repository.gitDirectory, "index"),
    };
    // Windows looks for programs in the working directory first: it must not be the tree.
    return await use((args, limits) =>
      runGit([...OFF, ...args], { directory, environment, limits }),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The object that a name of git's stands for, such as `main^{commit}`; undefined when there is none. The names
 * are the repository's own, and so its configuration is read; `rev-parse` starts nothing that is named there.
 */
export async function resolveName(
  { topLevel, gitDirectory }: Repository,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const args = [`--git-dir=${gitDirectory}`, `--work-tree=${topLevel}`, "rev-parse"];
  const { bytes, end } = await runGit(
    [...OFF, ...args, "--verify", "--quiet", "--end-of-options", name],
    {
      directory: tmpdir(),
      environment: { ...readSessionEnvironment(), ...SAFE_ENVIRONMENT },
      limits: { signal, timeoutMs: 5000, limitBytes: 1 << 16 },
    },
  );
  const id = bytes.toString("latin1").trim();
  return end === "whole" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : undefined;
}

/** Where a folder below the top level lies in the repository: "" for the top level itself, else with `/`. */
export function folderIn({ topLevel }: Repository, folder: string): string {
  return relative(topLevel, folder).split(sep).join("/");
}

/** What makes objects and index complete, and the ignore rules that are in no work tree. */
function borrow({ gitDirectory, commonDirectory }: Repository, directory: string): void {
  copyIfThere(join(commonDirectory, "shallow"), join(directory, "shallow"));
  mkdirSync(join(directory, "info"));
  copyIfThere(join(commonDirectory, "info/exclude"), join(directory, "info/exclude"));
  for (const name of namesIn(gitDirectory)) {
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) {
      copyIfThere(join(gitDirectory, name), join(directory, name));
    }
  }
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(toFilePath(from), to);
  } catch {
    // Few repositories have all of them.
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(toFilePath(directory));
  } catch {
    return [];
  }
}

function cancelled(): SvcError {
  return new SvcError("TIMEOUT", "The call was cancelled.");
}

interface Run {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: GitLimits;
}

function runGit(
  args: readonly string[],
  { directory, environment, limits }: Run,
): Promise<GitOutput> {
  const { signal, timeoutMs, limitBytes } = limits;
  const { promise, resolve, reject } = Promise.withResolvers<GitOutput>();
  if (signal.aborted) return Promise.reject(cancelled());
  const child = spawn("git", args, {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  const parts: Buffer[] = [];
  let length = 0;
  let stopped: Exclude<GitOutput["end"], "whole" | "failed"> | undefined;
  const stop = (why: typeof stopped): void => {
    stopped ??= why;
    child.kill("SIGKILL");
    // Something that git started would keep it open.
    child.stdout.destroy();
  };
  const timer = setTimeout(() => stop("late"), timeoutMs);
  const onAbort = (): void => {
    stop("late");
    reject(cancelled());
  };
  signal.addEventListener("abort", onAbort, { once: true });
  child.stdout.on("data", (part: Buffer) => {
    if (length >= limitBytes) return;
    parts.push(part.subarray(0, limitBytes - length));
    length += part.length;
    if (length > limitBytes) stop("full");
  });
  // "close" comes then as well.
  child.on("error", () => {
    stopped ??= "absent";
  });
  child.on("close", (code) => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    resolve({ bytes: Buffer.concat(parts), end: stopped ?? (code === 0 ? "whole" : "failed") });
  });
  return promise;
}
