import { lstatSync } from "node:fs";
import { join } from "node:path";

import { readRegularFile } from "../base/files.ts";
import { toFilePath } from "../base/path-bytes.ts";

const MAX_BYTES = 1 << 20;

/** Whether a folder is a repository without a work tree: it contains objects, not files. */
export function isBareRepository(folder: string): boolean {
  const hasFolders = ["objects", "refs"].every(
    (name) =>
      lstatSync(toFilePath(join(folder, name)), { throwIfNoEntry: false })?.isDirectory() === true,
  );
  const read = (name: string): string =>
    readRegularFile(toFilePath(join(folder, name)), MAX_BYTES)?.toString("latin1") ?? "";
  return (
    hasFolders &&
    /^(?:ref: refs\/|[0-9a-f]{40})/.test(read("HEAD")) &&
    /^\s*bare\s*=\s*true\s*$/im.test(read("config"))
  );
}
