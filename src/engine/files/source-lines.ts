// Reads files from which an answer shows a line or two.

import type { IndexReader } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { SourceText } from "../../sources/text/source-text.ts";
import { textIfReadable } from "./current-file.ts";

export interface SourceFileLines extends Pick<SourceText, "lines" | "sizeBytes" | "document"> {
  /** Symbols of the current text. For a changed file, those that are found without a grammar. */
  readonly symbols: () => Promise<readonly SymbolFacts[]>;
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
}

/** Reads each file of an index once. */
export class SourceLines {
  readonly #reader: Pick<IndexReader, "file" | "symbolsOf">;
  readonly #texts: TextReader;
  readonly #files = new Map<string, SourceFileLines | undefined>();

  constructor(reader: Pick<IndexReader, "file" | "symbolsOf">, texts: TextReader) {
    this.#reader = reader;
    this.#texts = texts;
  }

  /** Gets files ready that will probably be read: together, where reading one takes as long. */
  async prefetch(paths: readonly string[]): Promise<void> {
    await this.#texts.prefetch(paths.filter((path) => !this.#files.has(path)));
  }

  /** Undefined when the file has no text. */
  async read(path: string): Promise<SourceFileLines | undefined> {
    if (this.#files.has(path)) return this.#files.get(path);
    const file = await this.#read(path);
    this.#files.set(path, file);
    return file;
  }

  async #read(path: string): Promise<SourceFileLines | undefined> {
    const known = await this.#reader.file(path);
    const current = await textIfReadable(this.#texts, path, known);
    if (current === undefined) return undefined;
    const { lines, sizeBytes, document } = current;
    if (known !== undefined && !current.isChanged) {
      return {
        lines,
        sizeBytes,
        document,
        symbols: once(() => this.#reader.symbolsOf(path)),
        changed: false,
      };
    }
    // An index has "" for a file without a language.
    const language = known?.language === "" ? undefined : known?.language;
    const symbols = once(async () => {
      const { chunkFile } = await import("../../chunk/chunk.ts");
      return chunkFile({ path, language, text: lines.join("\n"), document }).symbols;
    });
    return { lines, sizeBytes, document, symbols, changed: true };
  }
}

/** Calls `read` the first time only. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}
