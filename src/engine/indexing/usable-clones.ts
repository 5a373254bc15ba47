import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { repairClone } from "../../sources/clone-checkout.ts";
import { cloneAt, isCloneUnfinished } from "../../sources/clones.ts";
import type { Source } from "../../sources/registry.ts";
import type { IndexJob } from "./indexer.ts";

/**
 * The sources of a run without the clones whose work tree is not that of one commit: what is known of those stays as
 * it is. One that a killed process left so is put back first, which asks no other machine for anything.
 */
export async function withoutBrokenClones({ sources }: IndexJob): Promise<readonly Source[]> {
  const fit = await Promise.all(
    sources.map(async (source) => (await isUsable(source)) && [source]),
  );
  return fit.flatMap((one) => one || []);
}

async function isUsable({ root, url }: Source): Promise<boolean> {
  const clone = cloneAt(root);
  if (url === undefined || !isCloneUnfinished(clone)) return true;
  const release = takeExclusiveLock(clone.lock, 0);
  // Another process is just fetching it, and indexes it then.
  if (release === undefined) return false;
  try {
    return await repairClone(clone);
  } catch {
    // Whoever indexes it by its URL hears why.
    return false;
  } finally {
    release();
  }
}
