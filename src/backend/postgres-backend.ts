import { userInfo } from "node:os";

import type { Logger } from "../base/log.ts";
import { memoryCommits } from "../index/commits/memory-commits.ts";
import { PostgresIndex } from "../index/postgres/backend.ts";
import { shardedBackend } from "../index/shards/backend.ts";
import { growingShards } from "../index/shards/shard-count.ts";
import { Database } from "../postgres/database.ts";
import { parseDatabaseUrl } from "../postgres/database-url.ts";
import { PostgresRegistry } from "../sources/registry/postgres/postgres-registry.ts";
import { Registry } from "../sources/registry/registry.ts";
import { PostgresTexts } from "../sources/text/postgres-texts.ts";
import type { Backend, PostgresDescription } from "./backend.ts";
import { postgresLeases } from "./leases/postgres-leases.ts";
import { NodeDirectory } from "./nodes/node-directory.ts";
import { NodeShards } from "./nodes/node-shards.ts";
import { TeamNodes } from "./nodes/team-nodes.ts";
import { postgresUpdates } from "./updates/postgres-updates.ts";

/** For processes that have no log. */
const SILENT: Pick<Logger, "warn"> = { warn: () => undefined };

/** Nodes see changes of each other after this time at the latest. */
const MAX_AGE_MS = 1000;

interface PostgresOptions {
  /** How long a state counts as the newest without a look at the database, in milliseconds. */
  readonly maxAgeMs?: number;
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** Opens a backend in PostgreSQL. Connects with the first call. Throws USAGE. */
export function openPostgresBackend(
  description: PostgresDescription,
  { maxAgeMs = MAX_AGE_MS, logger = SILENT }: PostgresOptions = {},
): Backend {
  const { url, cacheDirectory, dataDirectory, maxCacheBytes, shardChunks, nodeAddress } =
    description;
  const database = new Database(parseDatabaseUrl(url), userInfo().username);
  const index = new PostgresIndex({ database, cacheDirectory, maxCacheBytes, maxAgeMs });
  const nodes =
    nodeAddress === undefined
      ? undefined
      : new TeamNodes({
          address: nodeAddress,
          directory: new NodeDirectory(database),
          shards: index,
          logger,
        });
  let registry: Registry | undefined;
  return {
    description,
    index: shardedBackend(index, {
      shards: growingShards(shardChunks),
      source: nodes === undefined ? index : new NodeShards(index, { nodes, logger }),
    }),
    commits: memoryCommits(),
    adoptIndex: (namespace, from) => index.adopt(namespace, from),
    texts: new PostgresTexts(database, (namespace, path) => index.fileOf(namespace, path)),
    leases: postgresLeases(database),
    updates: postgresUpdates(database),
    nodes,
    registry: async () => {
      registry ??= new Registry(new PostgresRegistry(database, { maxAgeMs, dataDirectory }));
      return registry;
    },
    close: () => {
      index.close();
      const leaving = nodes?.close();
      registry?.close();
      registry = undefined;
      // Statements that are running end first.
      void Promise.resolve(leaving)
        .then(() => database.close())
        .catch(() => undefined);
    },
  };
}
