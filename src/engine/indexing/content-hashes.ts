// Hashes the content of files without parsing it.

import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";

import type { ProvenContent } from "../../index/index-base.ts";
import { FolderReader } from "../../sources/folder-reader.ts";
import type { FoundFile } from "./source-scan.ts";

/** A larger file is read in parts of this size. */
const BUFFER_BYTES = 1 << 20;

/** Reads files one after the other. */
export class ContentHasher {
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  readonly #folders = new Map<string, FolderReader>();

  /** Undefined if the file cannot be read, or is not as long as the scan says. */
  contentOf({ source, record }: FoundFile): ProvenContent | undefined {
    // Taken before reading: a later write has a later time.
    const indexedMs = Date.now();
    let file: number;
    try {
      file = this.#folderOf(source).open(record.path);
    } catch {
      return undefined;
    }
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size !== record.sizeBytes) return undefined;
      const sum = this.#hashOf(file, stat.size);
      const { mtimeMs, inode } = record;
      return sum === undefined ? undefined : { hash: sum.slice(0, 32), mtimeMs, inode, indexedMs };
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

  #folderOf(source: FoundFile["source"]): FolderReader {
    let folder = this.#folders.get(source.root);
    if (folder === undefined) {
      folder = new FolderReader(source);
      this.#folders.set(source.root, folder);
    }
    return folder;
  }
}
