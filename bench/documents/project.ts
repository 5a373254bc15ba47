// A project of code and documents: the sources of webpack, and the documents in its folder docs.
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { realProject } from "../../test/helpers/real-project.ts";
import type { ManifestEntry } from "./manifest.ts";

export const DOCS = "docs/manuals";

/** Creates the project in a folder and returns its root. */
export function mixedProject(
  parent: string,
  documents: string,
  manifest: readonly ManifestEntry[],
): string {
  const root = codeProject(parent);
  for (const { file } of manifest) {
    const target = join(root, DOCS, file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(documents, file), target);
  }
  return root;
}

/** Creates the same project without documents. */
export function codeProject(parent: string): string {
  mkdirSync(parent, { recursive: true });
  return realProject(parent);
}
