import type { Catalog } from "./catalog/catalog.ts";

/** Where the content of a file is. */
export interface ContentPlace {
  /** Id of its segment. */
  readonly segment: number;
  /** Index in that segment. */
  readonly ordinal: number;
}

interface MarkedPlaces {
  readonly dead: readonly ContentPlace[];
  /** Contents that become live. They win over `dead`. */
  readonly live: readonly ContentPlace[];
}

/** Marks contents as deleted and others as live, and drops segments that nobody needs. Within a transaction. */
export function markPlaces(catalog: Catalog, { dead, live }: MarkedPlaces): void {
  if (dead.length === 0 && live.length === 0) return;
  const deadIn = Map.groupBy(dead, ({ segment }) => segment);
  const liveIn = Map.groupBy(live, ({ segment }) => segment);
  const earlier = catalog.earlier.segments();
  for (const segment of catalog.segments.all()) {
    const { id, name } = segment;
    if (!deadIn.has(id) && !liveIn.has(id)) continue;
    const tombstones = segment.tombstones.slice();
    for (const { ordinal } of deadIn.get(id) ?? []) tombstones[ordinal] = 1;
    for (const { ordinal } of liveIn.get(id) ?? []) tombstones[ordinal] = 0;
    if (tombstones.includes(0) || earlier.has(name)) catalog.segments.setTombstones(id, tombstones);
    else catalog.segments.remove(id);
  }
}
