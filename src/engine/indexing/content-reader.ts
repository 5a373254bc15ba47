import { closeSync } from "node:fs";

import { readOpenText, type TextFile } from "../../scan/read-text.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import { FolderReader } from "../../sources/folder-reader.ts";

export interface Content extends TextFile {
  /** The text in UTF-8; valid until the next read. */
  readonly bytes: Buffer;
}

/** Reads files of sources one after the other, into one buffer. */
export class ContentReader {
  readonly #limitBytes: number;
  readonly #buffer: Buffer;
  readonly #folders = new Map<string, FolderReader>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#buffer = Buffer.allocUnsafe(limitBytes + 1);
  }

  /** `path` is relative to `root`. Opened through the guard: a folder may have become a link since it was listed. */
  read(root: string, path: string): Content | { readonly skip: SkipReason } {
    let file: number;
    try {
      file = this.#folder(root).open(path);
    } catch {
      return { skip: "unreadable" };
    }
    try {
      const content = readOpenText(file, this.#limitBytes, this.#buffer);
      if ("skip" in content) return content;
      const { text, hash, sizeBytes, generated } = content;
      // As many characters as bytes: ASCII, and the buffer holds the text as it is.
      const isAscii = text.length === sizeBytes;
      const bytes = isAscii ? this.#buffer.subarray(0, sizeBytes) : Buffer.from(text);
      return { text, hash: hash.slice(0, 32), sizeBytes, generated, bytes };
    } finally {
      closeSync(file);
    }
  }

  #folder(root: string): FolderReader {
    let folder = this.#folders.get(root);
    if (folder === undefined) {
      folder = new FolderReader(root);
      this.#folders.set(root, folder);
    }
    return folder;
  }
}
