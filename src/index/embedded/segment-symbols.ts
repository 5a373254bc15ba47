// Collects the symbol names of a snapshot. Each segment is read once; later commits do not change it.

import type { SegmentReader } from "./segment/segment-reader.ts";
import type { SegmentView } from "./segment/live-segments.ts";
import { bySymbolLine } from "../symbol-order.ts";
import {
  SymbolNamesBuilder,
  type SymbolNames,
  type SegmentSymbols,
} from "../names/symbol-names.ts";

/** Other calls can run after this many files, some 20 ms. */
const FILES_PER_YIELD = 300;

const known = new WeakMap<SegmentReader, Promise<SymbolNames>>();

/** Returns the symbol names of each segment, in order. Caches them by segment reader. */
export async function segmentSymbolsOf(
  segments: readonly SegmentView[],
): Promise<readonly SegmentSymbols[]> {
  const parts: SegmentSymbols[] = [];
  for (const { reader, tombstones } of segments) {
    let names = known.get(reader);
    if (names === undefined) {
      names = namesOf(reader);
      known.set(reader, names);
      names.catch(() => known.delete(reader));
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that other calls can run
    parts.push({ names: await names, tombstones });
  }
  return parts;
}

async function namesOf(reader: SegmentReader): Promise<SymbolNames> {
  const builder = new SymbolNamesBuilder();
  for (let file = 0; file < reader.files; file += 1) {
    builder.add(reader.file(file), reader.symbolsOf(file).toSorted(bySymbolLine));
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (file % FILES_PER_YIELD === FILES_PER_YIELD - 1) await new Promise(setImmediate);
  }
  return builder.build();
}
