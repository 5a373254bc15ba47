import type { IndexBackend } from "../port.ts";
import { openShards } from "./open-shards.ts";
import type { ShardableBackend, Shards } from "./port.ts";
import { growingShards, type ShardCount } from "./shard-count.ts";

interface ShardedBackendOptions {
  /** How many shards an index has; by default as many as it needs to have at most 2.5 million chunks in each. */
  readonly shards?: ShardCount;
  /** Opens the shards, which may be on other machines; those of the backend by default. */
  readonly source?: Shards;
}

/**
 * Divides the indexes of a backend into shards, and answers from all of them. A catalogue lists the segments of all
 * shards, so one commit changes them together, and the rest of an index is as without shards.
 */
export function shardedBackend(
  backend: ShardableBackend,
  { shards = growingShards(), source = backend }: ShardedBackendOptions = {},
): IndexBackend {
  return {
    reader: async (namespace, options = {}) =>
      (await source.shardCount(namespace)) === 1
        ? backend.reader(namespace, options)
        : openShards(source, namespace, options),
    writer: (namespace, options) => backend.writer(namespace, { shards, ...options }),
    changeLog: (namespace) => backend.changeLog(namespace),
    watch: (namespace, listener) => backend.watch(namespace, listener),
    isFirstBuildPending: (namespace) => backend.isFirstBuildPending(namespace),
    health: (namespace) => backend.health(namespace),
    isOutdated: (namespace) => backend.isOutdated(namespace),
    reportDamage: (namespace, detail) => backend.reportDamage(namespace, detail),
    clearDamage: (namespace) => backend.clearDamage(namespace),
    verify: (namespace) => backend.verify(namespace),
    detach: (namespace) => backend.detach(namespace),
    remove: (namespace) => backend.remove(namespace),
    ...(backend.exports === undefined ? {} : { exports: backend.exports }),
    ...(backend.revisions === undefined ? {} : { revisions: backend.revisions }),
    sweep: () => backend.sweep(),
    close: () => backend.close(),
  };
}
