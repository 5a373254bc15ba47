import { crc32 } from "node:zlib";

import { bytesOfNumbers } from "../../coding/compressed.ts";
import {
  FORMAT_VERSION,
  MAGIC,
  type Directory,
  type SECTIONS,
  type SectionPlace,
} from "./format.ts";
import { PageChecksummer } from "./page-checksums.ts";

/** The facts in the directory of a segment, except the places of its sections. */
type SegmentFacts = Omit<Directory, "sections" | "pageSums" | "version">;

/**
 * Each section of a segment once, in the order in which they are stored, and at the end what its directory says. Each is made
 * when it is asked for.
 */
export type SectionStream = Generator<
  readonly [name: (typeof SECTIONS)[number], bytes: Uint8Array],
  SegmentFacts
>;

/** A segment that is ready to be written. */
export interface FinishedSegment {
  readonly files: number;
  /**
   * Write these in order. They can be read once, and a part is valid until the next one is asked for: each section is
   * made, written and freed, so that a segment of 60 MB never is in memory as a whole.
   */
  readonly parts: Iterable<Uint8Array>;
}

/** Larger buffers are freed at once. The next collection of garbage may come much later. */
const FREED_AT_ONCE_BYTES = 1 << 20;

/** Lays out the sections and adds a directory with their locations and checksums. */
export function* segmentParts(sections: SectionStream): Generator<Uint8Array, void> {
  const pages = new PageChecksummer();
  const places: Partial<Record<(typeof SECTIONS)[number], SectionPlace>> = {};
  const head = bytesOfNumbers(new Uint32Array([MAGIC, FORMAT_VERSION]));
  pages.add(head);
  yield head;
  let offset = head.length;
  let step = sections.next();
  while (step.done !== true) {
    const [name, bytes] = step.value;
    const padding = new Uint8Array((8 - (bytes.length % 8)) % 8);
    places[name] = [offset, bytes.length, crc32(bytes)];
    offset += bytes.length + padding.length;
    pages.add(bytes);
    pages.add(padding);
    yield bytes;
    yield padding;
    freeBuffer(bytes);
    step = sections.next();
  }
  const sums = bytesOfNumbers(pages.finish());
  const directory: Directory = {
    version: FORMAT_VERSION,
    ...step.value,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream has each section
    sections: places as Directory["sections"],
    pageSums: [offset, crc32(sums)],
  };
  const json = Buffer.from(JSON.stringify(directory));
  yield sums;
  yield json;
  yield bytesOfNumbers(new Uint32Array([json.length, crc32(json), MAGIC]));
}

function freeBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FREED_AT_ONCE_BYTES) buffer.transfer(0);
}
