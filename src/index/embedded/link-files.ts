import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";

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
  syncPath(to);
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
    syncPath(temporary);
    renameSync(temporary, to);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
export function syncPath(path: string): void {
  // Windows cannot open a directory, and makes a rename durable by itself.
  if (process.platform === "win32") return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
