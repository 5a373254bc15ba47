import { zstdDecompress } from "./compression.ts";

/** The first bytes of a zstd frame, as a number. */
const ZSTD_MAGIC = 0xfd2fb528;

/** Before the name of a script, in place of the source of a chunk. */
const ELSEWHERE = "@";

/** What a chunk has instead of its source if the source is in the script of another one: scripts/chunk-groups.ts. */
export function elsewhere(script: string): string {
  return `${ELSEWHERE}${script}`;
}

/** Returns the name of the script that has the source of a chunk; undefined if the chunk has it itself. */
export function scriptElsewhere(source: string): string | undefined {
  return source.startsWith(ELSEWHERE) ? source.slice(ELSEWHERE.length) : undefined;
}

/** Returns the source of a chunk from its asset. */
export function chunkSource(asset: Buffer): string {
  // Chunks are ASCII: one byte is one character, and V8 stores one-byte strings.
  return unpacked(asset).toString("latin1");
}

/**
 * Returns the bytes of the source or the code cache of a chunk from its asset. The build compresses both of large chunks
 * that few commands load.
 */
export function unpacked(asset: Buffer): Buffer {
  const isCompressed = asset.length > 4 && asset.readUInt32LE() === ZSTD_MAGIC;
  return isCompressed ? zstdDecompress(asset) : asset;
}
