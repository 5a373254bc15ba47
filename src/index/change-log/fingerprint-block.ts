// Encodes the fingerprints of one file: the hash of the lines outside its symbols, then each symbol's name and
// hashes; deflated.

import { deflateRaw, inflateRaw } from "../../base/compression.ts";
import type { FileFingerprints, SymbolFingerprint } from "../../parse/fingerprints.ts";
import { ByteReader, ByteWriter } from "../coding/bytes.ts";
import { CHUNK_KINDS } from "../types.ts";
import { readFrontCoded, writeFrontCoded } from "../coding/front-coding.ts";

/**
 * 16 bits are enough: the signature is part of its definition, so the body's hash reveals a change that this
 * one misses.
 */
const SIGNATURE_BITS = 16;

export const NO_FINGERPRINTS: FileFingerprints = { symbols: [], outside: 0 };

const writer = new ByteWriter();

/** Encodes fingerprints. The result stays valid after later calls. */
export function writeFingerprints({ symbols, outside }: FileFingerprints): Uint8Array {
  writer.clear();
  writeHash(outside, 32);
  let previous = "";
  for (const { qualifiedName, kind, signature, body } of symbols) {
    writer.byte(CHUNK_KINDS.indexOf(kind));
    previous = writeFrontCoded(writer, previous, qualifiedName);
    writeHash(signature, SIGNATURE_BITS);
    writeHash(body, 32);
  }
  return deflateRaw(writer.finish());
}

/** Decodes fingerprints; no bytes give none. */
export function readFingerprints(bytes: Uint8Array): FileFingerprints {
  const from = new ByteReader(bytes.length === 0 ? bytes : inflateRaw(bytes));
  const outside = readHash(from, 32);
  const symbols: SymbolFingerprint[] = [];
  let qualifiedName = "";
  while (from.left > 0) {
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    qualifiedName = readFrontCoded(from, qualifiedName);
    symbols.push({
      qualifiedName,
      kind,
      signature: readHash(from, SIGNATURE_BITS),
      body: readHash(from, 32),
    });
  }
  return { symbols, outside };
}

/** Decodes line hashes, which are in ascending order. */
export function decodeLineHashes(bytes: Uint8Array): Uint32Array {
  // Bytes from SQLite may not be aligned to four.
  return new Uint32Array(bytes.slice().buffer);
}

function writeHash(hash: number, bits: number): void {
  for (let shift = 0; shift < bits; shift += 8) writer.byte((hash >>> shift) & 0xff);
}

function readHash(from: ByteReader, bits: number): number {
  let hash = 0;
  for (let shift = 0; shift < bits; shift += 8) hash |= from.byte() << shift;
  return hash >>> 0;
}

/** Encodes line hashes for storage; null if there are none. */
export function encodeLineHashes(lines: Uint32Array | undefined): Uint8Array | null {
  if (lines === undefined) return null;
  return new Uint8Array(lines.buffer, lines.byteOffset, lines.byteLength);
}
