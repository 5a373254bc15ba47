// Puts the files of a clone into its work tree. Git reads no configuration but the clone's own, which svc made: a
// filter (Git LFS), a hook or a monitor that a repository asks for has no name there, so that none of them runs.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";

import { withDiskSpace } from "../base/disk-space.ts";
import { SvcError } from "../base/errors.ts";
import { runProgram, type ProgramResult } from "../base/run-program.ts";
import { readSessionEnvironment } from "../config/settings.ts";
import {
  checkedOutCommit,
  fetchedCommit,
  FETCHED_REF,
  isCloneUnfinished,
  markFinished,
  markUnfinished,
  type Clone,
} from "./clones.ts";

const SAFE_CONFIG = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  // Objects that nothing names any more go in time, without a process that outlives this one.
  ["core.logAllRefUpdates", "false"],
  ["gc.autoDetach", "false"],
  ["gc.packRefs", "false"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
const IDLE_TIMEOUT_MS = 10 * 60_000;

interface CheckoutHooks {
  readonly signal: AbortSignal;
  /** Files, of those that change. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Makes the clone a repository without content, templates or hooks, or takes away what a git that was killed has left
 * in it. The caller holds the clone's lock.
 */
export async function prepareClone(clone: Clone, signal: AbortSignal): Promise<void> {
  const directory = join(clone.root, ".git");
  if (!existsSync(join(directory, "HEAD"))) {
    await git(clone, ["init", "--quiet", "--template=", clone.root], { signal });
    return;
  }
  for (const name of ["shallow.lock", "packed-refs.lock", "config.lock", `${FETCHED_REF}.lock`]) {
    rmSync(join(directory, name), { force: true });
  }
  const packs = join(directory, "objects", "pack");
  if (!existsSync(packs)) return;
  for (const name of readdirSync(packs)) {
    if (name.startsWith("tmp_")) rmSync(join(packs, name), { force: true });
  }
}

/**
 * Makes the work tree that of the commit fetched last, without anything else in it. When it is cut off it is put back
 * to the commit before; after a kill, `repairClone` does that.
 */
export async function checkOutClone(
  clone: Clone,
  { signal, onProgress }: CheckoutHooks,
): Promise<void> {
  if (!isCloneUnfinished(clone) && checkedOutCommit(clone.root) === fetchedCommit(clone)) return;
  markUnfinished(clone);
  try {
    const onLine = (line: string): void => {
      const [, done, total] = /^Updating files:\s+\d+% \((\d+)\/(\d+)\)/.exec(line) ?? [];
      if (done !== undefined) onProgress({ done: Number(done), total: Number(total) });
    };
    await replaceWorkTree(clone, ["checkout", "--force", "--detach", "--progress", FETCHED_REF], {
      signal,
      onLine,
    });
    await git(clone, ["gc", "--auto", "--quiet"], { signal });
  } catch (thrown) {
    await repairClone(clone);
    throw thrown;
  }
}

/** Puts a work tree that was left between two commits back to the first. False when there is none yet. */
export async function repairClone(clone: Clone): Promise<boolean> {
  if (!isCloneUnfinished(clone)) return true;
  if (checkedOutCommit(clone.root) === undefined) return false;
  const { signal } = new AbortController();
  await replaceWorkTree(clone, ["reset", "--hard", "--quiet", "HEAD"], { signal });
  return true;
}

interface RunHooks {
  readonly signal: AbortSignal;
  readonly onLine?: (line: string) => void;
}

async function replaceWorkTree(
  clone: Clone,
  args: readonly string[],
  hooks: RunHooks,
): Promise<void> {
  // Left by a git that was killed; the lock of the clone keeps out every other.
  rmSync(join(clone.root, ".git", "index.lock"), { force: true });
  rmSync(join(clone.root, ".git", "HEAD.lock"), { force: true });
  await withDiskSpace(clone.directory, hooks.signal, async (signal) => {
    await git(clone, args, { ...hooks, signal });
    await git(clone, ["clean", "-ffdxq"], { signal });
  });
  markFinished(clone);
}

async function git(
  { directory, root }: Clone,
  args: readonly string[],
  { signal, onLine = () => {} }: RunHooks,
): Promise<void> {
  const location =
    args[0] === "init" ? [] : [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`];
  const ended = await runProgram("git", [...SAFE_CONFIG, ...location, ...args], {
    directory: root,
    environment: {
      ...readSessionEnvironment(),
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: devNull,
      GIT_ATTR_NOSYSTEM: "1",
      GIT_ALLOW_PROTOCOL: "none",
      GIT_NO_LAZY_FETCH: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
    },
    signal,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    onLine,
  });
  if (ended.outcome !== "done") throw failure(ended, args[0] ?? "");
}

function failure({ outcome, lines }: ProgramResult, command: string): SvcError {
  if (outcome === "cancelled") return new SvcError("TIMEOUT", "Checking out was cancelled.");
  if (outcome === "absent") {
    return new SvcError("FETCH_FAILED", "There is no git on this machine.", {
      hint: "Install it, or copy the repository's files here and index the folder.",
    });
  }
  const said = lines.join("\n");
  if (/No space left on device|Disk quota exceeded/i.test(said)) {
    return new SvcError("STORAGE_FULL", "The disk is full.", {
      hint: "Free some space, or move the data with SERVICE_HOME.",
    });
  }
  return new SvcError(
    "FETCH_FAILED",
    `The files of the repository cannot be written (git ${command}).`,
    {
      hint: "It may hold names that this system or git itself refuses; clone it by hand to see which.",
      cause: said,
    },
  );
}
