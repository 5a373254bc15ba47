// Encodes the fingerprints of one file: the kind and name of each symbol, then the hash of the lines outside of them and
// those of each. The hashes are together, because they are what compression cannot shorten.

import type { FileFingerprints, SymbolFingerprint } from "../../parse/fingerprints.ts";
import { inflateRaw } from "../../base/compression.ts";
import { ByteReader, ByteWriter } from "../coding/bytes.ts";
import { CHUNK_KINDS } from "../types.ts";
import { readFrontCoded, writeFrontCoded } from "../coding/front-coding.ts";

/**
 * 16 bits are enough: the signature is part of its definition, so the body's hash reveals a change that this
 * one misses.
 */
const SIGNATURE_BITS = 16;
/**
 * The first byte. Until format 11 of the index, fingerprints were deflated, and deflated bytes never begin with this one:
 * its block type is reserved.
 */
const PLAIN = 0x07;
/** The first byte in a segment, where the names are those of the file's symbols. It is reserved, too. */
const NAMELESS = 0x0f;

export const NO_FINGERPRINTS: FileFingerprints = { symbols: [], outside: 0 };

const writer = new ByteWriter();

/** Encodes fingerprints. The result stays valid after later calls. */
export function writeFingerprints({ symbols, outside }: FileFingerprints): Uint8Array {
  writeNames(symbols);
  writeHash(outside, 32);
  for (const { signature, body } of symbols) {
    writeHash(signature, SIGNATURE_BITS);
    writeHash(body, 32);
  }
  return writer.finish().slice();
}

type NamedSymbols = readonly Pick<SymbolFingerprint, "qualifiedName" | "kind">[];

/** Writes all that comes before the hashes; returns a view of it. */
function writeNames(symbols: NamedSymbols): Uint8Array {
  writer.clear();
  writer.byte(PLAIN);
  writer.varint(symbols.length);
  let previous = "";
  for (const { qualifiedName, kind } of symbols) {
    writer.byte(CHUNK_KINDS.indexOf(kind));
    previous = writeFrontCoded(writer, previous, qualifiedName);
  }
  return writer.finish();
}

/** Returns encoded fingerprints as a segment has them: without the names, if they are those of the file's symbols. */
export function withoutNames(fingerprints: Uint8Array, symbols: NamedSymbols): Uint8Array {
  const names = writeNames(symbols);
  if (Buffer.compare(fingerprints.subarray(0, names.length), names) !== 0) return fingerprints;
  return Buffer.concat([Buffer.of(NAMELESS), fingerprints.subarray(names.length)]);
}

/** Returns what `withoutNames` was given. `symbols`: those of the file. */
export function withNames(stored: Uint8Array, symbols: () => NamedSymbols): Uint8Array {
  return stored[0] === NAMELESS
    ? Buffer.concat([writeNames(symbols()), stored.subarray(1)])
    : stored;
}

/** Decodes fingerprints; no bytes give none. */
export function readFingerprints(bytes: Uint8Array): FileFingerprints {
  if (bytes.length > 0 && bytes[0] !== PLAIN) return readDeflated(bytes);
  const from = new ByteReader(bytes, 1);
  // A symbol takes at least eight bytes.
  const count = Math.min(from.varint(), bytes.length / 8);
  const names: NamedSymbols[number][] = [];
  let qualifiedName = "";
  for (let at = 0; at < count; at += 1) {
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    qualifiedName = readFrontCoded(from, qualifiedName);
    names.push({ qualifiedName, kind });
  }
  const outside = readHash(from, 32);
  const symbols = names.map((name): SymbolFingerprint => ({
    ...name,
    signature: readHash(from, SIGNATURE_BITS),
    body: readHash(from, 32),
  }));
  return { symbols, outside };
}

/** Decodes fingerprints as they were written until format 11. */
function readDeflated(bytes: Uint8Array): FileFingerprints {
  const from = new ByteReader(inflateRaw(bytes));
  const outside = readHash(from, 32);
  const symbols: SymbolFingerprint[] = [];
  let qualifiedName = "";
  while (from.left > 0) {
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    qualifiedName = readFrontCoded(from, qualifiedName);
    const [signature, body] = [readHash(from, SIGNATURE_BITS), readHash(from, 32)];
    symbols.push({ qualifiedName, kind, signature, body });
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
