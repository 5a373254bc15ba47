import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { NAMESPACE } from "../../contract/index/tested-index.ts";

/** Returns all rows of all tables of the catalogue in a folder of copies; undefined if there is none. */
export function rowsOf(cacheDirectory: string): unknown {
  const { catalog } = indexLayout(cacheDirectory, NAMESPACE);
  if (!existsSync(catalog)) return undefined;
  const db = new DatabaseSync(catalog, { readOnly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => String(name));
    return tables.map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()]);
  } finally {
    db.close();
  }
}
