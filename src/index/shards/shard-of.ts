/** Returns the shard that the content of a file belongs to, from 0: as many files in each, and the same in any process. */
export function shardOf(path: string, shards: number): number {
  return shards === 1 ? 0 : hashOf(path) % shards;
}

/** Returns 32 bits, the same in any process. */
export function hashOf(text: string): number {
  // FNV-1a over UTF-16 code units.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  // The low bits of FNV depend on the last characters alone, which many paths share.
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return (hash ^ (hash >>> 15)) >>> 0;
}
