// A well-known project of realistic size: the published sources of webpack.
import { cpSync, statSync } from "node:fs";
import { join } from "node:path";

/** A package of the lock file: package-lock.json fixes its version and content. */
const PACKAGE = join(import.meta.dirname, "../../node_modules/webpack");

/**
 * Puts a copy of the project, 897 files of 14 MB, into the folder `parent` and returns its path. Larger files than
 * `maxBytes` are omitted.
 */
export function realProject(parent: string, maxBytes = Infinity): string {
  const copy = join(parent, "webpack");
  const isWanted = (file: string): boolean => statSync(file).size <= maxBytes;
  cpSync(PACKAGE, copy, { recursive: true, filter: isWanted });
  return copy;
}
