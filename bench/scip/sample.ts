import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Returns up to `count` elements at equal distances, the same ones each time. */
export function sampleOf<Value>(all: readonly Value[], count: number): readonly Value[] {
  if (all.length <= count) return all;
  return Array.from(
    { length: count },
    (_, at) => all[Math.floor((at * all.length) / count)],
  ).filter((one) => one !== undefined);
}

/** The size of all files in a folder, in bytes; 0 if it does not exist. */
export function folderBytes(folder: string): number {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return 0;
  }
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
