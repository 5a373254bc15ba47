// The symbol names of a snapshot. Data that was read from a segment stays valid, because later commits do not change
// it.

import { forgetAtRest } from "../../base/at-rest.ts";
import type { SegmentReader } from "./segment/segment-reader.ts";
import type { SegmentView } from "./segment/live-segments.ts";
import { SymbolNames, type SegmentSymbols } from "../names/symbol-names.ts";

/** The symbol names by segment reader, with their decoded blocks. Dropped when the program is idle. */
class KnownNames {
  #known = new WeakMap<SegmentReader, SymbolNames>();

  constructor() {
    forgetAtRest(this);
  }

  readonly forget = (): void => void (this.#known = new WeakMap());

  get(reader: SegmentReader): SymbolNames | undefined {
    return this.#known.get(reader);
  }

  read(reader: SegmentReader): SymbolNames {
    const names = namesOf(reader);
    this.#known.set(reader, names);
    return names;
  }
}

const KNOWN = new KnownNames();

/** Returns the symbol names of each segment, in order. Caches them by segment reader. */
export async function segmentSymbolsOf(
  segments: readonly SegmentView[],
): Promise<readonly SegmentSymbols[]> {
  const parts: SegmentSymbols[] = [];
  for (const { reader, tombstones } of segments) {
    let names = KNOWN.get(reader);
    if (names === undefined) {
      names = KNOWN.read(reader);
      // An older table is converted, which takes a second for 300,000 definitions: other calls can run in between.
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await new Promise(setImmediate);
    }
    parts.push({ names, tombstones });
  }
  return parts;
}

function namesOf(reader: SegmentReader): SymbolNames {
  const firstSymbols = reader.column("firstSymbol");
  return new SymbolNames(reader.nameTable(), { firstSymbols, file: (at) => reader.file(at) });
}
