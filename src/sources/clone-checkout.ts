// Puts the files of a clone into its work tree. Git reads no configuration but the clone's own, which svc made: a
// filter (Git LFS), a hook or a monitor that a repository asks for has no name there, so that none of them runs.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";

import { withRoom } from "../base/disk-room.ts";
import { SvcError } from "../base/errors.ts";
import { runProgram, type ProgramEnd } from "../base/run-program.ts";
import { readSessionEnvironment } from "../config/settings.ts";
import {
  commitOf,
  fetchedCommit,
  FETCHED_REF,
  isCloneUnfinished,
  markFinished,
  markUnfinished,
  type Clone,
} from "./clones.ts";

const OFF = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  // Objects that nothing names any more go in time, without a process that outlives this one.
  ["core.logAllRefUpdates", "false"],
  ["gc.autoDetach", "false"],
  ["gc.packRefs", "false"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
const SILENCE_MS = 10 * 60_000;

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
 * to the commit before; after a kill, `mendClone` does that.
 */
export async function checkOut(clone: Clone, { signal, onProgress }: CheckoutHooks): Promise<void> {
  if (!isCloneUnfinished(clone) && commitOf(clone.root) === fetchedCommit(clone)) return;
  markUnfinished(clone);
  try {
    const onLine = (line: string): void => {
      const [, done, total] = /^Updating files:\s+\d+% \((\d+)\/(\d+)\)/.exec(line) ?? [];
      if (done !== undefined) onProgress({ done: Number(done), total: Number(total) });
    };
    await replace(clone, ["checkout", "--force", "--detach", "--progress", FETCHED_REF], {
      signal,
      onLine,
    });
    await git(clone, ["gc", "--auto", "--quiet"], { signal });
  } catch (thrown) {
    await mendClone(clone);
    throw thrown;
  }
}

/** Puts a work tree that was left between two commits back to the first. False when there is none yet. */
export async function mendClone(clone: Clone): Promise<boolean> {
  if (!isCloneUnfinished(clone)) return true;
  if (commitOf(clone.root) === undefined) return false;
  const { signal } = new AbortController();
  await replace(clone, ["reset", "--hard", "--quiet", "HEAD"], { signal });
  return true;
}

interface RunHooks {
  readonly signal: AbortSignal;
  readonly onLine?: (line: string) => void;
}

async function replace(clone: Clone, args: readonly string[], hooks: RunHooks): Promise<void> {
  // Left by a git that was killed; the lock of the clone keeps out every other.
  rmSync(join(clone.root, ".git", "index.lock"), { force: true });
  rmSync(join(clone.root, ".git", "HEAD.lock"), { force: true });
  await withRoom(clone.directory, hooks.signal, async (signal) => {
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
  const place =
    args[0] === "init" ? [] : [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`];
  const ended = await runProgram("git", [...OFF, ...place, ...args], {
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
    silenceMs: SILENCE_MS,
    onLine,
  });
  if (ended.end !== "done") throw failure(ended, args[0] ?? "");
}

function failure({ end, lines }: ProgramEnd, command: string): SvcError {
  if (end === "cancelled") return new SvcError("TIMEOUT", "Checking out was cancelled.");
  if (end === "absent") {
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
