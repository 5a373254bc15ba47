import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { toFilePath } from "../../src/base/path-bytes.ts";

/** Adds files whose names may be any bytes; paths and texts are encoded as in src/base/path-bytes.ts. */
export function plantPaths(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(directory, path);
    mkdirSync(toFilePath(dirname(target)), { recursive: true });
    writeFileSync(toFilePath(target), content);
  }
}
