// The texts of many files, one after the other, as cheaply as they can be had.

import { closeSync, fstatSync, readSync } from "node:fs";

import { FolderReader } from "../sources/folder-reader.ts";
import type { Source } from "../sources/registry.ts";
import { sourceOf } from "./current-text.ts";
import { decodeText, isBinary } from "./decode-text.ts";

/** Larger files are not in the index. */
const MAX_FILE_BYTES = 1 << 20;

export interface FileText {
  /** Lines end with "\n" alone. */
  readonly text: string;
  /** ASCII without "\r". */
  readonly isPlain: boolean;
  readonly sizeBytes: number;
}

export class FileTexts {
  readonly #sources: readonly Source[];
  /** One byte more than a file may have: a larger one shows. */
  readonly #buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  /** By root; undefined for one that is gone. */
  readonly #folders = new Map<string, FolderReader | undefined>();

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /** Undefined when the file is gone, cannot be read, or is nothing that would be indexed. */
  read(path: string): FileText | undefined {
    const bytes = this.#bytesOf(path);
    if (bytes === undefined) return undefined;
    const decoded = decodeText(bytes);
    if (isBinary(bytes, decoded)) return undefined;
    const { text, isAscii } = decoded;
    const sizeBytes = bytes.length;
    if (!text.includes("\r")) return { text, isPlain: isAscii, sizeBytes };
    const unified = text.replaceAll("\r\n", "\n");
    return { text: unified, isPlain: isAscii && !unified.includes("\r"), sizeBytes };
  }

  /** Valid until the next call. */
  #bytesOf(path: string): Buffer | undefined {
    const place = sourceOf(this.#sources, path);
    const folder = place && this.#folder(place.source.root);
    if (place === undefined || folder === undefined) return undefined;
    let file: number;
    try {
      file = folder.open(place.relative);
    } catch {
      // Gone, refused, or it leads out by now.
      return undefined;
    }
    try {
      return this.#readAll(file);
    } catch {
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  #readAll(file: number): Buffer | undefined {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return undefined;
    let length = 0;
    // One that says 0 may be longer, as those of /proc are.
    const wanted = stat.size === 0 ? this.#buffer.length : stat.size;
    while (length < wanted) {
      const count = readSync(file, this.#buffer, length, wanted - length, null);
      if (count === 0) break;
      length += count;
    }
    return length > MAX_FILE_BYTES ? undefined : this.#buffer.subarray(0, length);
  }

  #folder(root: string): FolderReader | undefined {
    if (this.#folders.has(root)) return this.#folders.get(root);
    let folder: FolderReader | undefined;
    try {
      folder = new FolderReader(root);
    } catch {
      // The source is not there at present.
    }
    this.#folders.set(root, folder);
    return folder;
  }
}
