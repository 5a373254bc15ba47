// Keeps the copies of indexes on this machine below a size, by removing the least recently used ones.

import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { indexLayout } from "../embedded/layout.ts";

/** The mark of a copy in use is as old as this at most. */
export const MARK_AGE_MS = 30_000;
/** A copy that was used since then stays: no call runs longer than 30 s, so none that holds it is still running. */
const MIN_UNUSED_MS = 120_000;
/** Its modification time is the last use of the copy. */
const MARK = "used";

interface LocalCopy {
  readonly namespace: string;
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly lastUsedMs: number;
}

/** Notes that a copy is used. All processes of this machine see it. Does nothing if there is no copy. */
export function markUsed(cacheDirectory: string, namespace: string, now = Date.now()): void {
  const mark = join(indexLayout(cacheDirectory, namespace).directory, MARK);
  try {
    const known = statSync(mark, { throwIfNoEntry: false });
    if (known !== undefined && Math.abs(now - known.mtimeMs) < MARK_AGE_MS) return;
    if (known === undefined) writeFileSync(mark, "", { mode: 0o600 });
    utimesSync(mark, new Date(now), new Date(now));
  } catch {
    // The copy was just removed, or the disk is full: it then counts as unused.
  }
}

/** Bytes of all copies. */
export function copiedBytes(cacheDirectory: string): number {
  return copiesIn(cacheDirectory).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Calls `remove` for the least recently used copies until the others have at most `maxBytes`. Copies in use stay, even if
 * they have more. `remove` returns false for a copy that it could not remove.
 */
export async function makeRoom(
  cacheDirectory: string,
  maxBytes: number,
  remove: (namespace: string) => Promise<boolean>,
  now = Date.now(),
): Promise<void> {
  const copies = copiesIn(cacheDirectory);
  let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  const unused = copies
    .filter(({ lastUsedMs }) => now - lastUsedMs >= MIN_UNUSED_MS)
    .toSorted((one, other) => one.lastUsedMs - other.lastUsedMs);
  for (const copy of unused) {
    if (bytes <= maxBytes) return;
    // oxlint-disable-next-line no-await-in-loop -- as few as are needed
    if (await remove(copy.namespace)) bytes -= copy.bytes;
  }
}

function copiesIn(cacheDirectory: string): readonly LocalCopy[] {
  return namesIn(join(cacheDirectory, "namespaces")).flatMap((namespace) => {
    const { directory, catalog } = indexLayout(cacheDirectory, namespace);
    const made = statSync(catalog, { throwIfNoEntry: false });
    if (made === undefined) return [];
    const bytes = bytesBelow(directory);
    const mark = statSync(join(directory, MARK), { throwIfNoEntry: false });
    // A copy that was just made has no mark yet.
    return [{ namespace, bytes, lastUsedMs: mark?.mtimeMs ?? made.mtimeMs }];
  });
}

function namesIn(folder: string, { recursive = false } = {}): readonly string[] {
  try {
    return readdirSync(folder, { encoding: "utf8", recursive });
  } catch {
    return [];
  }
}

/** Bytes of all files below a folder. The indexes of commits share files with that of the work tree: each counts once. */
function bytesBelow(folder: string): number {
  const sizes = new Map<string, number>();
  for (const name of namesIn(folder, { recursive: true })) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false, bigint: true });
    if (found?.isFile() === true) sizes.set(`${found.dev} ${found.ino}`, Number(found.size));
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
