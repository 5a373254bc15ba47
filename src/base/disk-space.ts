import { statfsSync } from "node:fs";

import { SvcError } from "./errors.ts";

const CHECK_INTERVAL_MS = 500;
const MAX_RESERVED_BYTES = 1 << 30;
const MAX_RESERVED_SHARE = 0.05;

/**
 * Calls `use` with a signal that is aborted when the disk with `directory` is almost full, because other
 * programs need the rest. Throws STORAGE_FULL in that case, and when the disk is almost full from the start.
 */
export async function withDiskSpace<T>(
  directory: string,
  signal: AbortSignal,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const full = new AbortController();
  const check = (): void => {
    if (!hasDiskSpace(directory)) full.abort();
  };
  check();
  if (full.signal.aborted) throw diskFullError();
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  try {
    const result = await use(AbortSignal.any([signal, full.signal]));
    if (full.signal.aborted) throw diskFullError();
    return result;
  } catch (thrown) {
    throw full.signal.aborted ? diskFullError() : thrown;
  } finally {
    clearInterval(timer);
  }
}

/** Whether the disk with `directory` has more than 5 % of its size, or more than 1 GiB, free. */
export function hasDiskSpace(directory: string): boolean {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return bavail * bsize > Math.min(MAX_RESERVED_BYTES, blocks * bsize * MAX_RESERVED_SHARE);
}

function diskFullError(): SvcError {
  return new SvcError("STORAGE_FULL", "The disk with svc's data is almost full.", {
    hint: "Free some space, or move the data with SERVICE_HOME; existing indexes keep serving.",
  });
}
