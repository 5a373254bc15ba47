import { readFileSync, statSync } from "node:fs";

/** Offset of the first byte that SQLite locks (PENDING_BYTE). The file has no other locks. */
const FIRST_LOCK_BYTE = 0x40000000;

/**
 * The id of the process that holds the exclusive lock on an SQLite file. Undefined if no process holds it, and
 * on systems without /proc/locks.
 */
export function lockHolderPid(path: string): number | undefined {
  try {
    const { ino } = statSync(path, { bigint: true });
    // "1: POSIX  ADVISORY  WRITE 4711 08:01:1234 1073741824 1073742335"
    const line = /^\d+: POSIX +\w+ +WRITE +(?<pid>\d+) +\w+:\w+:(?<inode>\d+) +(?<from>\d+) /;
    for (const text of readFileSync("/proc/locks", "latin1").split("\n")) {
      const { pid, inode, from } = line.exec(text)?.groups ?? {};
      if (inode === String(ino) && Number(from) >= FIRST_LOCK_BYTE) return Number(pid);
    }
  } catch {
    // The system has no /proc/locks, or the file does not exist.
  }
  return undefined;
}
