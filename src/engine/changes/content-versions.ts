// Parses contents of files for comparison, and caches the results while the same contents are compared.

import { chunkFile } from "../../chunk/chunk.ts";
import { shortHash } from "../../base/short-hash.ts";
import { BoundedCache } from "../../graph/bounded-cache.ts";
import { NO_FINGERPRINTS } from "../../index/change-log/fingerprint-block.ts";
import type { ContentVersion } from "../../index/change-log/change-detail.ts";
import { fingerprintsOf } from "../../parse/fingerprints.ts";
import { languageOf } from "../../scan/classify.ts";
import { MAX_INDEXED_BYTES } from "../../scan/read-text-file.ts";
import { packedGrammars } from "../packed-grammars.ts";

/** Both versions of each file of one answer, and those of a few other answers. */
const MAX_VERSIONS = 400;

const NOT_READ: ContentVersion = { hash: "", fingerprints: NO_FINGERPRINTS };

const versions = new BoundedCache<ContentVersion>(MAX_VERSIONS);

/**
 * Returns the fingerprints of the definitions in a text. A file that is not read, or not as text, has the hash "", as in
 * the index. A client that repeats its question, as after each of its edits, has most files parsed already.
 */
export async function contentVersion(
  path: string,
  text: string | undefined,
): Promise<ContentVersion> {
  if (text === undefined || text.length > MAX_INDEXED_BYTES || text.includes("\0")) return NOT_READ;
  const language = languageOf(path, text.slice(0, 200));
  const hash = shortHash(text);
  // The name decides about the language, and tests have rules of their own.
  const key = `${path}\0${hash}`;
  const known = versions.peek(key);
  if (known !== undefined) return known;
  const { symbols } = chunkFile({ path, language, text }, await packedGrammars());
  return versions.get(key, () => ({
    hash,
    fingerprints: fingerprintsOf({ text, language, symbols }),
  }));
}
