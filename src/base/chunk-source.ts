import { zstdDecompress } from "./compression.ts";

/** The first bytes of a zstd frame, as a number. */
const ZSTD_MAGIC = 0xfd2fb528;

/** Returns the source of a chunk from its asset. The build compresses the largest ones, which few commands load. */
export function chunkSource(asset: Buffer): string {
  const isCompressed = asset.length > 4 && asset.readUInt32LE() === ZSTD_MAGIC;
  const bytes = isCompressed ? zstdDecompress(asset) : asset;
  // Chunks are ASCII: one byte is one character, and V8 stores one-byte strings.
  return bytes.toString("latin1");
}
