// Files as a commit has them.

import { repositoryAbove } from "./git.ts";
import { folderIn, resolveName, withGit } from "./run-git.ts";

const TIME_LIMIT_MS = 10_000;

interface BlobLimits {
  readonly signal: AbortSignal;
  /** Larger files are left out. */
  readonly mostBytes: number;
}

/** By path below `root`; what the commit does not have, or git does not give, is missing. Throws TIMEOUT. */
export async function readBlobs(
  root: string,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
  { signal, mostBytes }: BlobLimits,
): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  const repository = repositoryAbove(root);
  if (repository === undefined || paths.length === 0) return blobs;
  const id = await resolveName(repository, `${commit}^{commit}`, signal);
  if (id === undefined) return blobs;
  const below = folderIn(repository, root);
  const limits = { signal, timeoutMs: TIME_LIMIT_MS, limitBytes: mostBytes };
  await withGit(repository, async (git) => {
    for (const path of paths) {
      const name = `${id}:${below === "" ? "" : `${below}/`}${path}`;
      // oxlint-disable-next-line no-await-in-loop -- some milliseconds each
      const { bytes, end } = await git(["cat-file", "blob", name], limits);
      if (end === "whole") blobs.set(path, bytes);
    }
  });
  return blobs;
}
