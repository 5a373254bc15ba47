// Where svc keeps everything that more than one process uses: each part behind a port of its own. app.ts chooses the
// implementation; the rest of svc knows only this.

import type { IndexLayout } from "../index/embedded/layout.ts";
import type { OpenCommitStorage } from "../index/commits/port.ts";
import type { IndexBackend } from "../index/port.ts";
import type { Registry } from "../sources/registry/registry.ts";
import type { TextStore } from "../sources/text/port.ts";
import type { Leases } from "./leases/port.ts";
import type { SearchNodes } from "./nodes/port.ts";
import type { UpdateQueue } from "./updates/port.ts";

/** Where an embedded backend is. Another thread can open it too: the description can be sent as a message. */
export interface EmbeddedDescription {
  readonly kind: "embedded";
  /** The folder of the indexes and the registry. */
  readonly dataDirectory: string;
}

/** Where a backend in PostgreSQL is. Another thread can open it too. */
export interface PostgresDescription {
  readonly kind: "postgres";
  /** As `parseDatabaseUrl` takes it. */
  readonly url: string;
  /** The folder of this machine's copies of the indexes. */
  readonly cacheDirectory: string;
  /** The folder of this machine's clones. */
  readonly dataDirectory: string;
  /** Size of the copies in bytes; unlimited by default. */
  readonly maxCacheBytes?: number | undefined;
  /** An index with more chunks in a shard is divided. */
  readonly shardChunks?: number | undefined;
  /** The address under which other nodes reach this one; without it, this process searches alone. */
  readonly nodeAddress?: string | undefined;
}

/** Where a backend is that each process and thread can open. */
export type StoredDescription = EmbeddedDescription | PostgresDescription;

/** Where a backend is. No other thread can open one in memory. */
export type BackendDescription = StoredDescription | { readonly kind: "memory" };

export interface Backend {
  readonly description: BackendDescription;
  readonly index: IndexBackend;
  /**
   * Makes the files of a folder, which this moves, the index of a namespace that has none. Undefined where the index is
   * such files.
   */
  readonly adoptIndex?: ((namespace: string, from: IndexLayout) => Promise<void>) | undefined;
  /** The words of the commits of sources. Where nothing else is in files, they are in the memory of each process. */
  readonly commits: OpenCommitStorage;
  /** The current texts of files. */
  readonly texts: TextStore;
  readonly leases: Leases;
  /** Updates that any node may do; undefined if each process does its own. */
  readonly updates?: UpdateQueue | undefined;
  /** Nodes that search for each other; undefined if this process searches alone. */
  readonly nodes?: SearchNodes | undefined;
  /** Opens the registry with the first call, and creates it if needed. Throws INDEX_CORRUPT and INDEX_UNAVAILABLE. */
  readonly registry: () => Promise<Registry>;
  readonly close: () => void;
}
