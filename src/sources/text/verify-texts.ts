import { createHash } from "node:crypto";

import { zstdDecompress } from "../../base/compression.ts";
import { isStoredDocument } from "../../base/documents/encode-document.ts";
import type { Database } from "../../postgres/database.ts";

/** The texts of a namespace in the database. */
export interface VerifiedTexts {
  /** Number of texts that are as they were stored. */
  readonly intact: number;
  /** Number of files whose text the database does not have. */
  readonly missing: number;
  /** Number of texts with another content than their hash says. */
  readonly damaged: number;
}

/** Texts of one statement. */
const BATCH = 200;
/** Hexadecimal digits of 128 bits. */
const HASH_LENGTH = 32;

/** Reads the text of every file of an index, given their hashes. Throws BACKEND_UNAVAILABLE. */
export async function verifyTexts(
  database: Database,
  namespace: string,
  hashes: ReadonlySet<string>,
): Promise<VerifiedTexts> {
  const wanted = [...hashes];
  let intact = 0;
  let damaged = 0;
  for (let from = 0; from < wanted.length; from += BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- one batch in memory at a time
    const rows = await database.query(
      "SELECT hash, body FROM file_content WHERE namespace = $1 AND hash = ANY ($2)",
      [namespace, wanted.slice(from, from + BATCH)],
    );
    for (const { hash, body } of rows) {
      if (isIntact(body, String(hash))) intact += 1;
      else damaged += 1;
    }
  }
  return { intact, damaged, missing: wanted.length - intact - damaged };
}

/** Whether a body is the content with a hash, or the text of a document, which has its own sum. */
function isIntact(body: unknown, hash: string): boolean {
  if (!Buffer.isBuffer(body)) return false;
  try {
    const content = zstdDecompress(body);
    const sum = createHash("sha256").update(content).digest("hex").slice(0, HASH_LENGTH);
    return sum === hash || isStoredDocument(content);
  } catch {
    return false;
  }
}
