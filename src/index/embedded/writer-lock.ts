import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { fileSignature } from "../../base/immutable-uri.ts";
import { lockHolderPid } from "../../base/lock-holder.ts";
import type { IndexLayout } from "./layout.ts";

interface WaitOptions {
  /** How long to wait for other writers, in ms. */
  readonly waitMs: number;
  /** Wait so long after each sign that other writers make progress. */
  readonly isPatient?: boolean | undefined;
}

/** Longest attempt, in ms. The thread can be terminated between two attempts. */
const MAX_ATTEMPT_MS = 200;

/**
 * Takes the lock of the one writer of an index. Returns a function that releases it, or undefined when other writers
 * hold it for too long. The next writer waits with the queue lock, so that a writer that wants the lock again at once (a
 * watcher of files that change all the time) cannot overtake it.
 */
export async function takeWriterLock(
  layout: Pick<IndexLayout, "catalog" | "writerQueue" | "writerLock">,
  { waitMs, isPatient = false }: WaitOptions,
): Promise<(() => void) | undefined> {
  const left = isPatient ? timeSinceProgress(layout, waitMs) : timeUntil(waitMs);
  const leaveQueue = await takeWhile(left, layout.writerQueue);
  if (leaveQueue === undefined) return undefined;
  try {
    return await takeWhile(left, layout.writerLock);
  } finally {
    leaveQueue();
  }
}

/** Returns the ms that are left; 0 when the time is over. */
type TimeLeft = () => number;

function timeUntil(waitMs: number): TimeLeft {
  const deadline = performance.now() + waitMs;
  return () => Math.max(0, deadline - performance.now());
}

/** Begins again whenever another writer has taken the lock or has committed. */
function timeSinceProgress(
  { catalog, writerLock }: Pick<IndexLayout, "catalog" | "writerLock">,
  waitMs: number,
): TimeLeft {
  let state = "";
  let left = timeUntil(waitMs);
  return () => {
    const now = `${lockHolderPid(writerLock)} ${fileSignature(catalog)}`;
    if (now !== state) left = timeUntil(waitMs);
    state = now;
    return left();
  };
}

/** Makes at least one attempt. */
async function takeWhile(left: TimeLeft, path: string): Promise<(() => void) | undefined> {
  for (;;) {
    const leftMs = left();
    const release = takeExclusiveLock(path, Math.ceil(Math.min(leftMs, MAX_ATTEMPT_MS)));
    if (release !== undefined || leftMs === 0) return release;
    // eslint-disable-next-line no-await-in-loop -- one attempt after the other
    await new Promise(setImmediate);
  }
}
