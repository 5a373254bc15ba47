// Divides the searches in an index of several shards among the nodes of a backend.

import { randomUUID } from "node:crypto";

import type { Logger } from "../../base/log.ts";
import { yieldTurn } from "../../base/turns.ts";
import type { CandidateShard } from "../../index/scoring/candidate-shard.ts";
import type { SearchToBegin, Shards } from "../../index/shards/port.ts";
import { RepeatSearch } from "../../index/shards/present-shards.ts";
import { hashOf } from "../../index/shards/shard-of.ts";
import { aroundSearch, watchedSearch } from "../../index/shards/watched-search.ts";
import type { SearchMessage, SearchReply } from "./messages.ts";
import { RemoteSearch, SearchRefused } from "./remote-search.ts";

/** How other nodes are found and asked. */
export interface KnownNodes {
  /** The addresses of the nodes that have been heard of lately, with that of this one. */
  readonly addresses: () => Promise<readonly string[]> | readonly string[];
  readonly own: string;
  /** Rejects if the node does not reply, or with an error. */
  readonly send: (address: string, message: SearchMessage) => Promise<SearchReply>;
}

interface NodeShardsOptions {
  readonly nodes: KnownNodes;
  readonly logger: Pick<Logger, "warn">;
}

/** A node that has failed is not asked again for so long. */
const AVOID_MS = 10_000;

/**
 * Each node has a copy of the whole index, and the nodes share the work: each searches in some of the shards. If one
 * cannot, because it is down, busy, or has another version, this node searches in all of them.
 */
export class NodeShards implements Shards {
  readonly #shards: Shards;
  readonly #nodes: KnownNodes;
  readonly #logger: NodeShardsOptions["logger"];
  /** Address -> until when it is not asked, in milliseconds of `performance.now`. */
  readonly #avoided = new Map<string, number>();
  #addresses: readonly string[] = [];

  constructor(shards: Shards, { nodes, logger }: NodeShardsOptions) {
    this.#shards = shards;
    this.#nodes = nodes;
    this.#logger = logger;
  }

  readonly shardCount: Shards["shardCount"] = async (namespace) => {
    this.#addresses = await this.#nodes.addresses();
    return this.#shards.shardCount(namespace);
  };

  readonly shard: Shards["shard"] = (namespace, number, options) =>
    this.#shards.shard(namespace, number, options);

  readonly beginSearch = (search: SearchToBegin): CandidateShard => {
    const { reader, terms } = search;
    const address = this.#nodeOf(search);
    return address === undefined
      ? afterOthers(reader.beginSearch(terms))
      : this.#ask(address, search);
  };

  /** Undefined for this node. */
  #nodeOf({ namespace, number, isRepeated }: SearchToBegin): string | undefined {
    if (isRepeated) return undefined;
    const present = this.#addresses.filter((address) => !this.#isAvoided(address));
    const address = nodeOf(namespace, number, present);
    return address === this.#nodes.own ? undefined : address;
  }

  #ask(address: string, search: SearchToBegin): CandidateShard {
    const { namespace, number: shard, reader, options, terms } = search;
    const { deadline } = options;
    const { version, shards, files } = reader;
    const remote = new RemoteSearch({
      id: randomUUID(),
      begin: {
        namespace,
        version,
        shard,
        shards,
        terms: [...terms],
        ...(deadline === undefined ? {} : { withinMs: deadline - performance.now() }),
      },
      files,
      send: (message) => this.#nodes.send(address, message),
    });
    return watchedSearch(remote, (thrown) => {
      options.signal?.throwIfAborted();
      this.#avoid(address, thrown);
      throw new RepeatSearch(`shard ${shard} is searched here`, { cause: thrown });
    });
  }

  #isAvoided(address: string): boolean {
    return (this.#avoided.get(address) ?? 0) > performance.now();
  }

  #avoid(address: string, thrown: unknown): void {
    // A node that is busy, or has not got the last commit, is there.
    if (thrown instanceof SearchRefused) return;
    const isKnown = this.#isAvoided(address);
    this.#avoided.set(address, performance.now() + AVOID_MS);
    if (isKnown) return;
    this.#logger.warn("a node does not search", { node: address, error: thrown });
  }
}

/** Lets messages to other nodes leave before this node begins to compute. */
function afterOthers(search: CandidateShard): CandidateShard {
  return aroundSearch(search, async (call) => {
    await yieldTurn();
    return call();
  });
}

/**
 * The node of a shard, the same on all nodes that know these addresses: each gets as many shards of a namespace as the
 * others, or one more.
 */
export function nodeOf(
  namespace: string,
  shard: number,
  addresses: readonly string[],
): string | undefined {
  const weights = new Map(addresses.map((address) => [address, hashOf(`${namespace} ${address}`)]));
  const weight = (address: string): number => weights.get(address) ?? 0;
  const inOrder = addresses.toSorted(
    (one, other) => weight(one) - weight(other) || (one < other ? -1 : 1),
  );
  return inOrder[shard % inOrder.length];
}
