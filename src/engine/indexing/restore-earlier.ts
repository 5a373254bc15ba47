// Restores contents that the index already knows. After a branch switch, most changed files have the content from
// before the last switch; after a pull, they have the content in the index that was fetched from a server. Reads these
// files but does not parse them.

import type { EarlierContents, RestoredFile } from "../../index/earlier-contents.ts";
import { ContentHasher } from "./content-hashes.ts";
import type { FoundFile } from "./source-scan.ts";

/** With fewer changed files, what they replace is not kept: that is what someone edits. */
const MIN_SWITCHED_FILES = 16;
const FILES_PER_YIELD = 64;

interface RestoreOptions {
  /** Undefined for an index that keeps no earlier contents. */
  readonly earlier: EarlierContents | undefined;
  /** Number of removed files minus number of new files. */
  readonly gone: number;
}

/**
 * Restores the changed files whose content the index had before, and returns the others. If many have changed, the index
 * keeps what they replace.
 */
export async function restoreEarlier(
  changed: readonly FoundFile[],
  { earlier, gone }: RestoreOptions,
  onRestored: (file: FoundFile, restored: RestoredFile) => void,
): Promise<readonly FoundFile[]> {
  if (earlier === undefined) return changed;
  if (Math.max(changed.length, gone) >= MIN_SWITCHED_FILES) {
    earlier.keepReplaced();
    earlier.useFetched();
  }
  const hasher = new ContentHasher();
  const others: FoundFile[] = [];
  for (const [at, file] of changed.entries()) {
    const restored = restorable(file, earlier, hasher);
    if (restored === undefined) others.push(file);
    else {
      earlier.restore(restored);
      onRestored(file, restored);
    }
    // oxlint-disable-next-line no-await-in-loop -- so that the run can be cancelled
    if (at % FILES_PER_YIELD === 0) await new Promise(setImmediate);
  }
  return others;
}

/** Undefined if the file has no content that it had before. */
function restorable(
  { source, path, record }: FoundFile,
  earlier: EarlierContents,
  hasher: ContentHasher,
): RestoredFile | undefined {
  const { sizeBytes: size, mtimeMs, inode } = record;
  const hashes = earlier.hashesOf(path, size);
  if (hashes.length === 0) return undefined;
  const indexedMs = Date.now();
  const hash = hasher.hashOf(source, record.path, size);
  if (hash === undefined || !hashes.includes(hash)) return undefined;
  return { path, source: source.id, hash, mtimeMs, inode, indexedMs };
}
