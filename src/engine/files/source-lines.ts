// Reads files from which an answer shows a line or two: their current text, at the lowest cost.

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

/** A file may have grown since it was indexed. */
const MAX_BYTES = 4 << 20;

export interface SourceFileLines extends CurrentFile {
  /** Symbols of the current text. For a changed file, those that are found without a grammar. */
  readonly symbols: readonly SymbolFacts[];
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
}

/** Reads each file of an index once. */
export class SourceLines {
  readonly #reader: Pick<IndexReader, "file" | "symbolsOf">;
  readonly #folders: SourceFolders;
  readonly #files = new Map<string, SourceFileLines | undefined>();

  constructor(reader: Pick<IndexReader, "file" | "symbolsOf">, sources: readonly Source[]) {
    this.#reader = reader;
    this.#folders = new SourceFolders(sources);
  }

  /** `path` and `language` are those of the index. Undefined when the file does not exist or leads out. */
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
