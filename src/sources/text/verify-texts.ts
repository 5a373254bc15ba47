import { createHash } from "node:crypto";

import { zstdDecompress } from "../../base/compression.ts";
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
      if (hashOf(body) === hash) intact += 1;
      else damaged += 1;
    }
  }
  return { intact, damaged, missing: wanted.length - intact - damaged };
}

/** Undefined for bytes that cannot be decompressed. */
function hashOf(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    const content = zstdDecompress(body);
    return createHash("sha256").update(content).digest("hex").slice(0, HASH_LENGTH);
  } catch {
    return undefined;
  }
}
