import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets every other thread of the machine go before this one. On Linux a priority belongs to a thread
 * (setpriority(2), "C library/kernel differences"); elsewhere to the whole process, which must go on
 * answering, so that nothing is done there.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    // "<process>/task/<thread>", of the thread that reads it.
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (thread > 0 && thread !== process.pid)
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where it is not allowed, it runs as it is.
  }
}
