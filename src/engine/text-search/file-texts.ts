// Reads the texts of many files, one after the other, at the lowest cost.

import { fstatSync, readSync, type Stats } from "node:fs";

import type { Source } from "../../sources/registry.ts";
import { decodeText, isBinary } from "../files/decode-text.ts";
import { maskedText } from "../files/masked-text.ts";
import { SourceFolders } from "../files/source-folders.ts";

/** The size limit of the index. */
const MAX_FILE_BYTES = 1 << 20;

export interface FileText {
  /** The text with "\n" for "\r\n". */
  readonly text: string;
  /** True for ASCII without "\r". */
  readonly isPlain: boolean;
  readonly sizeBytes: number;
}

export class FileTexts {
  /** One byte more than the limit, to detect larger files. */
  readonly #buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  readonly #folders: SourceFolders;

  constructor(sources: readonly Source[]) {
    this.#folders = new SourceFolders(sources);
  }

  /** Undefined when the file does not exist, cannot be read, is too large, or is binary. */
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

  /** The bytes of the file, valid until the next call. */
  #readAll(file: number, stat: Stats): Buffer | undefined {
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return undefined;
    let length = 0;
    // Files with size 0 may have content, such as those in /proc.
    const wanted = stat.size === 0 ? this.#buffer.length : stat.size;
    while (length < wanted) {
      const count = readSync(file, this.#buffer, length, wanted - length, null);
      if (count === 0) break;
      length += count;
    }
    return length > MAX_FILE_BYTES ? undefined : this.#buffer.subarray(0, length);
  }
}
