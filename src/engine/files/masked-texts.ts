// Masks the secrets in the texts of files, unless the owner asked to see them. All code that shows text of a file reads
// it through this.

import { maskSecrets } from "../../base/mask-secrets.ts";
import type { TextReader, TextResult } from "../../sources/text/port.ts";
import type { SourceText } from "../../sources/text/source-text.ts";

/** Stamps of files in which no secret was found. */
const secretFreeFiles = new Set<string>();
const MAX_SECRET_FREE_FILES = 20_000;
/** A younger file may change again without a new stamp. */
const MIN_STABLE_AGE_MS = 2000;

/** Returns a reader of the same texts with their secrets masked. */
export function maskedTexts(texts: TextReader): TextReader {
  return {
    ...texts,
    read: async (path, known) => masked(await texts.read(path, known)),
    readNow: (path) => masked(texts.readNow(path)),
  };
}

function masked(result: TextResult): TextResult {
  return "problem" in result ? result : result.withText(maskedText(result));
}

/** Masks the whole text: a line inside a key is recognized by the first line of that key. */
function maskedText({ text, stamp, ctimeMs, showsSecrets }: SourceText): string {
  if (showsSecrets || secretFreeFiles.has(stamp)) return text;
  const shown = maskSecrets(text);
  if (shown === text && Date.now() - ctimeMs > MIN_STABLE_AGE_MS) {
    if (secretFreeFiles.size >= MAX_SECRET_FREE_FILES) secretFreeFiles.clear();
    secretFreeFiles.add(stamp);
  }
  return shown;
}
