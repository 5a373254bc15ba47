// Reads ignore files. An unusable file is a problem, not an empty file: otherwise the files it names would be
// indexed.

import { accessSync, constants, lstatSync, type Stats } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";
import { readInside } from "../sources/guarded-read.ts";

/** An ignore file that exists but cannot be used. */
export interface RuleProblem {
  /** Absolute path. */
  readonly path: string;
  /** Completes the sentence "It …". */
  readonly why: string;
  /** Whether the machine failed, not the file: the next read may succeed. */
  readonly isFault: boolean;
}

/** The names of ignore files. */
const RULE_FILES = [".gitignore", ".ignore", ".svcignore"] as const;

export type RuleFileName = (typeof RULE_FILES)[number];

/** Whether a file of this name is an ignore file. */
export function isRuleFile(name: string): name is RuleFileName {
  return RULE_FILES.some((one) => one === name);
}

/** A larger file would take too much memory and time in a walk. */
const LIMIT_BYTES = 1 << 20;

/**
 * Returns the content of an ignore file as a latin1 string. Undefined if it does not exist or is a directory,
 * which git ignores too. A file outside the folders `within`, which are real paths, is a problem. Never blocks
 * and never follows a link.
 */
export function readRuleFile(
  within: readonly string[],
  path: string,
  limitBytes = LIMIT_BYTES,
): { readonly bytes: string } | RuleProblem | undefined {
  const bytes = readInside(within, path, limitBytes);
  if (bytes !== undefined) return { bytes: bytes.toString("latin1") };
  try {
    const stat = lstatSync(toFilePath(path), { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) return undefined;
    return { path, ...problemOf(path, stat, limitBytes) };
  } catch {
    return { path, why: "cannot be read", isFault: false };
  }
}

function problemOf(path: string, stat: Stats, limitBytes: number): Omit<RuleProblem, "path"> {
  if (stat.isSymbolicLink()) return { why: "is a symbolic link", isFault: false };
  if (!stat.isFile()) return { why: "is a pipe, a socket or a device", isFault: false };
  if (stat.size > limitBytes) {
    return {
      why: `is larger than ${limitBytes === LIMIT_BYTES ? "1 MiB" : `${limitBytes} bytes`}`,
      isFault: false,
    };
  }
  try {
    accessSync(toFilePath(path), constants.R_OK);
    return { why: "could not be read", isFault: true };
  } catch {
    return { why: "cannot be read with the rights of this process", isFault: false };
  }
}
