// Bytes that zstd compresses, and numbers in a form in which it compresses them well.

import { zstdCompressFast, zstdDecompress } from "../../base/compression.ts";
import { damagedSection } from "../damage.ts";

/** Node allocates and copies each part of the result: few parts for many bytes, and small ones for few. */
const MAX_PART_BYTES = 1 << 20;
const MIN_PART_BYTES = 1 << 12;
/** No section of a segment is longer. Some bytes can be made that decompress to all memory. */
const MAX_SECTION_BYTES = 1 << 30;
/** Of the bytes to the compressed ones, in most projects. */
const TYPICAL_RATIO = 4;

/** Compresses a whole section. */
export function compressSection(parts: readonly Uint8Array[]): Uint8Array {
  return zstdCompressFast(Buffer.concat(parts));
}

/** Decompresses a section; views of numbers may begin at any multiple of four. Throws INDEX_UNAVAILABLE for other bytes. */
export function decompressSection(name: string, section: Uint8Array): Buffer<ArrayBuffer> {
  const typical = Math.max(MIN_PART_BYTES, section.length * TYPICAL_RATIO);
  const chunkSize = Math.min(MAX_PART_BYTES, typical);
  return alone(decompress(name, section, { chunkSize, maxOutputLength: MAX_SECTION_BYTES }));
}

/** As zstdDecompress. Throws INDEX_UNAVAILABLE for other bytes; `name` is that of their section. */
export function decompress(
  name: string,
  bytes: Uint8Array,
  options: { readonly chunkSize: number; readonly maxOutputLength?: number },
): Buffer {
  try {
    return zstdDecompress(bytes, options);
  } catch (thrown) {
    throw damagedSection(name, thrown);
  }
}

/** Returns each number minus the one before, modulo 2^32. */
export function differences(values: Uint32Array): Uint32Array {
  return values.map((value, at) => value - (values[at - 1] ?? 0));
}

/** Turns differences into the numbers, in place. */
export function summed(values: Uint32Array): Uint32Array {
  // As a signed number, which V8 keeps in a register.
  let last = 0;
  for (let at = 0; at < values.length; at += 1) {
    last = (last + (values[at] ?? 0)) | 0;
    values[at] = last;
  }
  return values;
}

export function bytesOfNumbers(values: Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/**
 * Returns the bytes aligned, and in memory of their own: small buffers may begin anywhere in their pool, and what is
 * decompressed in that of a whole part.
 */
function alone(bytes: Buffer): Buffer<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  const isAligned = byteOffset % 4 === 0;
  if (buffer instanceof ArrayBuffer && isAligned && buffer.byteLength < 2 * length)
    return Buffer.from(buffer, byteOffset, length);
  return Buffer.from(new Uint8Array(bytes).buffer);
}
