// Masks the secrets in the text of a file, unless the owner asked to see them.

import type { Stats } from "node:fs";

import { maskSecrets } from "../../base/mask-secrets.ts";
import type { Source } from "../../sources/registry.ts";

/** Identities of files in which no secret was found. */
const secretFreeFiles = new Set<string>();
const MAX_SECRET_FREE_FILES = 20_000;
/** A younger file may change again without a new time stamp. */
const MIN_STABLE_AGE_MS = 2000;

type FileIdentity = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs">;

/** `text` is the whole text of the file: a line inside a key is recognized by the first line of that key. */
export function maskedText(source: Source, stat: FileIdentity, text: string): string {
  if (source.showsSecrets === true) return text;
  const { dev, ino, size, mtimeMs, ctimeMs } = stat;
  // Only the system can set the ctime.
  const content = `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  if (secretFreeFiles.has(content)) return text;
  const shown = maskSecrets(text);
  if (shown === text && Date.now() - ctimeMs > MIN_STABLE_AGE_MS) {
    if (secretFreeFiles.size >= MAX_SECRET_FREE_FILES) secretFreeFiles.clear();
    secretFreeFiles.add(content);
  }
  return shown;
}
