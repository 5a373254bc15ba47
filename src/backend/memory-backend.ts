import { memoryCommits } from "../index/commits/memory-commits.ts";
import { MemoryBackend as MemoryIndexBackend } from "../index/memory/backend.ts";
import { MemoryIndexes } from "../index/memory/indexes.ts";
import {
  MemoryRegistry,
  sharedRegistry,
  type SharedRegistry,
} from "../sources/registry/memory/memory-registry.ts";
import { Registry } from "../sources/registry/registry.ts";
import { localTexts } from "../sources/text/local-texts.ts";
import type { TextStore } from "../sources/text/port.ts";
import type { Backend } from "./backend.ts";
import { memoryLeases, type SharedLeases } from "./leases/memory-leases.ts";
import { memoryUpdates, sharedUpdates, type SharedUpdates } from "./updates/memory-updates.ts";

/** Where the backends of several engines meet, like the processes of a machine. */
export interface SharedMemory {
  readonly indexes: MemoryIndexes;
  readonly registry: SharedRegistry;
  readonly leases: SharedLeases;
  readonly updates: SharedUpdates;
}

export function sharedMemory(): SharedMemory {
  return {
    indexes: new MemoryIndexes(),
    registry: sharedRegistry(),
    leases: new Map(),
    updates: sharedUpdates(),
  };
}

/** A backend in memory, for tests. The texts are those of real files, unless `texts` has others. */
export function memoryBackend(
  shared: SharedMemory = sharedMemory(),
  texts: TextStore = localTexts(),
): Backend {
  const index = new MemoryIndexBackend(shared.indexes);
  let registry: Registry | undefined;
  return {
    description: { kind: "memory" },
    index,
    commits: memoryCommits(),
    texts,
    leases: memoryLeases(shared.leases),
    updates: memoryUpdates(shared.updates),
    registry: async () => {
      registry ??= new Registry(new MemoryRegistry(shared.registry));
      return registry;
    },
    close: () => {
      index.close();
      registry?.close();
      registry = undefined;
    },
  };
}
