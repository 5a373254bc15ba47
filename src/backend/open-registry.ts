// Opens the registry alone: commands that only list namespaces load nothing of the index.

import { removeMonitorsOf } from "../sources/registry/monitors.ts";
import { Registry } from "../sources/registry/registry.ts";
import { NO_RECORDS } from "../sources/registry/records.ts";
import { RegistryState } from "../sources/registry/registry-state.ts";
import { hasRegistryFile, SqliteRegistry } from "../sources/registry/sqlite/sqlite-registry.ts";
import type { StoredDescription } from "./backend.ts";

/**
 * Returns the state of the registry, empty if there is none, and leaves its files unchanged. Throws INDEX_CORRUPT and
 * BACKEND_UNAVAILABLE.
 */
export async function readRegistryState(description: StoredDescription): Promise<RegistryState> {
  const state = await withRegistry(description, "look", (registry) => registry.state());
  return state ?? new RegistryState(NO_RECORDS);
}

/** Removes the monitors of a revoked credential in every namespace. */
export async function removeMonitorsFrom(
  description: StoredDescription,
  owner: string,
): Promise<void> {
  await withRegistry(description, "change", (registry) => removeMonitorsOf(registry, owner));
}

/** Returns the result of `work`; undefined if there is no registry. */
async function withRegistry<T>(
  description: StoredDescription,
  purpose: "look" | "change",
  work: (registry: Registry) => Promise<T>,
): Promise<T | undefined> {
  if (description.kind === "postgres") {
    const { openPostgresBackend } = await import("./postgres-backend.ts");
    const backend = openPostgresBackend(description);
    try {
      return await work(await backend.registry());
    } finally {
      backend.close();
    }
  }
  const { dataDirectory } = description;
  if (!hasRegistryFile(dataDirectory)) return undefined;
  const registry = new Registry(
    purpose === "look"
      ? new SqliteRegistry(dataDirectory, "look")
      : new SqliteRegistry(dataDirectory),
  );
  try {
    return await work(registry);
  } finally {
    registry.close();
  }
}
