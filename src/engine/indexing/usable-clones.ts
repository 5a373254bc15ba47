import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { repairClone } from "../../sources/clone-checkout.ts";
import { cloneAt, isCloneUnfinished } from "../../sources/clones.ts";
import type { Source } from "../../sources/registry/records.ts";

/**
 * The sources of a run without the clones whose work tree is incomplete; the index keeps the files of those. First
 * restores clones that a killed process left incomplete, without network access.
 */
export async function withoutBrokenClones(sources: readonly Source[]): Promise<readonly Source[]> {
  const fit = await Promise.all(
    sources.map(async (source) => (await isUsable(source)) && [source]),
  );
  return fit.flatMap((one) => one || []);
}

async function isUsable({ root, url }: Source): Promise<boolean> {
  const clone = cloneAt(root);
  if (url === undefined || !isCloneUnfinished(clone)) return true;
  const release = takeExclusiveLock(clone.lock, 0);
  // Another process is fetching the clone and will index it.
  if (release === undefined) return false;
  try {
    return await repairClone(clone);
  } catch {
    // `svc index` with its URL reports the reason.
    return false;
  } finally {
    release();
  }
}
