// Opens files of sources one after the other, with the guard against links that lead out kept open.

import { closeSync } from "node:fs";

import { FolderReader } from "../sources/folder-reader.ts";
import type { Source } from "../sources/registry.ts";
import { sourceOf } from "./current-text.ts";

export class SourceFolders {
  readonly #sources: readonly Source[];
  /** By root; undefined for one that is gone. */
  readonly #folders = new Map<string, FolderReader | undefined>();

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  /** What `read` makes of the open file. Undefined when it is gone, leads out by now, or cannot be read. */
  withFile<T>(path: string, read: (file: number, source: Source) => T | undefined): T | undefined {
    const place = sourceOf(this.#sources, path);
    const folder = place && this.#folder(place.source.root);
    if (place === undefined || folder === undefined) return undefined;
    let file: number;
    try {
      file = folder.open(place.relative);
    } catch {
      return undefined;
    }
    try {
      return read(file, place.source);
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
