// Reads ignore files. One that is there and cannot be used is a problem, never an empty file: what it names
// would be indexed.

import { accessSync, constants, lstatSync, type Stats } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";
import { readInside } from "../sources/guarded-read.ts";

/** An ignore file that is there and cannot be used. */
export interface RuleProblem {
  /** Absolute. */
  readonly path: string;
  /** Ends the sentence "It …". */
  readonly why: string;
  /** The machine failed, not the file: the next look may find it in order. */
  readonly isFault: boolean;
}

/** More rules than this cost more memory and time than a walk may take. */
const LIMIT_BYTES = 1 << 20;

/**
 * The content of an ignore file as a latin1 string. Undefined when there is none, or a directory of that name, which
 * holds no rules for git either. A file that does not lie in one of the folders `within`, which are real paths, cannot
 * be used. Never waits and never follows a link.
 */
export function readRuleFile(
  within: readonly string[],
  path: string,
): { readonly bytes: string } | RuleProblem | undefined {
  const bytes = readInside(within, path, LIMIT_BYTES);
  if (bytes !== undefined) return { bytes: bytes.toString("latin1") };
  try {
    const stat = lstatSync(toFilePath(path), { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) return undefined;
    return { path, ...problemOf(path, stat) };
  } catch {
    return { path, why: "cannot be read", isFault: false };
  }
}

function problemOf(path: string, stat: Stats): Omit<RuleProblem, "path"> {
  if (stat.isSymbolicLink()) return { why: "is a symbolic link", isFault: false };
  if (!stat.isFile()) return { why: "is a pipe, a socket or a device", isFault: false };
  if (stat.size > LIMIT_BYTES) return { why: "is larger than 1 MiB", isFault: false };
  try {
    accessSync(toFilePath(path), constants.R_OK);
    return { why: "could not be read", isFault: true };
  } catch {
    return { why: "cannot be read with the rights of this process", isFault: false };
  }
}
