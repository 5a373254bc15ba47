import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lowers the priority of this thread. On Linux a priority belongs to a thread (setpriority(2), "C library/kernel
 * differences"). Elsewhere it belongs to the whole process, which must keep answering, so this does nothing there.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    // The link has the form "<process>/task/<thread>".
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (thread > 0 && thread !== process.pid)
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc or the permission, the priority stays unchanged.
  }
}
