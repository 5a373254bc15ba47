import { memoryStorage } from "../embedded/storage/storage-memory.ts";
import type { CommitStorage, OpenCommitStorage } from "./port.ts";

/** Keeps the words of commits in memory, where a backend has no files of its own. Each process reads them again. */
export function memoryCommits(): OpenCommitStorage {
  const opened = new Map<string, CommitStorage>();
  const open = (namespace: string, source: string): CommitStorage => {
    const key = `${namespace}/${source}`;
    let commits = opened.get(key);
    if (commits === undefined) {
      let isHeld = false;
      const lock = (): (() => void) | undefined => {
        if (isHeld) return undefined;
        isHeld = true;
        return () => (isHeld = false);
      };
      commits = { storage: memoryStorage(), lock };
      opened.set(key, commits);
    }
    return commits;
  };
  return Object.assign(open, { has: () => opened.size > 0 });
}
