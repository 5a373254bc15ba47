// The only code that reads a whole file of a tree or its repository by path. Opening never blocks and does not
// follow a link in the last component. The opened file counts only if it is inside an allowed folder.

import { closeSync, fstatSync, openSync } from "node:fs";

import { readFully, SAFE_READ } from "../base/files.ts";
import { toFilePath } from "../base/path-bytes.ts";
import { isInside, openedPath } from "./confined-path.ts";

/**
 * Returns the content of a regular file in one of these folders, which are real paths. Undefined for a file
 * that is missing, a link, a pipe, a device, outside, unreadable, or larger than `limitBytes`.
 */
export function readInside(
  folders: readonly string[],
  path: string,
  limitBytes: number,
): Buffer | undefined {
  let file: number;
  try {
    file = openSync(toFilePath(path), SAFE_READ);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > limitBytes) return undefined;
    const place = openedPath(file, path, stat);
    if (!folders.some((folder) => isInside(folder, place))) return undefined;
    return readOpen(file, Number(stat.size));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Returns the first `sizeBytes` of a file that was opened safely. Throws the file system's error. */
function readOpen(file: number, sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  return bytes.subarray(0, readFully(file, bytes));
}
