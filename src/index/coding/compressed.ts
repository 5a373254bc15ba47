// Bytes that zstd compresses, and numbers in a form in which it compresses them well.

import { zstdCompressFast, zstdDecompress } from "../../base/compression.ts";
import { damagedSection } from "../damage.ts";

/** Node allocates and copies each part of a result whose size is unknown. */
const PART_BYTES = 1 << 20;
/** The least that Node's zlib accepts. */
const MIN_PART_BYTES = 64;
/** No section of a segment is longer. Some bytes can be made that decompress to all memory. */
const MAX_SECTION_BYTES = 1 << 30;
/** Maximum ratio of the stated size to the compressed size that is allocated in advance. */
const MAX_BELIEVED_RATIO = 100;

/** Compresses a whole section. */
export function compressSection(parts: readonly Uint8Array[]): Uint8Array {
  return zstdCompressFast(Buffer.concat(parts));
}

/** Decompresses a section; views of numbers may begin at any multiple of four. Throws INDEX_UNAVAILABLE for other bytes. */
export function decompressSection(name: string, section: Uint8Array): Buffer<ArrayBuffer> {
  const size = contentSize(section);
  const isKnown = size !== undefined && size <= section.length * MAX_BELIEVED_RATIO;
  const chunkSize = isKnown ? partBytesFor(size) : PART_BYTES;
  return alone(decompress(name, section, { chunkSize, maxOutputLength: MAX_SECTION_BYTES }));
}

/** Returns the size of parts in which Node decompresses this many bytes into one part. A full one would get another one. */
export function partBytesFor(length: number): number {
  return Math.max(MIN_PART_BYTES, length + 1);
}

/**
 * Returns how many bytes a frame of zstd holds; undefined if it does not say: RFC 8878, 3.1.1.1. What Node compresses at
 * once says it.
 */
function contentSize(frame: Uint8Array): number | undefined {
  const descriptor = frame[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const idBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + idBytes;
  if (sizeBytes === 0 || at + sizeBytes > frame.length) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset + at, sizeBytes);
  if (sizeBytes === 1) return view.getUint8(0);
  // Two bytes begin at 256.
  if (sizeBytes === 2) return view.getUint16(0, true) + 256;
  return sizeBytes === 4 ? view.getUint32(0, true) : Number(view.getBigUint64(0, true));
}

/** Like zstdDecompress, but throws INDEX_UNAVAILABLE for damaged bytes. `name`: the section that contains them. */
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
