// The texts of many files, one after the other, as cheaply as they can be had.

import { fstatSync, readSync, type Stats } from "node:fs";

import type { Source } from "../../sources/registry.ts";
import { decodeText, isBinary } from "../files/decode-text.ts";
import { maskedText } from "../files/masked-text.ts";
import { SourceFolders } from "../files/source-folders.ts";

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
  /** One byte more than a file may have: a larger one shows. */
  readonly #buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  readonly #folders: SourceFolders;

  constructor(sources: readonly Source[]) {
    this.#folders = new SourceFolders(sources);
  }

  /** Undefined when the file is gone, cannot be read, or is nothing that would be indexed. */
  read(path: string): FileText | undefined {
    return this.#folders.withFile(path, (file, source) => this.#read(file, source));
  }

  #read(file: number, source: Source): FileText | undefined {
    const stat = fstatSync(file);
    const bytes = this.#readAll(file, stat);
    if (bytes === undefined) return undefined;
    const decoded = decodeText(bytes);
    if (isBinary(bytes, decoded)) return undefined;
    const { isAscii } = decoded;
    const text = maskedText(source, stat, decoded.text);
    const sizeBytes = bytes.length;
    if (!text.includes("\r")) return { text, isPlain: isAscii, sizeBytes };
    const unified = text.replaceAll("\r\n", "\n");
    return { text: unified, isPlain: isAscii && !unified.includes("\r"), sizeBytes };
  }

  /** Valid until the next call. */
  #readAll(file: number, stat: Stats): Buffer | undefined {
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
}
