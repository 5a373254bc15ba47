// The one way in which a file of a tree, or of its repository, is read whole by its path. Opening waits for nobody and
// follows no link in the last place; what was opened counts only if it lies in one of the folders that may be read.

import { closeSync, fstatSync, openSync } from "node:fs";

import { readFully, SAFE_READ } from "../base/files.ts";
import { toFilePath } from "../base/path-bytes.ts";
import { isInside, openedPath } from "./confined-path.ts";

/**
 * The content of a regular file in one of these folders, which are real paths. Undefined for a file that is absent,
 * a link, a pipe or a device, that lies elsewhere, that may not be read, or that is larger than `limitBytes`.
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

/** The first `sizeBytes` of a file that was opened by a guard. Throws what the file system throws. */
export function readOpen(file: number, sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  return bytes.subarray(0, readFully(file, bytes));
}
