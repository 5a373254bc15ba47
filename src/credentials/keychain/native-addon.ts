import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";

import { replaceFile } from "../../base/files.ts";
import { ensureCheckedDirectory, isErrno } from "../private-files.ts";

/**
 * Writes an addon to a file, because the system's loader cannot load it from memory, and returns its path. The file
 * name contains a hash of the content, so other versions of svc never use it. An existing file is compared whole
 * before it is trusted.
 */
export function extractAddon(directory: string, name: string, bytes: Uint8Array): string {
  ensureCheckedDirectory(directory);
  const path = join(directory, `${name}-${sha256(bytes).slice(0, 32)}.node`);
  if (holds(path, bytes)) return path;
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  fs.writeFileSync(draft, bytes, { mode: 0o500, flag: "wx" });
  replaceFile(draft, path);
  if (!holds(path, bytes)) throw new Error("The extracted addon is not what was written.");
  return path;
}

function holds(path: string, bytes: Uint8Array): boolean {
  try {
    const file = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
    try {
      return sha256(fs.readFileSync(file)) === sha256(bytes);
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    // ELOOP: a symbolic link; the new file replaces it.
    if (isErrno(error, "ENOENT") || isErrno(error, "ELOOP")) return false;
    throw error;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
