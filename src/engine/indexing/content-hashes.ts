// Hashes the content of files without parsing it.

import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";

import { FolderReader } from "../../sources/folder-reader.ts";
import type { SourceRoot } from "../../sources/source-root.ts";

/** A larger file is read in parts of this size. */
const BUFFER_BYTES = 1 << 20;

/** Reads files one after the other. */
export class ContentHasher {
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  readonly #folders = new Map<string, FolderReader>();

  /**
   * Returns the first 128 bits of the SHA-256 of a file, in hex; `path` is relative to the root. Undefined if the file
   * cannot be read, leads out of its source, or has another size.
   */
  hashOf(source: SourceRoot, path: string, sizeBytes: number): string | undefined {
    let file: number;
    try {
      file = this.#folderOf(source).open(path);
    } catch {
      return undefined;
    }
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size !== sizeBytes) return undefined;
      return this.#hashOf(file, sizeBytes)?.slice(0, 32);
    } catch {
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  #hashOf(file: number, sizeBytes: number): string | undefined {
    const first = readSync(file, this.#buffer, 0, BUFFER_BYTES, null);
    if (first === sizeBytes) return hash("sha256", this.#buffer.subarray(0, first));
    const sum = createHash("sha256").update(this.#buffer.subarray(0, first));
    let length = first;
    while (length < sizeBytes) {
      const count = readSync(file, this.#buffer, 0, BUFFER_BYTES, null);
      if (count === 0) break;
      sum.update(this.#buffer.subarray(0, count));
      length += count;
    }
    return length === sizeBytes ? sum.digest("hex") : undefined;
  }

  #folderOf(source: SourceRoot): FolderReader {
    let folder = this.#folders.get(source.root);
    if (folder === undefined) {
      folder = new FolderReader(source);
      this.#folders.set(source.root, folder);
    }
    return folder;
  }
}
