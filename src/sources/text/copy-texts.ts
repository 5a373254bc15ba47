import type { Database } from "../../postgres/database.ts";

/** Texts of one statement. */
const BATCH = 200;

/** Copies the texts of a namespace from one database to another; those that are there already stay. */
export async function copyTexts(from: Database, to: Database, namespace: string): Promise<void> {
  for (let last = ""; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one batch in memory at a time
    const rows = await from.query(
      "SELECT hash, body FROM file_content WHERE namespace = $1 AND hash > $2 ORDER BY hash LIMIT $3",
      [namespace, last, BATCH],
    );
    for (const { hash, body } of rows) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await to.query(
        "INSERT INTO file_content (namespace, hash, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [namespace, String(hash), Buffer.isBuffer(body) ? body : Buffer.alloc(0)],
      );
    }
    if (rows.length < BATCH) return;
    last = String(rows.at(-1)?.["hash"]);
  }
}
