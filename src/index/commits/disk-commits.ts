import { existsSync } from "node:fs";
import { join } from "node:path";

import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { createPrivateDirectory } from "../../base/files.ts";
import { indexLayout } from "../embedded/layout.ts";
import { diskStorage } from "../embedded/storage/storage-disk.ts";
import type { CommitStorage, OpenCommitStorage } from "./port.ts";

/** Keeps the words of commits in files, in the folder of the index of their namespace. */
export function diskCommits(dataDirectory: string): OpenCommitStorage {
  const folderOf = (namespace: string): string => indexLayout(dataDirectory, namespace).commits;
  const open = (namespace: string, source: string): CommitStorage => {
    const folder = folderOf(namespace);
    createPrivateDirectory(folder);
    return {
      storage: diskStorage(join(folder, source)),
      lock: () => takeExclusiveLock(join(folder, `${source}.lock`), 0),
    };
  };
  return Object.assign(open, { has: (namespace: string) => existsSync(folderOf(namespace)) });
}
