import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Tree {
  /** Real absolute path of the directory. */
  readonly path: string;
  readonly dispose: () => void;
}

/** A temporary directory with these files. A path that ends in `/` creates an empty directory. */
export function tree(files: Readonly<Record<string, string | Uint8Array>> = {}): Tree {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
  plant(path, files);
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

/** Adds files to a directory that exists. */
export function plant(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [name, content] of Object.entries(files)) {
    const target = join(directory, name);
    if (name.endsWith("/")) {
      mkdirSync(target, { recursive: true });
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}
