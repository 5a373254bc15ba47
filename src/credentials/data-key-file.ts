import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { createPrivateFile, readPrivateFile } from "./private-files.ts";
import { KEY_BYTES } from "./seal.ts";

/**
 * A new key in a new file; or the key of the file that is there already, because another process has
 * just made it or the user has brought it.
 */
export function createFileKey(directory: string, chosenPath: string | undefined): Buffer {
  const path = keyPath(directory, chosenPath);
  createPrivateFile(path, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
  return openFileKey(directory, chosenPath);
}

export function openFileKey(directory: string, chosenPath: string | undefined): Buffer {
  const path = keyPath(directory, chosenPath);
  const text = readPrivateFile(path);
  if (text === undefined) {
    throw new SvcError("CREDENTIAL_STORE", "The data key file of the credential store is gone.", {
      hint: `Put ${path} back from a backup, or name the file where it is now.`,
    });
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== KEY_BYTES) {
    throw new SvcError("CREDENTIAL_STORE", "The data key file does not hold a key of 32 bytes.", {
      hint: `Put ${path} back from a backup.`,
    });
  }
  return key;
}

function keyPath(directory: string, chosenPath: string | undefined): string {
  return chosenPath ?? join(directory, "data.key");
}
