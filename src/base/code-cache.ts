import { Script } from "node:vm";

/** Where a code cache has the hash of V8's flags: the fourth word of its header (V8 13.6, code-serializer.h). */
const FLAGS_AT = 12;

/**
 * Returns a code cache as V8 would make it with the flags that the process has now: V8 refuses a cache made with other
 * flags. The program sets flags while it runs, and none of them changes compiled code (docs/decisions/0008).
 */
export function withPresentFlags(cache: Buffer): Buffer {
  // Made on another platform: see scripts/code-caches.
  if (cache.length === 0) return cache;
  const present = new Script("").createCachedData().readUInt32LE(FLAGS_AT);
  if (cache.readUInt32LE(FLAGS_AT) === present) return cache;
  // An asset is in memory that cannot be written.
  const copy = Buffer.from(cache);
  copy.writeUInt32LE(present, FLAGS_AT);
  return copy;
}
