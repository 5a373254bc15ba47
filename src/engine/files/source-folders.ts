// Opens files of sources one after the other, with the guard against links that lead out kept open.

import { closeSync } from "node:fs";

import { FolderReader } from "../../sources/folder-reader.ts";
import { sourceOf } from "./current-text.ts";
import type { HeardSource } from "../grounds.ts";

export class SourceFolders {
  readonly #sources: readonly HeardSource[];
  /** By root; undefined for one that is gone. */
  readonly #folders = new Map<string, FolderReader | undefined>();

  constructor(sources: readonly HeardSource[]) {
    this.#sources = sources;
  }

  /** What `read` makes of the open file. Undefined when it is gone, leads out by now, or cannot be read. */
  withFile<T>(
    path: string,
    read: (file: number, source: HeardSource) => T | undefined,
  ): T | undefined {
    const place = sourceOf(this.#sources, path);
    if (place === undefined) return undefined;
    const { root, hear } = place.source;
    let file: number | undefined;
    try {
      file = this.#folder(root)?.open(place.relative);
    } catch {
      // It is gone, or leads out.
    }
    if (file === undefined) {
      hear?.(path, undefined);
      return undefined;
    }
    try {
      hear?.(path, file);
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
