// Masks the secrets in the texts of files, unless the owner asked to see them. All code that shows text of a file reads
// it through this.

import { MIN_STABLE_AGE_MS } from "../../base/files.ts";
import { maskSecrets, SECRET_RULES } from "../../base/mask-secrets.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { KnownFile, SourceText } from "../../sources/text/source-text.ts";

/** The lower bits are those of `FileFlag`. */
const RULES_SHIFT = 4;
/** Bits of `flags`: by the rules of this number, no secret was found in the file. */
export const SECRET_FREE = SECRET_RULES << RULES_SHIFT;

/** Stamps of files in which no secret was found. */
const secretFreeFiles = new Set<string>();
const MAX_SECRET_FREE_FILES = 20_000;

/** Returns what the index knows of a file. */
export type RowOf = (path: string) => Promise<KnownFile | undefined>;

/**
 * Returns a reader of the same texts with their secrets masked. With `rowOf`, the secrets of a file are not searched for
 * again if it is as it was indexed.
 */
export function maskedTexts(texts: TextReader, rowOf?: RowOf): TextReader {
  return {
    ...texts,
    read: async (path, known) => {
      const result = await texts.read(path, known);
      if ("problem" in result || isShownAsItIs(result)) return result;
      // Without its row the file is searched for secrets, which is safe.
      const row = known ?? (await rowOf?.(path).catch(() => undefined));
      if (row === undefined || !hadNoSecret(result, row)) return masked(result);
      remember(result);
      return result;
    },
    prefetch: async (paths) => {
      const readNow = await texts.prefetch(paths);
      return (path) => {
        const result = readNow(path);
        return "problem" in result || isShownAsItIs(result) ? result : masked(result);
      };
    },
  };
}

function isShownAsItIs({ showsSecrets, stamp }: SourceText): boolean {
  return showsSecrets || secretFreeFiles.has(stamp);
}

function hadNoSecret(text: SourceText, row: KnownFile): boolean {
  return row.flags >>> RULES_SHIFT === SECRET_RULES && text.isContentOf(row);
}

/** Masks the whole text: a line inside a key is recognized by the first line of that key. */
function masked(file: SourceText): SourceText {
  const shown = maskSecrets(file.text);
  if (shown === file.text) remember(file);
  return file.withText(shown);
}

/** Remembers that a file has no secret. */
function remember({ stamp, ctimeMs }: SourceText): void {
  if (Date.now() - ctimeMs <= MIN_STABLE_AGE_MS) return;
  if (secretFreeFiles.size >= MAX_SECRET_FREE_FILES) secretFreeFiles.clear();
  secretFreeFiles.add(stamp);
}
