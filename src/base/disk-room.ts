import { statfsSync } from "node:fs";

import { SvcError } from "./errors.ts";

const LOOK_MS = 500;
const MOST_BYTES = 1 << 30;
const MOST_SHARE = 0.05;

/**
 * Gives `use` a signal that is aborted when the disk that holds `directory` is all but full: other programs need the
 * rest. Throws STORAGE_FULL then, and when it is so from the start.
 */
export async function withRoom<T>(
  directory: string,
  signal: AbortSignal,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const full = new AbortController();
  const look = (): void => {
    if (!hasRoom(directory)) full.abort();
  };
  look();
  if (full.signal.aborted) throw noRoom();
  const timer = setInterval(look, LOOK_MS);
  try {
    const result = await use(AbortSignal.any([signal, full.signal]));
    if (full.signal.aborted) throw noRoom();
    return result;
  } catch (thrown) {
    throw full.signal.aborted ? noRoom() : thrown;
  } finally {
    clearInterval(timer);
  }
}

/** Whether more than the last 5 %, or 1 GiB, of the disk that holds `directory` is free. */
export function hasRoom(directory: string): boolean {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return bavail * bsize > Math.min(MOST_BYTES, blocks * bsize * MOST_SHARE);
}

function noRoom(): SvcError {
  return new SvcError("STORAGE_FULL", "The disk that holds svc's data is all but full.", {
    hint: "Free some space, or move the data with SERVICE_HOME; what was there before goes on serving.",
  });
}
