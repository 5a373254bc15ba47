// The fingerprints of indexed files, which the segments have.

import type { Catalog } from "../catalog/catalog.ts";
import { IndexDamage } from "../../damage.ts";
import type { SegmentReader } from "../segment/segment-reader.ts";
import { openSegment } from "../snapshot.ts";
import type { Storage } from "../storage/storage.ts";

/**
 * Returns what to do before the tables of an index are dropped: the baselines that are what was indexed get rows of their
 * own, so that the next changes are reported with their definitions.
 */
export function baselineKeeper(storage: Storage): (catalog: Catalog) => void {
  return (catalog) => {
    const fingerprints = new SegmentFingerprints(catalog, storage);
    catalog.changeLog.readFrom(fingerprints.of);
    try {
      catalog.changeLog.keepBaselines();
    } finally {
      fingerprints.close();
    }
  };
}

/** Reads encoded fingerprints. Opens each segment once, until it is closed. */
export class SegmentFingerprints {
  readonly #catalog: Catalog;
  readonly #storage: Storage;
  readonly #opened = new Map<number, SegmentReader>();

  constructor(catalog: Catalog, storage: Storage) {
    this.#catalog = catalog;
    this.#storage = storage;
  }

  /** Returns the fingerprints of a file of a segment, in memory of their own; undefined if they are damaged. */
  readonly of = (segment: number, ordinal: number): Uint8Array | undefined => {
    try {
      return this.#reader(segment)?.fingerprints(ordinal).slice();
    } catch (thrown) {
      if (thrown instanceof IndexDamage) return undefined;
      throw thrown;
    }
  };

  #reader(id: number): SegmentReader | undefined {
    const known = this.#opened.get(id);
    if (known !== undefined) return known;
    const row = this.#catalog.segments.all().find((segment) => segment.id === id);
    if (row === undefined) return undefined;
    const reader = openSegment(this.#catalog, this.#storage, row);
    this.#opened.set(id, reader);
    return reader;
  }

  close(): void {
    for (const reader of this.#opened.values()) reader.close();
    this.#opened.clear();
  }
}
