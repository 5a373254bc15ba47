// Keeps what is known of importance while files move from segment to segment, until it is worked out anew.

import type { SegmentImportance } from "./importance.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";

/** A segment with what is known of it. */
export interface Weighed {
  readonly reader: SegmentReader;
  readonly importance: SegmentImportance | undefined;
}

/** Of the segment that is made of these by putting their living files behind each other. */
export function foldedImportance(
  inputs: readonly (Weighed & { readonly dead: Uint8Array })[],
): SegmentImportance {
  const files: number[] = [];
  const symbols: number[] = [];
  for (const { reader, importance, dead } of inputs) {
    for (let file = 0; file < reader.files; file += 1) {
      if (dead[file] === 1) continue;
      files.push(importance?.files[file] ?? 0);
      const [first, end] = symbolRange(reader, file);
      for (let at = first; at < end; at += 1) symbols.push(importance?.symbols[at] ?? 0);
    }
  }
  return { files: Uint8Array.from(files), symbols: Uint8Array.from(symbols) };
}

/** A file that was read anew: what it was before, and its number in the new segment. */
export interface Renewed extends Weighed {
  readonly file: number;
  readonly now: number;
}

/** Of a new segment: each file and each symbol has what those of the same name had. */
export function carriedImportance(
  segment: SegmentReader,
  renewed: readonly Renewed[],
): SegmentImportance {
  const files = new Uint8Array(segment.files);
  const symbols = new Uint8Array(segment.directory.symbols);
  for (const { reader, importance, file, now } of renewed) {
    if (importance === undefined) continue;
    files[now] = importance.files[file] ?? 0;
    const [before] = symbolRange(reader, file);
    const known = new Map<string, number>();
    for (const [at, { qualifiedName }] of reader.symbolsOf(file).entries()) {
      const code = importance.symbols[before + at] ?? 0;
      known.set(qualifiedName, Math.max(code, known.get(qualifiedName) ?? 0));
    }
    const [first] = symbolRange(segment, now);
    for (const [at, { qualifiedName }] of segment.symbolsOf(now).entries()) {
      symbols[first + at] = known.get(qualifiedName) ?? 0;
    }
  }
  return { files, symbols };
}

function symbolRange(reader: SegmentReader, file: number): readonly [number, number] {
  const firsts = reader.column("firstSymbol");
  return [firsts[file] ?? 0, firsts[file + 1] ?? reader.directory.symbols];
}
