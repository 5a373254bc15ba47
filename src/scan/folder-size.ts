import { MAX_INDEXED_BYTES } from "./read-text-file.ts";
import type { ProjectFilter } from "./walk-filters.ts";
import { walk } from "./walk.ts";

/** Number and size of the files of a folder that would be indexed. */
export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Counts the files of a folder as an index of it would, without reading them. `project`: its own settings. Throws
 * PATH_NOT_FOUND.
 */
export function folderSize(root: string, project?: ProjectFilter): FolderSize {
  const { files } = walk(root, { maxFileBytes: MAX_INDEXED_BYTES, project });
  return { files: files.length, bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}
