// The prints of one file as bytes: the lines outside of its symbols, then each of these with its name; deflated.

import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { FilePrints, SymbolPrint } from "../../chunk/prints.ts";
import { ByteReader, ByteWriter } from "../segment/bytes.ts";
import { KINDS } from "../segment/format.ts";
import { readText, writeText } from "../segment/front-coding.ts";

/** A signature is a part of its definition's lines: where its print says nothing, that of the body does. */
const SIGNATURE_BITS = 16;

export const NO_PRINTS: FilePrints = { symbols: [], outside: 0 };

const writer = new ByteWriter();

/** Valid for good. */
export function writePrints({ symbols, outside }: FilePrints): Uint8Array {
  writer.clear();
  writePrint(outside, 32);
  let previous = "";
  for (const { qualifiedName, kind, signature, body } of symbols) {
    writer.byte(KINDS.indexOf(kind));
    previous = writeText(writer, previous, qualifiedName);
    writePrint(signature, SIGNATURE_BITS);
    writePrint(body, 32);
  }
  return deflateRawSync(writer.finish());
}

export function readPrints(bytes: Uint8Array): FilePrints {
  const from = new ByteReader(bytes.length === 0 ? bytes : inflateRawSync(bytes));
  const outside = readPrint(from, 32);
  const symbols: SymbolPrint[] = [];
  let qualifiedName = "";
  while (from.left > 0) {
    const kind = KINDS[from.byte()] ?? "text";
    qualifiedName = readText(from, qualifiedName);
    symbols.push({
      qualifiedName,
      kind,
      signature: readPrint(from, SIGNATURE_BITS),
      body: readPrint(from, 32),
    });
  }
  return { symbols, outside };
}

/** Prints of lines, in order of size. */
export function linesFrom(bytes: Uint8Array): Uint32Array {
  // What comes out of SQLite need not lie on a multiple of four.
  return new Uint32Array(bytes.slice().buffer);
}

function writePrint(print: number, bits: number): void {
  for (let shift = 0; shift < bits; shift += 8) writer.byte((print >>> shift) & 0xff);
}

function readPrint(from: ByteReader, bits: number): number {
  let print = 0;
  for (let shift = 0; shift < bits; shift += 8) print |= from.byte() << shift;
  return print >>> 0;
}

/** Prints of lines as they are kept; null where there are none. */
export function bytesOfLines(lines: Uint32Array | undefined): Uint8Array | null {
  if (lines === undefined) return null;
  return new Uint8Array(lines.buffer, lines.byteOffset, lines.byteLength);
}
