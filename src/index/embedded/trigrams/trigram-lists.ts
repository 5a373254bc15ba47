import { IndexDamage } from "../../damage.ts";
import { ByteReader } from "../../coding/bytes.ts";
import { eachPosting, leastBytes } from "../../coding/posting-list.ts";
import {
  DIRECTORY_ENTRY_BYTES,
  HEADER_BYTES,
  KEYS_PER_BLOCK,
  KEY_COUNT,
} from "./trigram-format.ts";

/** Three varints of at most five bytes, for each key. */
const MAX_BLOCK_BYTES = KEYS_PER_BLOCK * 15;
const MAX_NUMBER_BYTES = 5;

/** Access to the two sections of trigram-format.ts. */
export interface TrigramBytes {
  /** Size of the section `keys` in bytes. */
  readonly keysLength: number;
  /** Whether lists are varints of the gaps minus 1, as until format 12. */
  readonly isPlain?: boolean;
  keys(offset: number, length: number): Uint8Array;
  postings(offset: number, length: number): Uint8Array;
}

/** The list of one key: its number of files and its location. */
export interface ListPlace {
  readonly key: number;
  /** Number of files. */
  readonly count: number;
  /** Offset in `postings`; `length` is in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly isBitmap: boolean;
}

/**
 * Finds and decodes lists. Only the directory stays in memory; a key takes one read of a few hundred bytes, a
 * list another. Throws INDEX_UNAVAILABLE for damaged bytes.
 */
export class TrigramLists {
  readonly #bytes: TrigramBytes;
  readonly #files: number;
  /** Three numbers per block, as in `keys`: first key, offset of the block, offset of its first list. */
  readonly #directory: Uint32Array;
  readonly #postingsLength: number;

  constructor(bytes: TrigramBytes, files: number) {
    this.#bytes = bytes;
    this.#files = files;
    if (bytes.keysLength < HEADER_BYTES) throw damaged();
    const header = numbers(read(bytes.keys(0, HEADER_BYTES), HEADER_BYTES));
    const [blocks = 0, postingsLength = 0] = header;
    const length = blocks * DIRECTORY_ENTRY_BYTES;
    if (length > bytes.keysLength - HEADER_BYTES) throw damaged();
    this.#directory = numbers(read(bytes.keys(HEADER_BYTES, length), length));
    this.#postingsLength = postingsLength;
  }

  /** Returns the list of a trigram; undefined if no file contains it. */
  find(key: number): ListPlace | undefined {
    let low = 0;
    let high = this.#directory.length / 3 - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#directory[middle * 3] ?? 0) <= key) low = middle;
      else high = middle - 1;
    }
    if (high < 0) return undefined;
    return this.#block(low).find((place) => place.key === key);
  }

  /** Yields the locations of all lists, in ascending key order. */
  *places(): Generator<ListPlace> {
    let last = -1;
    for (let block = 0; block < this.#directory.length / 3; block += 1) {
      for (const place of this.#block(block)) {
        if (place.key <= last) throw damaged();
        last = place.key;
        yield place;
      }
    }
  }

  #block(block: number): readonly ListPlace[] {
    const { reader, key: firstKey, list, listsEnd } = this.#openBlock(block);
    const places: ListPlace[] = [];
    let key = firstKey;
    let offset = list;
    while (reader.left > 0 && places.length < KEYS_PER_BLOCK) {
      key += reader.varint();
      const count = reader.varint() + 1;
      const size = reader.varint();
      const isBitmap = size % 2 === 1;
      const least = this.#bytes.isPlain ? count : leastBytes(count);
      const length = isBitmap ? (size - 1) / 2 : least + size / 2;
      const maxLength = isBitmap ? Math.ceil(this.#files / 8) : count * MAX_NUMBER_BYTES;
      if (key >= KEY_COUNT || count > this.#files || length > maxLength) throw damaged();
      places.push({ key, count, offset, length, isBitmap });
      offset += length;
    }
    if (reader.left > 0 || offset !== listsEnd || offset > this.#postingsLength) throw damaged();
    return places;
  }

  #openBlock(block: number): { reader: ByteReader; key: number; list: number; listsEnd: number } {
    const [key = 0, from = 0, list = 0, , next, nextList] = this.#directory.subarray(block * 3);
    const end = next ?? this.#bytes.keysLength;
    const length = end - from;
    if (length <= 0 || length > MAX_BLOCK_BYTES || end > this.#bytes.keysLength) throw damaged();
    const reader = new ByteReader(read(this.#bytes.keys(from, length), length));
    return { reader, key, list, listsEnd: nextList ?? this.#postingsLength };
  }

  /** Returns the files of a list in ascending order. */
  decode(place: ListPlace): Uint32Array {
    const bytes = this.#list(place);
    if (place.isBitmap) return decodeBitmap(bytes, place.count, this.#files);
    return (this.#bytes.isPlain ? decodeGaps : decodeList)(bytes, place.count, this.#files);
  }

  /** Returns those of `files`, which are ascending, that are also in the list. */
  intersect(place: ListPlace, files: Uint32Array): Uint32Array {
    const common = new Uint32Array(files.length);
    let length = 0;
    if (place.isBitmap) {
      const bitmap = this.#list(place);
      for (const file of files) {
        if ((((bitmap[file >>> 3] ?? 0) >>> (file & 7)) & 1) === 1) common[length++] = file;
      }
    } else {
      const others = this.decode(place);
      let at = 0;
      for (const file of files) {
        while (at < others.length && (others[at] ?? 0) < file) at += 1;
        if (others[at] === file) common[length++] = file;
      }
    }
    return common.subarray(0, length);
  }

  #list({ offset, length }: ListPlace): Uint8Array {
    return read(this.#bytes.postings(offset, length), length);
  }
}

function decodeList(bytes: Uint8Array, count: number, end: number): Uint32Array {
  const files = new Uint32Array(count);
  let at = 0;
  eachPosting({ count, bytes }, (file) => {
    if (file >= end) throw damaged();
    files[at++] = file;
  });
  return files;
}

/** Decodes a list as it was until format 12. */
function decodeGaps(bytes: Uint8Array, count: number, end: number): Uint32Array {
  const files = new Uint32Array(count);
  let position = 0;
  let file = -1;
  for (let at = 0; at < count; at += 1) {
    let byte = bytes[position++] ?? 0;
    let gap = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[position++] ?? 0;
      gap |= (byte & 0x7f) << shift;
    }
    if (gap < 0) throw damaged();
    file += gap + 1;
    files[at] = file;
  }
  if (position !== bytes.length || file >= end) throw damaged();
  return files;
}

function decodeBitmap(bytes: Uint8Array, count: number, end: number): Uint32Array {
  const files = new Uint32Array(count);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    for (let bits = bytes[at] ?? 0; bits !== 0; bits &= bits - 1) {
      files[length++] = at * 8 + 31 - Math.clz32(bits & -bits);
    }
  }
  if (length !== count || (files[count - 1] ?? 0) >= end) throw damaged();
  return files;
}

function read(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw damaged();
  return bytes;
}

/** Decodes little-endian numbers from a copy, because the bytes may not be aligned. */
function numbers(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}

function damaged(): IndexDamage {
  return new IndexDamage("The trigrams of the index are damaged.");
}
