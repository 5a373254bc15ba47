// Files that an answer tells a line or two of each: as they are now, and read as cheaply as can be.

import { closeSync, fstatSync, readFileSync } from "node:fs";

import { chunkFile } from "../chunk/chunk.ts";
import type { IndexReader } from "../index/backend.ts";
import type { SymbolFacts } from "../index/outline.ts";
import { FolderReader } from "../sources/folder-reader.ts";
import type { Source } from "../sources/registry.ts";
import { isSame, sourceOf, type CurrentFile } from "./current-text.ts";
import { decodeText } from "./decode-text.ts";

export interface SourceFile extends CurrentFile {
  /** As the file is now; of one that changed since, what its structure tells without a grammar. */
  readonly symbols: readonly SymbolFacts[];
  /** Since it was indexed. */
  readonly changed: boolean;
}

/** Files of an index, each read once. */
export class SourceLines {
  readonly #reader: Pick<IndexReader, "file" | "symbolsOf">;
  readonly #sources: readonly Source[];
  /** By root; undefined for one that is gone. */
  readonly #folders = new Map<string, FolderReader | undefined>();
  readonly #files = new Map<string, SourceFile | undefined>();

  constructor(reader: Pick<IndexReader, "file" | "symbolsOf">, sources: readonly Source[]) {
    this.#reader = reader;
    this.#sources = sources;
  }

  /** `path` and `language` are those of the index. Undefined when the file is gone or leads out by now. */
  async read(path: string, language: string): Promise<SourceFile | undefined> {
    if (this.#files.has(path)) return this.#files.get(path);
    const current = this.#current(path);
    const file = current && (await this.#withSymbols(path, language, current));
    this.#files.set(path, file);
    return file;
  }

  async #withSymbols(path: string, language: string, current: CurrentFile): Promise<SourceFile> {
    if (isSame(await this.#reader.file(path), current)) {
      return { ...current, symbols: await this.#reader.symbolsOf(path), changed: false };
    }
    const text = current.lines.join("\n");
    const { symbols } = chunkFile({ path, language: language === "" ? undefined : language, text });
    return { ...current, symbols, changed: true };
  }

  #current(path: string): CurrentFile | undefined {
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
      const stat = fstatSync(file);
      if (!stat.isFile()) return undefined;
      const { text } = decodeText(readFileSync(file));
      const lines = text.split(text.includes("\r") ? /\r?\n/ : "\n");
      if (lines.at(-1) === "") lines.pop();
      return { lines, sizeBytes: stat.size, mtimeMs: stat.mtimeMs };
    } catch {
      return undefined;
    } finally {
      closeSync(file);
    }
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
