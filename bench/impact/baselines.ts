// The baselines: files of the same folder, and files that often changed together.
import { plainStem } from "../../src/engine/impact/likely-evidence.ts";
import type { GitHistory } from "../../src/sources/git-history.ts";

/** A folder of the tree, and the time of the last change of each file. */
export interface FolderListing {
  readonly filesIn: (folder: string) => readonly string[];
  /** Seconds since 1970; 0 if unknown. */
  readonly changedAt: (path: string) => number;
}

/**
 * The files of the same folder, then those of the parent folder: first those with the file's name without test markers,
 * then the most recently changed ones.
 */
export function sameFolder(path: string, { filesIn, changedAt }: FolderListing): readonly string[] {
  const own = folderOf(path);
  const folders = own === "" ? [own] : [own, folderOf(own)];
  const stem = plainStem(path);
  const isOther = (one: string): number => (plainStem(one) === stem ? 0 : 1);
  return folders.flatMap((folder) =>
    filesIn(folder)
      .map((name) => (folder === "" ? name : `${folder}/${name}`))
      .filter((one) => one !== path)
      .toSorted(
        (one, other) =>
          isOther(one) - isOther(other) ||
          changedAt(other) - changedAt(one) ||
          (one < other ? -1 : 1),
      ),
  );
}

/** The files that most often changed with it, in the ranking of svc's own history. */
export function changedTogether(path: string, history: GitHistory | undefined): readonly string[] {
  return (history?.changedWith([path]) ?? []).map((change) => change.path);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
