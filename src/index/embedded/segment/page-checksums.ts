// Checksums of a segment's pages, so that verifying a part reads little more than the part.

import { crc32 } from "node:zlib";

import { damagedFile } from "../../damage.ts";
import type { StoredFile } from "../storage/storage.ts";

/**
 * Small enough that verifying a short list takes little more time than reading it. The checksums add 0.4 % to
 * the size.
 */
export const PAGE_BYTES = 1024;

/** Computes the checksums of pages from a stream of bytes. */
export class PageChecksummer {
  readonly #sums: number[] = [];
  #sum = 0;
  #filled = 0;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + PAGE_BYTES - this.#filled);
      this.#sum = crc32(bytes.subarray(at, end), this.#sum);
      this.#filled += end - at;
      at = end;
      if (this.#filled === PAGE_BYTES) this.#close();
    }
  }

  #close(): void {
    this.#sums.push(this.#sum);
    this.#sum = 0;
    this.#filled = 0;
  }

  finish(): Uint32Array {
    if (this.#filled > 0) this.#close();
    return Uint32Array.from(this.#sums);
  }
}

/** A file whose first `length` bytes are verified page by page on every read. */
export class CheckedPages {
  readonly #file: StoredFile;
  readonly #name: string;
  readonly #sums: Uint32Array;
  readonly #length: number;

  constructor(
    file: StoredFile,
    name: string,
    { sums, length }: { sums: Uint32Array; length: number },
  ) {
    if (sums.length !== Math.ceil(length / PAGE_BYTES)) throw damagedFile(name);
    this.#file = file;
    this.#name = name;
    this.#sums = sums;
    this.#length = length;
  }

  /** Returns exactly `length` bytes. Throws INDEX_UNAVAILABLE if a page with some of them is damaged. */
  read(offset: number, length: number): Uint8Array {
    return this.#read(offset, length);
  }

  /** Fills `to`. For hundreds of small reads in a row: an array for each would take longer than to read. */
  readInto(offset: number, to: Uint8Array): void {
    to.set(this.#read(offset, to.length, PAGES));
  }

  /** Returns a part of `pages`, where the pages fit in there. */
  #read(offset: number, length: number, pages?: Uint8Array<ArrayBuffer>): Uint8Array {
    if (length === 0) return NOTHING;
    const first = Math.floor(offset / PAGE_BYTES);
    const start = first * PAGE_BYTES;
    const end = Math.min(this.#length, Math.ceil((offset + length) / PAGE_BYTES) * PAGE_BYTES);
    const size = end - start;
    const isRoom = pages !== undefined && size <= pages.length;
    const bytes = this.#file.read(start, size, isRoom ? pages.subarray(0, size) : undefined);
    for (let at = 0, page = first; at < bytes.length; at += PAGE_BYTES, page += 1) {
      const sum = crc32(bytes.subarray(at, at + PAGE_BYTES));
      if (sum !== this.#sums[page]) throw damagedFile(this.#name);
    }
    return bytes.subarray(offset - start, offset - start + length);
  }
}

/** Number of bytes that sequential readers of sections read at once. */
const AHEAD_BYTES = 1 << 18;
/** At most four sections are read at the same time: terms and postings of words and of trigrams. */
const MAX_WINDOWS = 4;

/** A part of a file that was read. */
interface Window {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Reads the same, and more than it is asked for: a merge needs what follows next. */
export class PagesAhead {
  readonly #pages: Pick<CheckedPages, "read">;
  readonly #length: number;
  /** The one that was used last comes first. */
  #windows: readonly Window[] = [];

  /** `length`: how many bytes the pages have. */
  constructor(pages: Pick<CheckedPages, "read">, length: number) {
    this.#pages = pages;
    this.#length = length;
  }

  /** As `CheckedPages.read`. */
  read(offset: number, length: number): Uint8Array {
    let window = this.#windows.find((one) => {
      return offset >= one.offset && offset + length <= one.offset + one.bytes.length;
    });
    window ??= {
      offset,
      bytes: this.#pages.read(
        offset,
        Math.max(length, Math.min(AHEAD_BYTES, this.#length - offset)),
      ),
    };
    if (window !== this.#windows[0]) {
      const others = this.#windows.filter((one) => one !== window);
      this.#windows = [window, ...others.slice(0, MAX_WINDOWS - 1)];
    }
    return window.bytes.subarray(offset - window.offset, offset - window.offset + length);
  }
}

const NOTHING = new Uint8Array(0);
/** Pages that were just read. */
const PAGES = new Uint8Array(1 << 16);
