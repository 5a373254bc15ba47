import { closeSync, copyFileSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

import { replaceFile, syncDirectory } from "../../base/files.ts";

/** The folders, on the same or on two disks. */
interface Folders {
  readonly from: string;
  readonly to: string;
}

/**
 * Gives files that never change a second name in another folder, and copies them where the file system has no hard links.
 * Afterwards both folders have them, also after a power cut. Those that the other folder has already stay.
 */
export function linkFiles(names: readonly string[], { from, to }: Folders): void {
  for (const name of names) linkFile(join(from, name), join(to, name));
  syncDirectory(to);
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "EEXIST") return;
    if (code === "ENOENT") throw thrown;
    copy(from, to);
  }
}

function copy(from: string, to: string): void {
  const temporary = `${to}.tmp`;
  try {
    copyFileSync(from, temporary);
    syncFile(temporary);
    replaceFile(temporary, to);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
}

/** Waits until the content of a file is on disk. */
export function syncFile(path: string): void {
  // Windows syncs only what may be written.
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
