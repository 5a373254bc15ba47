// Interface for giving a file its earlier content back without parsing it again, after a branch switch.

import type { FileState } from "./types.ts";

/** A file whose content is again what it was, with the times that show later changes. */
export type RestoredFile = Pick<
  FileState,
  "path" | "source" | "hash" | "mtimeMs" | "inode" | "indexedMs"
>;

/** Contents that files had before, as far as the index still has them, and have on another machine. */
export interface EarlierContents {
  /** Returns the hashes of the earlier contents of a file that have this size in bytes. */
  readonly hashesOf: (path: string, size: number) => readonly string[];
  /** Gives a file such a content. No monitor sees it. */
  readonly restore: (file: RestoredFile) => void;
  /** From now on, finds also those of the index that was fetched from another machine. */
  readonly useFetched: () => void;
  /** Keeps the contents that this writer replaces from now on, up to a share of the index. */
  readonly keepReplaced: () => void;
}
