// The prints of one file as bytes: its symbols with their names, and the lines outside of them.

import type { FilePrints, SymbolPrint } from "../chunk/prints.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { KINDS } from "./format.ts";
import { readText, writeText } from "./front-coding.ts";

export const NO_PRINTS: FilePrints = { symbols: [], outside: 0 };

const writer = new ByteWriter();

/** A copy: valid for good. */
export function writePrints({ symbols, outside }: FilePrints): Uint8Array {
  writer.clear();
  writePrint(outside);
  let previous = "";
  for (const { qualifiedName, kind, signature, body } of symbols) {
    writer.byte(KINDS.indexOf(kind));
    previous = writeText(writer, previous, qualifiedName);
    writePrint(signature);
    writePrint(body);
  }
  return writer.finish().slice();
}

export function readPrints(bytes: Uint8Array): FilePrints {
  const from = new ByteReader(bytes);
  const outside = readPrint(from);
  const symbols: SymbolPrint[] = [];
  let qualifiedName = "";
  while (from.left > 0) {
    const kind = KINDS[from.byte()] ?? "text";
    qualifiedName = readText(from, qualifiedName);
    symbols.push({ qualifiedName, kind, signature: readPrint(from), body: readPrint(from) });
  }
  return { symbols, outside };
}

/** Prints of lines, in order of size. */
export function linesFrom(bytes: Uint8Array): Uint32Array {
  // What comes out of SQLite need not lie on a multiple of four.
  return new Uint32Array(bytes.slice().buffer);
}

function writePrint(print: number): void {
  for (let shift = 0; shift < 32; shift += 8) writer.byte((print >>> shift) & 0xff);
}

function readPrint(from: ByteReader): number {
  let print = 0;
  for (let shift = 0; shift < 32; shift += 8) print |= from.byte() << shift;
  return print >>> 0;
}
