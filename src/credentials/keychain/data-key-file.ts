import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { createPrivateFile, readPrivateFile } from "../private-files.ts";
import { KEY_BYTES } from "../sealed/seal.ts";

/** The places where a key file may be. */
export interface KeyFileLocation {
  /** Directory of the key file if the user never chose one. */
  readonly directory: string;
  /** Path that the user chooses now. */
  readonly chosen: string | undefined;
  /** Path that the user chose when the store was created or its key was moved. */
  readonly pinned: string | undefined;
}

/**
 * Creates a key file and returns its key. If the file exists already, returns the key in it: another process has
 * just created it, or the user has copied it there.
 */
export function createFileKey(path: string): Buffer {
  createPrivateFile(path, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  return readKey(path, `Put ${path} back from a backup.`);
}

/**
 * Tries the user's current choice first: the file may have been moved. A key other than the store's is refused
 * later.
 */
export function openFileKey({ directory, chosen, pinned }: KeyFileLocation): Buffer {
  const usual = pinned ?? defaultKeyFile(directory);
  if (chosen === undefined || chosen === usual) {
    return readKey(usual, `Put ${usual} back from a backup, or name the file where it is now.`);
  }
  return readKey(chosen, misplacedKeyHint({ directory, chosen, pinned }) ?? "");
}

/** Hint for a chosen file that differs from the one the store records; undefined when it does not differ. */
export function misplacedKeyHint({
  directory,
  chosen,
  pinned,
}: KeyFileLocation): string | undefined {
  const usual = pinned ?? defaultKeyFile(directory);
  if (chosen === undefined || chosen === usual) return undefined;
  return (
    `SERVICE_DATA_KEY_FILE names ${chosen}; the key of this store was put into ${usual}. Unset the variable, ` +
    "or put that file there. (`svc auth store migrate` gives the store a new key in another place.)"
  );
}

/** Returns the default path of the key file in this directory. */
export function defaultKeyFile(directory: string): string {
  return join(directory, "data.key");
}

/** Returns false and keeps the file when both paths lead to the same file. Throws the file system's errors. */
export function removeFileKey(path: string, keptPath: string | undefined): boolean {
  if (keptPath !== undefined && isSameFile(path, keptPath)) return false;
  rmSync(path, { force: true });
  return true;
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) =>
    statSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function readKey(path: string, hint: string): Buffer {
  const text = readPrivateFile(path);
  if (text === undefined) {
    throw new SvcError(
      "CREDENTIAL_STORE",
      "The data key file of the credential store no longer exists.",
      {
        hint,
      },
    );
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES) {
    throw new SvcError("CREDENTIAL_STORE", "The data key file does not hold a key of 32 bytes.", {
      hint,
    });
  }
  return key;
}
