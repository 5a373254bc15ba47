// Blocks of bytes, such as the references of one file, which zstd compresses several at a time: blocks of neighbouring
// files repeat the same names, and one block alone is too short to compress well. Places count bytes as if nothing were
// compressed, so those who store them need not know the groups.

import { zstdCompress } from "../../base/compression.ts";
import { damagedSection } from "../damage.ts";
import { ByteWriter, NumberList } from "./bytes.ts";
import { decompress, partBytesFor } from "./compressed.ts";
import { RecentBlocks, reserveKeys } from "./recent-blocks.ts";

/** A group ends with the block that makes it this long. Reading one of 16, 32 or 64 KB takes 31, 50 or 88 us here. */
const GROUP_BYTES = 1 << 14;
/** For references. On those of spring-framework, groups of 16 KB take 5 % more space and of 64 KB 4 % less. */
export const REFERENCE_GROUP_BYTES = 1 << 15;
/** Decompressed groups are kept, of all indexes together, up to twice as many bytes. */
const KEPT_BYTES = 1 << 22;

/** The groups, and where they are. */
export interface BlockGroups {
  readonly groups: Uint8Array;
  /**
   * Two columns: where each group begins, counted without compression, and where in `groups`. Both have one entry more
   * than there are groups: the ends.
   */
  readonly places: Uint32Array;
}

/** Compresses blocks. */
export class BlockGroupWriter {
  readonly #groupBytes: number;
  readonly #group = new ByteWriter();
  readonly #groups = new ByteWriter();
  readonly #starts = new NumberList();
  readonly #places = new NumberList();
  #before = 0;

  constructor(groupBytes = GROUP_BYTES) {
    this.#groupBytes = groupBytes;
  }

  /** Length of all blocks, in bytes without compression: where the next one begins. */
  get length(): number {
    return this.#before + this.#group.length;
  }

  /** Adds the block that `write` appends. */
  add(write: (to: ByteWriter) => void): void {
    write(this.#group);
    if (this.#group.length >= this.#groupBytes) this.#endGroup();
  }

  #endGroup(): void {
    this.#starts.push(this.#before);
    this.#places.push(this.#groups.length);
    this.#groups.bytes(zstdCompress(this.#group.finish()));
    this.#before += this.#group.length;
    this.#group.clear();
  }

  /** Returns what was written. Nothing can be added afterwards. */
  finish(): BlockGroups {
    if (this.#group.length > 0) this.#endGroup();
    this.#starts.push(this.#before);
    this.#places.push(this.#groups.length);
    const starts = this.#starts.finish();
    const places = new Uint32Array(starts.length * 2);
    places.set(starts);
    places.set(this.#places.finish(), starts.length);
    return { groups: this.#groups.finish(), places };
  }
}

/** Reads the output of BlockGroupWriter. */
export class BlockGroupReader {
  readonly #section: string;
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;
  readonly #read: (offset: number, length: number) => Uint8Array;
  readonly #firstKey: number;

  /** `read` returns a part of the groups. `section` names them in errors. */
  constructor(
    section: string,
    places: Uint32Array,
    read: (offset: number, length: number) => Uint8Array,
  ) {
    this.#section = section;
    const groups = places.length / 2;
    this.#starts = places.subarray(0, groups);
    this.#places = places.subarray(groups);
    this.#read = read;
    this.#firstKey = reserveKeys(groups);
  }

  /** Returns the block between two places; the second is by default the end. Throws INDEX_UNAVAILABLE if there is none. */
  block(from: number, to = this.#starts.at(-1) ?? 0): Uint8Array {
    if (from === to) return NOTHING;
    const number = this.#groupAt(from);
    const start = this.#starts[number] ?? 0;
    const length = (this.#starts[number + 1] ?? 0) - start;
    if (to < from || to - start > length) throw damagedSection(this.#section);
    return this.#group(number, length).subarray(from - start, to - start);
  }

  #groupAt(place: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #group(number: number, length: number): Uint8Array {
    const key = this.#firstKey + number;
    const recent = RECENT.get(key);
    if (recent !== undefined) return recent;
    const offset = this.#places[number] ?? 0;
    const compressed = this.#read(offset, (this.#places[number + 1] ?? 0) - offset);
    const group = decompress(this.#section, compressed, {
      chunkSize: partBytesFor(length),
      maxOutputLength: length,
    });
    if (group.length !== length) throw damagedSection(this.#section);
    RECENT.set(key, group);
    return group;
  }
}

const NOTHING = new Uint8Array(0);

const RECENT = new RecentBlocks(KEPT_BYTES);
