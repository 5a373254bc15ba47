import { userInfo } from "node:os";

import { PostgresIndex } from "../index/postgres/backend.ts";
import { Database } from "../postgres/database.ts";
import { parseDatabaseUrl } from "../postgres/database-url.ts";
import { PostgresRegistry } from "../sources/registry/postgres/postgres-registry.ts";
import { Registry } from "../sources/registry/registry.ts";
import { PostgresTexts } from "../sources/text/postgres-texts.ts";
import type { Backend, PostgresDescription } from "./backend.ts";
import { postgresLeases } from "./leases/postgres-leases.ts";
import { postgresUpdates } from "./updates/postgres-updates.ts";

/** Nodes see changes of each other after this time at the latest. */
const MAX_AGE_MS = 1000;

/**
 * Opens a backend in PostgreSQL. Connects with the first call. `maxAgeMs`: how long a state counts as the newest without
 * a look at the database. Throws USAGE.
 */
export function openPostgresBackend(
  description: PostgresDescription,
  { maxAgeMs = MAX_AGE_MS }: { readonly maxAgeMs?: number } = {},
): Backend {
  const { url, cacheDirectory, dataDirectory, maxCacheBytes } = description;
  const database = new Database(parseDatabaseUrl(url), userInfo().username);
  const index = new PostgresIndex({ database, cacheDirectory, maxCacheBytes, maxAgeMs });
  let registry: Registry | undefined;
  return {
    description,
    index,
    texts: new PostgresTexts(database, (namespace, path) => index.fileOf(namespace, path)),
    leases: postgresLeases(database),
    updates: postgresUpdates(database),
    registry: async () => {
      registry ??= new Registry(new PostgresRegistry(database, { maxAgeMs, dataDirectory }));
      return registry;
    },
    close: () => {
      index.close();
      registry?.close();
      registry = undefined;
      // Statements that are running end first.
      void database.close().catch(() => undefined);
    },
  };
}
