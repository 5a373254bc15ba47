import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { SvcError } from "../base/errors.ts";

/** The writers of one folder take their turns; each needs some milliseconds. */
const LOCK_TIMEOUT_MS = 30_000;

/** Takes the lock of those who change config.json; what it returns frees it. Throws INVALID_SETTINGS. */
export function takeSettingsLock(path: string): () => void {
  const release = takeExclusiveLock(path, LOCK_TIMEOUT_MS);
  if (release !== undefined) return release;
  throw new SvcError(
    "INVALID_SETTINGS",
    "Another process has been changing the settings for 30 seconds.",
    { hint: "End it, or try again later." },
  );
}
