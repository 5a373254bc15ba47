// Fetched repositories are in the data directory, one folder each:
//
//   clones/<hash of URL and ref>/<name>       the work tree with its `.git`: the root of the source
//   clones/<hash of URL and ref>/unfinished   exists while the work tree may mix two commits, or have none
//   clones/<hash of URL and ref>/lock         locked during fetch and checkout
//
// Sources of several namespaces with the same URL and ref share a clone.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { readRegularFile } from "../base/files.ts";
import { realPath } from "./confined-path.ts";
import type { RepositoryUrl } from "./git-url.ts";

/** Paths of a clone. */
export interface Clone {
  readonly directory: string;
  /** The work tree. */
  readonly root: string;
  /** Lock file, locked during fetch and checkout. */
  readonly lock: string;
  /** Marker file; exists while the work tree is incomplete. */
  readonly unfinished: string;
}

/** Ref of the last fetched commit, whether or not it has been checked out. */
export const FETCHED_REF = "refs/svc/fetched";
/** Enough for 40 or 64 digits and a line end. */
const MAX_ID_BYTES = 1 << 12;

/** Returns the clone of a repository; creates an empty, unfinished one if there is none. */
export function ensureClone(dataDirectory: string, { url, ref, name }: RepositoryUrl): Clone {
  const id = createHash("sha256")
    .update(`${url.replace(/\/+$/, "")}\n${ref ?? ""}`)
    .digest("hex")
    .slice(0, 16);
  const clone = cloneAt(join(clonesDirectory(dataDirectory), id, name));
  if (!existsSync(join(clone.root, ".git"))) {
    mkdirSync(clone.directory, { recursive: true, mode: 0o700 });
    markUnfinished(clone);
    mkdirSync(clone.root, { recursive: true, mode: 0o700 });
  }
  return clone;
}

/** Returns the clone with this work tree. */
export function cloneAt(root: string): Clone {
  const directory = dirname(root);
  return {
    directory,
    root,
    lock: join(directory, "lock"),
    unfinished: join(directory, "unfinished"),
  };
}

/** Returns where this machine has, or will have, the clone that is at `root` on another machine. */
export function ownCloneRoot(dataDirectory: string, root: string): string {
  const [id = "", name = ""] = root.split(/[/\\]/).slice(-2);
  return join(clonesDirectory(dataDirectory), id, name);
}

/** Whether a folder is the work tree of a clone, which is deleted with its last source. */
function isCloneRoot(dataDirectory: string, root: string): boolean {
  return dirname(dirname(root)) === clonesDirectory(dataDirectory);
}

export function markUnfinished({ unfinished }: Clone): void {
  writeFileSync(unfinished, "", { mode: 0o600 });
}

export function markFinished({ unfinished }: Clone): void {
  rmSync(unfinished, { force: true });
}

export function isCloneUnfinished({ unfinished }: Clone): boolean {
  return existsSync(unfinished);
}

/** The id of the checked-out commit; undefined before the first checkout. */
export function checkedOutCommit(root: string): string | undefined {
  return idIn(join(root, ".git", "HEAD"));
}

/** The id of the last fetched commit; undefined before the first fetch. */
export function fetchedCommit({ root }: Clone): string | undefined {
  return idIn(join(root, ".git", FETCHED_REF));
}

function idIn(path: string): string | undefined {
  const id = readRegularFile(path, MAX_ID_BYTES)?.toString("latin1").trim();
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** Deletes the clone with its lock and marker. A second call completes an interrupted one. */
export function removeClone(dataDirectory: string, root: string): void {
  if (!isCloneRoot(dataDirectory, root)) return;
  rmSync(dirname(root), { recursive: true, force: true, maxRetries: 5 });
}

function clonesDirectory(dataDirectory: string): string {
  // Roots of sources are real paths.
  const real = existsSync(dataDirectory) ? realPath(dataDirectory) : dataDirectory;
  return join(real, "clones");
}
