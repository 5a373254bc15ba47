import { accessSync, constants, readFileSync, statfsSync } from "node:fs";

const FOLDER = "/dev/shm";
/** The maximum that the tests of all workers hold at one time, with a margin. Containers often have 64 MB. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Returns a folder for temporary files in memory. Returns undefined if there is none with enough room, or if programs
 * there cannot be started.
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const [, , , options = "noexec"] =
      mounts.findLast((line) => line.split(" ")[1] === FOLDER)?.split(" ") ?? [];
    const isUsable = bavail * bsize >= MIN_FREE_BYTES && !options.split(",").includes("noexec");
    return isUsable ? FOLDER : undefined;
  } catch {
    // Not every system has it.
    return undefined;
  }
}
