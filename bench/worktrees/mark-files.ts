import { appendFileSync } from "node:fs";
import { join } from "node:path";

/** Appends a unique line to each of these files. */
export function markFiles(folder: string, paths: readonly string[], mark: string): void {
  for (const [at, path] of paths.entries()) {
    const comment = /\.(?:py|sh|ya?ml|toml|rb)$/.test(path) ? "#" : "//";
    appendFileSync(join(folder, path), `\n${comment} ${mark}_${at} walks through ${mark}${at}x\n`);
  }
}
