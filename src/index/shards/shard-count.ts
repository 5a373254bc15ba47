// How many shards an index is divided into.

/** Returns the number of shards for a number of chunks, given the present number. It never gets smaller. */
export type ShardCount = (chunks: number, present: number) => number;

/** With more chunks, one node needs more than 100 ms of processor time for the words of a question. */
const MAX_CHUNKS_PER_SHARD = 2_500_000;

/** Doubles the number while a shard has more chunks than `maxChunks`, so that each shard is divided in two. */
export function growingShards(maxChunks = MAX_CHUNKS_PER_SHARD): ShardCount {
  return (chunks, present) => {
    let shards = present;
    while (chunks > shards * maxChunks) shards *= 2;
    return shards;
  };
}

/** Returns a function that always gives this number of shards, or the present number if that is larger. */
export function fixedShards(shards: number): ShardCount {
  return (_, present) => Math.max(shards, present);
}
