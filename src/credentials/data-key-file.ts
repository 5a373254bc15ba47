import { randomBytes } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { createPrivateFile, readPrivateFile } from "./private-files.ts";
import { KEY_BYTES } from "./seal.ts";

/** Where a key file may be. */
export interface KeyFileLocation {
  /** Of the file where none was ever chosen. */
  readonly directory: string;
  /** What the user chooses now. */
  readonly chosen: string | undefined;
  /** What the user chose when the store was created, or its key was moved. */
  readonly pinned: string | undefined;
}

/**
 * A new key in a new file; or the key of the file that is there already, because another process has
 * just made it or the user has brought it.
 */
export function createFileKey(path: string): Buffer {
  createPrivateFile(path, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  return readKey(path, `Put ${path} back from a backup.`);
}

/** The user's choice of today first: a file may have been moved, and another key than the store's does not pass. */
export function openFileKey({ directory, chosen, pinned }: KeyFileLocation): Buffer {
  const usual = pinned ?? defaultKeyFile(directory);
  if (chosen === undefined || chosen === usual) {
    return readKey(usual, `Put ${usual} back from a backup, or name the file where it is now.`);
  }
  return readKey(chosen, misplacedKeyHint({ directory, chosen, pinned }) ?? "");
}

/** For a chosen file that is not the one the store knows; undefined where there is no such choice. */
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

export function defaultKeyFile(directory: string): string {
  return join(directory, "data.key");
}

/** False when both names lead to one file, which is then kept. Throws what the file system throws. */
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
    throw new SvcError("CREDENTIAL_STORE", "The data key file of the credential store is gone.", {
      hint,
    });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES) {
    throw new SvcError("CREDENTIAL_STORE", "The data key file does not hold a key of 32 bytes.", {
      hint,
    });
  }
  return key;
}
