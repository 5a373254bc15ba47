import { closeSync } from "node:fs";

import {
  MAX_INDEXED_BYTES,
  readOpenTextFile,
  skipReasonOf,
  type TextFile,
} from "../../scan/read-text-file.ts";
import type { SkipReason } from "../../scan/skip-reasons.ts";
import { FolderReader } from "../../sources/folder-reader.ts";
import type { SourceRoot } from "../../sources/source-root.ts";
import type { FoundFile } from "./source-scan.ts";

export interface FileContent extends TextFile {
  /** The text in UTF-8; valid until the next read. */
  readonly bytes: Buffer;
  /** As stored, before decoding; valid until the next read. */
  readonly rawBytes: Buffer;
}

/** Reads files of sources one after the other into a shared buffer. */
export class ContentReader {
  readonly #limitBytes: number;
  readonly #buffer: Buffer;
  readonly #folders = new Map<string, FolderReader>();

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#buffer = Buffer.allocUnsafe(limitBytes + 1);
  }

  /** `path` is relative to the root. Refuses links that lead out: a folder may have become one since the scan. */
  read(source: SourceRoot, path: string): FileContent | { readonly skip: SkipReason } {
    let file: number;
    try {
      file = this.#folder(source).open(path);
    } catch (thrown) {
      return { skip: skipReasonOf(thrown) };
    }
    try {
      const content = readOpenTextFile(file, this.#limitBytes, this.#buffer);
      if ("skip" in content) return content;
      const { text, isAscii, hash, sizeBytes, generated } = content;
      const rawBytes = this.#buffer.subarray(0, sizeBytes);
      // A text of Windows-1252 also has as many characters as bytes, but other bytes in UTF-8.
      const bytes = isAscii ? rawBytes : Buffer.from(text);
      return { text, isAscii, hash: hash.slice(0, 32), sizeBytes, generated, bytes, rawBytes };
    } finally {
      closeSync(file);
    }
  }

  #folder(source: SourceRoot): FolderReader {
    const { root } = source;
    let folder = this.#folders.get(root);
    if (folder === undefined) {
      folder = new FolderReader(source);
      this.#folders.set(root, folder);
    }
    return folder;
  }
}

/** Returns what reads the text of a file, by its path in the namespace, if its content has a hash. */
export function textsWithHash(
  files: readonly FoundFile[],
): (path: string, hash: string) => string | undefined {
  const found = new Map(files.map((file) => [file.path, file]));
  const reader = new ContentReader(MAX_INDEXED_BYTES);
  return (path, hash) => {
    const file = found.get(path);
    const content = file && reader.read(file.source, file.record.path);
    const isSame = content !== undefined && !("skip" in content) && content.hash === hash;
    return isSame ? content.text : undefined;
  };
}
