// Which text of a file may be shown: that without its secrets, unless the owner asked for all of it.

import type { Stats } from "node:fs";

import { maskSecrets } from "../../base/mask-secrets.ts";
import type { Source } from "../../sources/registry.ts";

/** Files that were found to hold no secret, by what changes with their content. */
const secretFreeFiles = new Set<string>();
const MAX_SECRET_FREE_FILES = 20_000;
/** A file may change again at the very time that it bears. */
const MIN_STABLE_AGE_MS = 2000;

type FileIdentity = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs">;

/** `text` is the whole text of the file: a line of a key is known by the first line of that key. */
export function maskedText(source: Source, stat: FileIdentity, text: string): string {
  if (source.showsSecrets === true) return text;
  const { dev, ino, size, mtimeMs, ctimeMs } = stat;
  // The time of change is set by the system alone.
  const content = `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  if (secretFreeFiles.has(content)) return text;
  const shown = maskSecrets(text);
  if (shown === text && Date.now() - ctimeMs > MIN_STABLE_AGE_MS) {
    if (secretFreeFiles.size >= MAX_SECRET_FREE_FILES) secretFreeFiles.clear();
    secretFreeFiles.add(content);
  }
  return shown;
}
