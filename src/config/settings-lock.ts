import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { SvcError } from "../base/errors.ts";

/** Only one process writes at a time; each needs some milliseconds. */
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Takes the lock for changes of config.json and returns a function that releases it. Throws INVALID_SETTINGS
 * after 30 seconds.
 */
export function takeSettingsLock(path: string): () => void {
  const release = takeExclusiveLock(path, LOCK_TIMEOUT_MS);
  if (release !== undefined) return release;
  throw new SvcError(
    "INVALID_SETTINGS",
    "Another process has been changing the settings for 30 seconds.",
    { hint: "Stop that process, or try again later." },
  );
}
