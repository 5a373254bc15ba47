import type { Catalog } from "./catalog/catalog.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * Deletes the segment files that the catalogue does not list: replaced ones, and those that a killed writer never
 * published. Processes that have them open can still read them; none opens them again. Call with the writer's lock held.
 */
export function collectSegments(catalog: Catalog, storage: Storage): void {
  const published = new Set(catalog.segments.all().map(({ name }) => name));
  for (const name of storage.list()) if (!published.has(name)) removeIfPossible(storage, name);
}

/** A file that cannot be removed (open elsewhere, on Windows) stays until a later writer removes it. */
function removeIfPossible(storage: Storage, name: string): void {
  try {
    storage.remove(name);
  } catch {
    // The published index does not need it.
  }
}
