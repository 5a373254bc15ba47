// Checks out the files of a clone. Git reads only the clone's own configuration, which svc wrote. It defines no
// filter (Git LFS), hook or monitor that a repository may ask for, so none of them runs.

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
  // Unreachable objects are deleted eventually, but not by a process that outlives this one.
  ["core.logAllRefUpdates", "false"],
  ["gc.autoDetach", "false"],
  ["gc.packRefs", "false"],
].flatMap(([name, value]) => ["-c", `${name}=${value}`]);
const IDLE_TIMEOUT_MS = 10 * 60_000;

interface CheckoutHooks {
  readonly signal: AbortSignal;
  /** Called with the numbers of written and changed files. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Initializes the clone without content, templates or hooks, or removes lock and temporary files that a killed
 * git left in it. The caller holds the clone's lock. Throws FETCH_FAILED, STORAGE_FULL or TIMEOUT.
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
 * Checks out the last fetched commit and removes all other files. If that fails, restores the previous commit;
 * after a kill, `repairClone` does that. Throws FETCH_FAILED, STORAGE_FULL or TIMEOUT.
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

/** Restores the previous commit of an unfinished work tree. False if there is none yet. */
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
  // A killed git left these. The clone's lock excludes every other git.
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
  if (outcome === "cancelled") return new SvcError("TIMEOUT", "The checkout was cancelled.");
  if (outcome === "absent") {
    return new SvcError("FETCH_FAILED", "git is not installed.", {
      hint: "Install git, or copy the repository's files here and index the folder.",
    });
  }
  const output = lines.join("\n");
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    return new SvcError("STORAGE_FULL", "The disk is full.", {
      hint: "Free some space, or move the data with SERVICE_HOME.",
    });
  }
  return new SvcError("FETCH_FAILED", `git ${command} could not write the repository's files.`, {
    hint: "It may contain file names that this system or git refuses; clone it by hand to find them.",
    cause: output,
  });
}
