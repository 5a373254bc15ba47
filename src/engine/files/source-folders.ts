// Opens files of sources. The root folder stays open, and symbolic links that lead out of it are refused.

import { closeSync } from "node:fs";

import { FolderReader } from "../../sources/folder-reader.ts";
import { sourceOf } from "./current-text.ts";
import type { TrackedSource } from "./tracked-source.ts";

export class SourceFolders {
  readonly #sources: readonly TrackedSource[];
  /** Root -> its folder; undefined when it is not available. */
  readonly #folders = new Map<string, FolderReader | undefined>();

  constructor(sources: readonly TrackedSource[]) {
    this.#sources = sources;
  }

  /** The result of `read` on the open file. Undefined when it does not exist, leads out, or cannot be read. */
  withFile<T>(
    path: string,
    read: (file: number, source: TrackedSource) => T | undefined,
  ): T | undefined {
    const place = sourceOf(this.#sources, path);
    if (place === undefined) return undefined;
    const { onRead } = place.source;
    let file: number | undefined;
    try {
      file = this.#folder(place.source)?.open(place.relative);
    } catch {
      // It does not exist, or leads out.
    }
    if (file === undefined) {
      onRead?.(path, undefined);
      return undefined;
    }
    try {
      onRead?.(path, file);
      return read(file, place.source);
    } catch {
      return undefined;
    } finally {
      closeSync(file);
    }
  }

  #folder(source: TrackedSource): FolderReader | undefined {
    const { root } = source;
    if (this.#folders.has(root)) return this.#folders.get(root);
    let folder: FolderReader | undefined;
    try {
      folder = new FolderReader(source);
    } catch {
      // The source is not available.
    }
    this.#folders.set(root, folder);
    return folder;
  }
}
