// Whether the root of a source is the directory that its owner named. A program that may write to the folder above it
// can put a link or another folder in its place.

import { statSync, type BigIntStats } from "node:fs";

import { SvcError } from "../base/errors.ts";
import { toFilePath } from "../base/path-bytes.ts";
import { quoted } from "../base/quoted.ts";
import { realPath, requireFolder } from "./confined-path.ts";

/** What the registry knows of a root. */
export interface SourceRoot {
  /** Absolute path, without symbolic links when it was recorded. */
  readonly root: string;
  /** As `rootIdentity` gave it; undefined where it was not there to be recorded. */
  readonly identity?: string | undefined;
  /** Of a clone, which svc itself creates again. */
  readonly url?: string | undefined;
  readonly namespace: string;
}

/** The root of a source is a link now, or another folder. Its owner alone can confirm that. */
export class RootChanged extends SvcError {
  override readonly hint: string;

  constructor(detail: string, hint: string) {
    super("PATH_NOT_FOUND", detail, { hint });
    this.hint = hint;
  }
}

/** Device, inode and time of birth of a directory; undefined where a link is on the way to it, or no directory. */
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
 * The root of a source, when it is the directory that was recorded and can be listed. Throws RootChanged when it is
 * not, and PATH_NOT_FOUND when nothing is there.
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
    `${root} is another folder than the one that was indexed.`,
    `If that is meant, its owner confirms it with \`svc index ${placeOf(source)}\`.`,
  );
}

/** Throws RootChanged when no root of these can be read, and one of them is not the directory that was recorded. */
export function requireSomeRoot(sources: readonly SourceRoot[]): void {
  let changed: RootChanged | undefined;
  for (const source of sources) {
    const problem = problemOf(source);
    if (problem === undefined) return;
    if (problem instanceof RootChanged) changed ??= problem;
  }
  if (changed !== undefined) throw changed;
}

/** What is wrong with the root of a source, as a sentence with its remedy; undefined where nothing is. */
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

/** Throws RootChanged for the root of a source that is behind a link by now. */
export function requireNoLink(source: SourceRoot): void {
  let real: string;
  try {
    real = realPath(source.root);
  } catch {
    // Nothing is there that could lead elsewhere.
    return;
  }
  if (source.url === undefined && real !== source.root) throw linkedRoot(source, real);
}

/** No command confirms a link: its owner names the folder that is meant. */
function linkedRoot(source: SourceRoot, real: string): RootChanged {
  return new RootChanged(
    `${source.root} was a folder when it was indexed, and a symbolic link leads elsewhere now.`,
    `Put the folder back; or run \`svc index --remove ${placeOf(source)}\`, then \`svc index ${placeOf({ ...source, root: real })}\`.`,
  );
}

function placeOf({ root, namespace }: SourceRoot): string {
  return `${quoted(root)} --namespace ${namespace}`;
}

function identityOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${birthtimeNs}`;
}

/**
 * The system numbers devices when it starts and when it mounts a network file system. With another number it is the
 * same directory if it was born at the same nanosecond, where the file system knows that.
 */
function isSame(known: string, found: string): boolean {
  const [device, inode, born] = known.split(" ");
  const [deviceNow, inodeNow, bornNow] = found.split(" ");
  return inode === inodeNow && (device === deviceNow || (born === bornNow && born !== "0"));
}
