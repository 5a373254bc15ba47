import { ByteWriter, NumberList } from "../../coding/bytes.ts";
import { DIRECTORY_ENTRY_BYTES, HEADER_BYTES, KEYS_PER_BLOCK } from "./trigram-format.ts";

/** The two sections of trigram-format.ts. */
export interface TrigramSections {
  readonly keys: Uint8Array;
  readonly postings: Uint8Array;
}

/** Writes lists into sections; keys must come in ascending order. */
export class TrigramSectionWriter {
  readonly #directory = new NumberList();
  readonly #blocks = new ByteWriter();
  readonly #postings = new ByteWriter();
  #bitmap = new Uint8Array(1024);
  #keys = 0;
  #lastKey = 0;

  /**
   * Adds the list of a key. `list`: `count` varints as in trigram-format.ts, which are copied. `last`: the
   * highest file number.
   */
  add(key: number, list: Uint8Array, { count, last }: { count: number; last: number }): void {
    if (this.#keys % KEYS_PER_BLOCK === 0) {
      this.#directory.push(key);
      this.#directory.push(this.#blocks.length);
      this.#directory.push(this.#postings.length);
      this.#lastKey = key;
    }
    const bitmapBytes = (last >>> 3) + 1;
    const isBitmap = bitmapBytes < list.length;
    this.#blocks.varint(key - this.#lastKey);
    this.#blocks.varint(count - 1);
    this.#blocks.varint(isBitmap ? bitmapBytes * 2 + 1 : (list.length - count) * 2);
    this.#postings.bytes(isBitmap ? this.#asBitmap(list, bitmapBytes) : list);
    this.#lastKey = key;
    this.#keys += 1;
  }

  #asBitmap(list: Uint8Array, length: number): Uint8Array {
    if (this.#bitmap.length < length) this.#bitmap = new Uint8Array(length * 2);
    const bitmap = this.#bitmap.fill(0, 0, length);
    let file = -1;
    for (let at = 0; at < list.length;) {
      let byte = list[at++] ?? 0;
      let gap = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = list[at++] ?? 0;
        gap |= (byte & 0x7f) << shift;
      }
      file += gap + 1;
      bitmap[file >>> 3] = (bitmap[file >>> 3] ?? 0) | (1 << (file & 7));
    }
    return bitmap.subarray(0, length);
  }

  finish(): TrigramSections {
    const directory = this.#directory.finish();
    const blocks = this.#blocks.finish();
    const blocksAt = HEADER_BYTES + directory.byteLength;
    const keys = new Uint8Array(blocksAt + blocks.length);
    const view = new DataView(keys.buffer);
    view.setUint32(0, directory.byteLength / DIRECTORY_ENTRY_BYTES, true);
    view.setUint32(4, this.#postings.length, true);
    for (const [at, value] of directory.entries()) {
      view.setUint32(HEADER_BYTES + at * 4, at % 3 === 1 ? value + blocksAt : value, true);
    }
    keys.set(blocks, blocksAt);
    return { keys, postings: this.#postings.finish() };
  }
}
