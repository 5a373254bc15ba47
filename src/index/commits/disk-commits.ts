import { join } from "node:path";

import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { createPrivateDirectory } from "../../base/files.ts";
import { indexLayout } from "../embedded/layout.ts";
import { diskStorage } from "../embedded/storage/storage-disk.ts";
import type { OpenCommitStorage } from "./port.ts";

/** Keeps the words of commits in files, in the folder of the index of their namespace. */
export function diskCommits(dataDirectory: string): OpenCommitStorage {
  return (namespace, source) => {
    const folder = indexLayout(dataDirectory, namespace).commits;
    createPrivateDirectory(folder);
    return {
      storage: diskStorage(join(folder, source)),
      lock: () => takeExclusiveLock(join(folder, `${source}.lock`), 0),
    };
  };
}
