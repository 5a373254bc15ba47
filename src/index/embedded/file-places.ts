import type { SegmentView } from "./segment/live-segments.ts";

/** The place of a live file: its segment, and its number in it. */
export interface FilePlace {
  readonly view: SegmentView;
  readonly ordinal: number;
}

/** A path that is compared costs as much as this part of a file in a table of all files, which takes 0.5 µs. */
const FILES_PER_COMPARISON = 0.3;

/** Finds the live files of segments by path: the first ones by a search in each segment, many in a table of all. */
export class FilePlaces {
  readonly #segments: readonly SegmentView[];
  /** Numbers of files in the whole index; -1 for none. */
  readonly #known = new Map<string, number>();
  /** Searches left before the table is built; below 0 once it is. */
  #left: number;

  constructor(segments: readonly SegmentView[]) {
    this.#segments = segments;
    const sizes = segments.map(({ reader }) => reader.files);
    const comparisons = sizes.reduce((sum, files) => sum + Math.log2(files + 1), 0);
    const files = sizes.reduce((sum, one) => sum + one, 0);
    this.#left = files / Math.max(1, comparisons * FILES_PER_COMPARISON);
  }

  /** Undefined for a file whose content is not in the segments. */
  find(path: string): FilePlace | undefined {
    const file = this.#numberOf(path);
    const view = this.#segments.findLast(({ fileBase }) => fileBase <= file);
    return view && { view, ordinal: file - view.fileBase };
  }

  #numberOf(path: string): number {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (this.#left < 0) return -1;
    this.#left -= 1;
    if (this.#left < 0) {
      for (const segment of this.#segments) this.#addAll(segment);
      return this.#known.get(path) ?? -1;
    }
    const file = this.#search(path);
    this.#known.set(path, file);
    return file;
  }

  #search(path: string): number {
    for (const { reader, tombstones, fileBase } of this.#segments) {
      const order = reader.pathOrder();
      for (let at = reader.firstAfter(path, true); at < order.length; at += 1) {
        const ordinal = order[at] ?? 0;
        if (reader.path(ordinal) !== path) break;
        if (tombstones[ordinal] !== 1) return fileBase + ordinal;
      }
    }
    return -1;
  }

  #addAll({ reader, tombstones, fileBase }: SegmentView): void {
    for (const [ordinal, path] of reader.paths().entries()) {
      if (tombstones[ordinal] !== 1) this.#known.set(path, fileBase + ordinal);
    }
  }
}
