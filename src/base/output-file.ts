import { closeSync, fsyncSync, openSync, realpathSync, rmSync, statSync, writeSync } from "node:fs";

import { SvcError } from "./errors.ts";
import { replaceFile } from "./files.ts";

/** A file that is written piece by piece and appears when it is complete. */
export interface OutputFile {
  /** Throws STORAGE_FULL. */
  readonly write: (bytes: Uint8Array) => void;
  /** Replaces the file of that name, if there is one. */
  readonly finish: () => void;
  /** Deletes what was written. */
  readonly discard: () => void;
}

/**
 * Throws INVALID_PARAMS for a path that cannot be written. A link stays one, and what is not a regular file is written to
 * directly: a device such as `/dev/null` must not be replaced, and a pipe has its reader.
 */
export function createOutputFile(path: string): OutputFile {
  const known = statSync(path, { throwIfNoEntry: false });
  const isReplaced = known === undefined || known.isFile();
  const target = known === undefined ? path : realpathSync(path);
  const draft = isReplaced ? `${target}.${process.pid}.part` : target;
  let file: number;
  try {
    file = openSync(draft, isReplaced ? "wx" : "w", 0o666);
  } catch (cause) {
    throw unwritable(path, cause);
  }
  return {
    write: (bytes) => {
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      } catch (cause) {
        if (!isFull(cause)) throw unwritable(path, cause);
        throw new SvcError("STORAGE_FULL", `The disk of ${path} is full.`, { cause });
      }
    },
    finish: () => {
      if (isReplaced) fsyncSync(file);
      closeSync(file);
      if (isReplaced) replaceFile(draft, target);
    },
    discard: () => {
      closeSync(file);
      if (isReplaced) rmSync(draft, { force: true });
    },
  };
}

function isFull(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOSPC";
}

function unwritable(path: string, cause: unknown): SvcError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SvcError("INVALID_PARAMS", `${path} cannot be written: ${why}.`, {
    hint: "Name a file in a folder that exists and that you may write to.",
    cause,
  });
}
