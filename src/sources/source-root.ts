// Checks that the root of a source is still the directory that its owner chose. A program that may write to the
// parent folder can replace it with a link or another folder.

import { lstatSync, statSync, type BigIntStats } from "node:fs";

import { SvcError } from "../base/errors.ts";
import { toFilePath } from "../base/path-bytes.ts";
import { quoted } from "../base/quoted.ts";
import { realPath, requireFolder } from "./confined-path.ts";

/** The registry's record of a root. */
export interface SourceRoot {
  /** Absolute path, without symbolic links at the time of recording. */
  readonly root: string;
  /** The result of `rootIdentity`; undefined if the root did not exist when it was recorded. */
  readonly identity?: string | undefined;
  /** The URL of a clone, which svc itself can recreate. */
  readonly url?: string | undefined;
  readonly namespace: string;
}

/** The root of a source is now a link or another folder. Only its owner can confirm that. */
export class RootChanged extends SvcError {
  override readonly hint: string;

  constructor(detail: string, hint: string) {
    super("PATH_NOT_FOUND", detail, { hint });
    this.hint = hint;
  }
}

/**
 * Returns device, inode and creation time of a directory; undefined if its path contains a link or is not a
 * directory.
 */
export function rootIdentity(root: string): string | undefined {
  try {
    if (realPath(root) !== root) return undefined;
    const stat = statSync(toFilePath(root), { bigint: true });
    return stat.isDirectory() ? identityOf(stat) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the root of a source if it is the recorded directory and can be listed. Throws RootChanged if it is
 * another directory, and PATH_NOT_FOUND if it does not exist.
 */
export function requireRoot(source: SourceRoot): string {
  const { root, identity, url } = source;
  const real = requireFolder(root);
  if (url !== undefined) return real;
  if (real !== root) throw linkedRoot(source, real);
  if (identity === undefined) return real;
  const stat = statSync(toFilePath(root), { bigint: true });
  if (isSame(identity, identityOf(stat))) return real;
  throw new RootChanged(
    `${root} is a different folder from the one that was indexed.`,
    `If this is intended, its owner can confirm it with \`svc index ${placeOf(source)}\`.`,
  );
}

/** Whether nothing is at the root. One that this process may not see counts as there. */
export function isRootMissing(root: string): boolean {
  try {
    return lstatSync(toFilePath(root), { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Throws RootChanged if none of these roots can be read and one of them is not the recorded directory. */
export function requireSomeRoot(sources: readonly SourceRoot[]): void {
  let changed: RootChanged | undefined;
  for (const source of sources) {
    const problem = problemOf(source);
    if (problem === undefined) return;
    if (problem instanceof RootChanged) changed ??= problem;
  }
  if (changed !== undefined) throw changed;
}

/** Describes the problem with the root of a source and its fix, in sentences; undefined if there is none. */
export function rootProblem(source: SourceRoot): string | undefined {
  return problemOf(source)?.detail;
}

function problemOf(source: SourceRoot): SvcError | undefined {
  try {
    requireRoot(source);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof SvcError) return thrown;
    throw thrown;
  }
}

/** Throws RootChanged if the path of a source's root now contains a link. */
export function requireNoLink(source: SourceRoot): void {
  let real: string;
  try {
    real = realPath(source.root);
  } catch {
    // The root does not exist, so it leads nowhere else.
    return;
  }
  if (source.url === undefined && real !== source.root) throw linkedRoot(source, real);
}

/** No command confirms a link: the owner has to index the intended folder. */
function linkedRoot(source: SourceRoot, real: string): RootChanged {
  return new RootChanged(
    `${source.root} was a folder when it was indexed; now a symbolic link leads to another place.`,
    `Restore the folder, or run \`svc index --remove ${placeOf(source)}\`, then \`svc index ${placeOf({ ...source, root: real })}\`.`,
  );
}

function placeOf({ root, namespace }: SourceRoot): string {
  return `${quoted(root)} --namespace ${namespace}`;
}

function identityOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${birthtimeNs}`;
}

/**
 * The system numbers devices at boot and when it mounts a network file system. A directory with another device
 * number is the same if its creation time is equal to the nanosecond, if the file system records it.
 */
function isSame(known: string, found: string): boolean {
  const [device, inode, born] = known.split(" ");
  const [deviceNow, inodeNow, bornNow] = found.split(" ");
  return inode === inodeNow && (device === deviceNow || (born === bornNow && born !== "0"));
}
