import { ByteWriter, NumberList } from "../../coding/bytes.ts";
import { leastBytes, PostingListWriter } from "../../coding/posting-list.ts";
import { DIRECTORY_ENTRY_BYTES, HEADER_BYTES, KEYS_PER_BLOCK } from "./trigram-format.ts";

/** The two sections of trigram-format.ts. */
export interface TrigramSections {
  readonly keys: Uint8Array;
  readonly postings: Uint8Array;
}

/** Of so many files, a list with more than one is smaller as a bitmap. */
const MAX_PACKED_DENSITY = 3;

/** Writes lists into sections; keys must come in ascending order. */
export class TrigramSectionWriter {
  readonly #directory = new NumberList();
  readonly #blocks = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly #list = new PostingListWriter();
  #bitmap = new Uint8Array(1024);
  #keys = 0;
  #lastKey = 0;

  /** Adds the list of a key. `files`: in ascending order, which are copied. */
  add(key: number, files: Uint32Array): void {
    if (this.#keys % KEYS_PER_BLOCK === 0) {
      this.#directory.push(key);
      this.#directory.push(this.#blocks.length);
      this.#directory.push(this.#postings.length);
      this.#lastKey = key;
    }
    const count = files.length;
    const start = this.#postings.length;
    const bitmapLength = ((files[count - 1] ?? 0) >>> 3) + 1;
    let isBitmap = count * MAX_PACKED_DENSITY > bitmapLength * 8;
    if (!isBitmap) {
      for (const file of files) this.#list.add(file, 1);
      this.#list.end(this.#postings);
      isBitmap = bitmapLength < this.#postings.length - start;
    }
    if (isBitmap) {
      this.#postings.clear(start);
      this.#postings.bytes(this.#asBitmap(files, bitmapLength));
    }
    const more = this.#postings.length - start - leastBytes(count);
    this.#blocks.varint(key - this.#lastKey);
    this.#blocks.varint(count - 1);
    this.#blocks.varint(isBitmap ? bitmapLength * 2 + 1 : more * 2);
    this.#lastKey = key;
    this.#keys += 1;
  }

  #asBitmap(files: Uint32Array, length: number): Uint8Array {
    if (this.#bitmap.length < length) this.#bitmap = new Uint8Array(length * 2);
    const bitmap = this.#bitmap.fill(0, 0, length);
    for (const file of files) bitmap[file >>> 3] = (bitmap[file >>> 3] ?? 0) | (1 << (file & 7));
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
