import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { SvcError } from "../../base/errors.ts";
import type { IndexReader, ReadOptions } from "../port.ts";
import type { Shards } from "./port.ts";
import { PresentShards, type OpenedShard } from "./present-shards.ts";
import { ShardedReader } from "./reader.ts";

/** How often the shards are opened again because a commit came between two of them. */
const MAX_ATTEMPTS = 10;

/** A shard, or the error that says why it cannot be reached. */
interface Attempt extends OpenedShard {
  readonly problem?: unknown;
}

/**
 * Opens all shards of an index at one version. Those that cannot be reached are left out. Undefined if nothing has been
 * written yet. Throws INDEX_UNAVAILABLE, and BACKEND_UNAVAILABLE if no shard can be reached.
 */
export async function openShards(
  source: Shards,
  namespace: AuthorizedNamespace,
  options: ReadOptions,
): Promise<IndexReader | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- again only after a commit
    const count = await source.shardCount(namespace);
    if (count === undefined) return undefined;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const opened = await Promise.all(
      Array.from({ length: count }, (_, number) =>
        openShard(source, { namespace, number, options }),
      ),
    );
    if (!haveOneVersion(opened, count)) continue;
    const missing = opened.find(({ reader }) => reader === undefined);
    const { beginSearch } = source;
    const shards = new PresentShards(
      opened,
      (search) =>
        beginSearch?.({ ...search, namespace, options }) ?? search.reader.beginSearch(search.terms),
      missing?.problem,
    );
    return new ShardedReader(shards, options);
  }
  throw new SvcError("INDEX_UNAVAILABLE", "The shards of the index have different versions.", {
    hint: "The repository changed during the call; repeat it.",
  });
}

interface ShardAddress {
  readonly namespace: AuthorizedNamespace;
  readonly number: number;
  readonly options: ReadOptions;
}

async function openShard(
  source: Shards,
  { namespace, number, options }: ShardAddress,
): Promise<Attempt> {
  try {
    return { number, reader: await source.shard(namespace, number, options) };
  } catch (thrown) {
    const isUnreachable = thrown instanceof SvcError && thrown.code === "BACKEND_UNAVAILABLE";
    if (!isUnreachable) throw thrown;
    return { number, reader: undefined, problem: thrown };
  }
}

function haveOneVersion(opened: readonly Attempt[], count: number): boolean {
  const first = opened.find(({ reader }) => reader !== undefined)?.reader;
  return opened.every(({ reader, problem }) => {
    if (reader === undefined) return problem !== undefined;
    const { epoch, at } = reader.version;
    return reader.shards === count && epoch === first?.version.epoch && at === first.version.at;
  });
}
