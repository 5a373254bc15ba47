import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import type { IndexLayout } from "./layout.ts";

/** Longest attempt, in ms. The thread can be terminated between two attempts. */
const MAX_ATTEMPT_MS = 200;

/**
 * Takes the lock of the one writer of an index. Returns a function that releases it, or undefined when other writers
 * hold it for `waitMs`. The next writer waits with the queue lock, so that a writer that wants the lock again at once (a
 * watcher of files that change all the time) cannot overtake it.
 */
export async function takeWriterLock(
  { writerQueue, writerLock }: Pick<IndexLayout, "writerQueue" | "writerLock">,
  waitMs: number,
): Promise<(() => void) | undefined> {
  const deadline = performance.now() + waitMs;
  const leaveQueue = await takeBefore(deadline, writerQueue);
  if (leaveQueue === undefined) return undefined;
  try {
    return await takeBefore(deadline, writerLock);
  } finally {
    leaveQueue();
  }
}

/** Makes at least one attempt. */
async function takeBefore(deadline: number, path: string): Promise<(() => void) | undefined> {
  for (;;) {
    const leftMs = Math.max(0, deadline - performance.now());
    const release = takeExclusiveLock(path, Math.ceil(Math.min(leftMs, MAX_ATTEMPT_MS)));
    if (release !== undefined || leftMs === 0) return release;
    // eslint-disable-next-line no-await-in-loop -- one attempt after the other
    await new Promise(setImmediate);
  }
}
