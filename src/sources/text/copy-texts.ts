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
    const values = rows.map((_, at) => `($1, $${2 * at + 2}, $${2 * at + 3}::bytea)`);
    if (rows.length > 0) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await to.query(
        `INSERT INTO file_content (namespace, hash, body) VALUES ${values.join(", ")} ON CONFLICT DO NOTHING`,
        [namespace, ...rows.flatMap(({ hash, body }) => [String(hash), bytesOf(body)])],
      );
    }
    if (rows.length < BATCH) return;
    last = String(rows.at(-1)?.["hash"]);
  }
}

/** Returns the hashes of all contents of a namespace. */
export async function storedTexts(
  database: Database,
  namespace: string,
): Promise<ReadonlySet<string>> {
  const rows = await database.query("SELECT hash FROM file_content WHERE namespace = $1", [
    namespace,
  ]);
  return new Set(rows.map(({ hash }) => String(hash)));
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  throw new Error("the column has bytes");
}
