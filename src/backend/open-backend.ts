import type { Logger } from "../base/log.ts";
import { diskCommits } from "../index/commits/disk-commits.ts";
import { EmbeddedBackend } from "../index/embedded/backend.ts";
import { indexLayout } from "../index/embedded/layout.ts";
import { Registry } from "../sources/registry/registry.ts";
import { SqliteRegistry } from "../sources/registry/sqlite/sqlite-registry.ts";
import { documentFiles } from "../sources/text/document-store.ts";
import { localTexts } from "../sources/text/local-texts.ts";
import type { Backend, EmbeddedDescription, StoredDescription } from "./backend.ts";
import { fileLeases } from "./leases/file-leases.ts";

/**
 * Opens the backend that a description names. Creates no file, and connects to nothing, before it is used. Loads the code
 * for PostgreSQL only when it is needed. `logger`: for what goes wrong between nodes. Throws USAGE.
 */
export async function openBackend(
  description: StoredDescription,
  logger?: Logger,
): Promise<Backend> {
  if (description.kind === "embedded") return openEmbeddedBackend(description);
  const { openPostgresBackend } = await import("./postgres-backend.ts");
  return openPostgresBackend(description, { logger });
}

/** Opens a backend in files. Creates none before it is used. */
export function openEmbeddedBackend(description: EmbeddedDescription): Backend {
  const { dataDirectory } = description;
  const index = new EmbeddedBackend(dataDirectory);
  let registry: Registry | undefined;
  return {
    description,
    index,
    commits: diskCommits(dataDirectory),
    texts: localTexts(documentFiles((name) => indexLayout(dataDirectory, name).documents)),
    leases: fileLeases(dataDirectory),
    registry: async () => {
      registry ??= new Registry(new SqliteRegistry(dataDirectory));
      return registry;
    },
    close: () => {
      index.close();
      registry?.close();
      registry = undefined;
    },
  };
}
