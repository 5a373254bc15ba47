import type { IndexBackend } from "../port.ts";
import { requireVersion } from "../required-version.ts";
import type { ShardableBackend, Shards } from "../shards/port.ts";
import { memoryChangeLogReader } from "./change-log.ts";
import { MemoryIndexes } from "./indexes.ts";
import { MemoryReader } from "./reader.ts";
import { MemoryWriter } from "./writer.ts";

/**
 * Indexes in memory, without any file: simple rather than fast, for tests. They are lost with `indexes`, which other
 * backends of the same thread can share.
 */
export class MemoryBackend implements ShardableBackend {
  readonly #indexes: MemoryIndexes;
  /** Namespaces that were read since they were detached. */
  readonly #opened = new Set<string>();

  constructor(indexes = new MemoryIndexes()) {
    this.#indexes = indexes;
  }

  readonly reader: IndexBackend["reader"] = async (namespace, options = {}) => {
    const index = this.#indexes.of(namespace);
    if (index.state === undefined) return undefined;
    this.#opened.add(namespace);
    const reader = new MemoryReader(index, index.state, options);
    requireVersion(reader.version, options.atLeast);
    return reader;
  };

  readonly shardCount: Shards["shardCount"] = async (namespace) =>
    this.#indexes.of(namespace).state?.shards;

  readonly shard: Shards["shard"] = async (namespace, number, options = {}) => {
    const index = this.#indexes.of(namespace);
    if (index.state === undefined || number >= index.state.shards) return undefined;
    this.#opened.add(namespace);
    const reader = new MemoryReader(index, index.state, { ...options, shard: number });
    requireVersion(reader.version, options.atLeast);
    return reader;
  };

  readonly changeLog: IndexBackend["changeLog"] = async (namespace) => {
    const index = this.#indexes.of(namespace);
    return index.state && memoryChangeLogReader(() => index.requireState().changeLog);
  };

  readonly writer: IndexBackend["writer"] = async (
    namespace,
    { waitMs, embeddings, quarantine, beforeCommit, shards },
  ) => {
    const index = this.#indexes.of(namespace);
    const release = await index.lock.take(waitMs);
    if (release === undefined) return undefined;
    try {
      // Memory is neither damaged nor from a newer svc.
      index.create(quarantine === "all");
      return await MemoryWriter.open({ index, release, embeddings, beforeCommit, shards });
    } catch (thrown) {
      release();
      throw thrown;
    }
  };

  readonly watch: IndexBackend["watch"] = (namespace, listener) =>
    this.#indexes.of(namespace).watch(listener);

  readonly isFirstBuildPending: IndexBackend["isFirstBuildPending"] = async (namespace) => {
    const { state } = this.#indexes.of(namespace);
    if (state === undefined || state.contents.files === 0) return true;
    return [...state.states.values()].some(({ stage }) => stage === "listed");
  };

  readonly health: IndexBackend["health"] = async (namespace) => {
    const { lock, damage } = this.#indexes.of(namespace);
    return { isBeingWritten: lock.isHeld, damage };
  };

  readonly isOutdated: IndexBackend["isOutdated"] = async () => false;

  readonly reportDamage: IndexBackend["reportDamage"] = async (namespace, detail) => {
    this.#indexes.of(namespace).damage = detail;
  };

  readonly clearDamage: IndexBackend["clearDamage"] = async (namespace) => {
    this.#indexes.of(namespace).damage = undefined;
  };

  readonly verify: IndexBackend["verify"] = async (namespace) =>
    this.#indexes.of(namespace).state && [];

  readonly detach: IndexBackend["detach"] = (namespace) => {
    const wasOpen = this.#opened.delete(namespace);
    // Readers keep what they read, so there is nothing to close.
    return wasOpen ? () => undefined : undefined;
  };

  readonly remove: IndexBackend["remove"] = async (namespace) => this.#indexes.remove(namespace);

  readonly sweep: IndexBackend["sweep"] = async () => undefined;

  readonly close = (): void => this.#opened.clear();
}
