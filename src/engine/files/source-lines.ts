// Files that an answer tells a line or two of each: as they are now, and read as cheaply as can be.

import { fstatSync } from "node:fs";

import { chunkFile } from "../../chunk/chunk.ts";
import type { IndexReader } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/segment/outline.ts";
import { readOpen } from "../../sources/guarded-read.ts";
import type { Source } from "../../sources/registry.ts";
import { isUnchanged, type CurrentFile } from "./current-text.ts";
import { decodeText } from "./decode-text.ts";
import { maskedText } from "./masked-text.ts";
import { SourceFolders } from "./source-folders.ts";

/** What was indexed may have grown since. */
const MAX_BYTES = 4 << 20;

export interface SourceFileLines extends CurrentFile {
  /** As the file is now; of one that changed since, what its structure tells without a grammar. */
  readonly symbols: readonly SymbolFacts[];
  /** Since it was indexed. */
  readonly changed: boolean;
}

/** Files of an index, each read once. */
export class SourceLines {
  readonly #reader: Pick<IndexReader, "file" | "symbolsOf">;
  readonly #folders: SourceFolders;
  readonly #files = new Map<string, SourceFileLines | undefined>();

  constructor(reader: Pick<IndexReader, "file" | "symbolsOf">, sources: readonly Source[]) {
    this.#reader = reader;
    this.#folders = new SourceFolders(sources);
  }

  /** `path` and `language` are those of the index. Undefined when the file is gone or leads out by now. */
  async read(path: string, language: string): Promise<SourceFileLines | undefined> {
    if (this.#files.has(path)) return this.#files.get(path);
    const current = this.#current(path);
    const file = current && (await this.#withSymbols(path, language, current));
    this.#files.set(path, file);
    return file;
  }

  async #withSymbols(
    path: string,
    language: string,
    current: CurrentFile,
  ): Promise<SourceFileLines> {
    if (isUnchanged(await this.#reader.file(path), current)) {
      return { ...current, symbols: await this.#reader.symbolsOf(path), changed: false };
    }
    const text = current.lines.join("\n");
    const { symbols } = chunkFile({ path, language: language === "" ? undefined : language, text });
    return { ...current, symbols, changed: true };
  }

  #current(path: string): CurrentFile | undefined {
    return this.#folders.withFile(path, (file, source) => {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
      const text = maskedText(source, stat, decodeText(readOpen(file, stat.size)).text);
      const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
      if (lines.at(-1) === "") lines.pop();
      return { lines, sizeBytes: stat.size, mtimeMs: stat.mtimeMs };
    });
  }
}
