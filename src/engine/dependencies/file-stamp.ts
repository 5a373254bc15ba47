import { statSync } from "node:fs";

import { toFilePath } from "../../base/path-bytes.ts";

/**
 * Returns what changes when a file is replaced; undefined if it does not exist. Installers set the time of a file, but not
 * that of its inode.
 */
export function installStamp(path: string): string | undefined {
  try {
    const { ino, ctimeMs, size } = statSync(toFilePath(path));
    return `${ino} ${ctimeMs} ${size}`;
  } catch {
    return undefined;
  }
}
