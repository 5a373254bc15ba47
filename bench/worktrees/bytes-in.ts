import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes on disk; a file with several names counts once. */
export function bytesIn(folder: string): number {
  const sizes = new Map<number, number>();
  for (const { parentPath, name } of readdirSync(folder, {
    withFileTypes: true,
    recursive: true,
  })) {
    const { ino, blocks } = lstatSync(join(parentPath, name));
    sizes.set(ino, blocks * 512);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
