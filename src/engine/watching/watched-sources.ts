import { SourceWatch, type SourceWatchOptions } from "../../scan/source-watch.ts";
import { WatchLimit } from "../../scan/watch-limit.ts";
import type { Source } from "../../sources/registry.ts";
import { Batcher } from "./batcher.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";

/** What has to be looked at again, of all sources of a namespace. */
export interface TouchedFolders {
  /** Undefined for everything. */
  readonly folders: readonly SourceFolder[] | undefined;
}

interface Listener {
  readonly touched: (touched: TouchedFolders) => void;
  /** Nothing is watched any more. */
  readonly limited: (limit: WatchLimit) => void;
}

export type WatchedSource = Pick<Source, "id" | "root" | "include" | "exclude">;

/** More folders than that, and looking at everything is cheaper. */
const MOST_FOLDERS = 200;
/** Of one source. Each costs the kernel about a kilobyte, and other programs need watches too. */
const MAX_WATCHED_FOLDERS = 50_000;
const ROOT_LOOK_MS = 2000;

/** Watches the sources of one namespace. */
export class WatchedSources {
  readonly #watches = new Map<number, SourceWatch>();
  readonly #batcher: Batcher;
  readonly #rootLook: NodeJS.Timeout;
  readonly #listener: Listener;

  constructor(
    sources: readonly WatchedSource[],
    leftOut: readonly string[],
    listener: Listener,
    options: Partial<Pick<SourceWatchOptions, "maxFolders" | "isRecursive">> = {},
  ) {
    this.#listener = listener;
    const { maxFolders = MAX_WATCHED_FOLDERS } = options;
    this.#batcher = new Batcher({
      isBusy: () => [...this.#watches.values()].some((watch) => watch.isBusy()),
      end: () => this.#end(),
    });
    for (const { id, root, include, exclude } of sources) {
      const onEvent = (): void => this.#batcher.add();
      const rest = { include, exclude, leftOut, maxFolders, onEvent };
      this.#watches.set(id, new SourceWatch(root, { ...options, ...rest }));
    }
    this.#rootLook = setInterval(() => this.#lookAtRoots(), ROOT_LOOK_MS);
  }

  get folders(): number {
    return [...this.#watches.values()].reduce((sum, { folders }) => sum + folders, 0);
  }

  /** False where it could not be done; the listener has been told then. */
  open(): boolean {
    return this.#guarded(() => {
      for (const watch of this.#watches.values()) watch.open();
    });
  }

  close(): void {
    clearInterval(this.#rootLook);
    this.#batcher.close();
    for (const watch of this.#watches.values()) watch.close();
  }

  #lookAtRoots(): void {
    if ([...this.#watches.values()].some((watch) => watch.isReplaced())) this.#batcher.add();
  }

  #end(): void {
    this.#guarded(() => {
      const folders: SourceFolder[] = [];
      let isWhole = false;
      for (const [source, watch] of this.#watches) {
        const touched = watch.take();
        isWhole ||= touched.isWhole;
        for (const path of touched.folders) folders.push({ source, path });
      }
      if (isWhole || folders.length > MOST_FOLDERS) this.#listener.touched({ folders: undefined });
      else if (folders.length > 0) this.#listener.touched({ folders });
    });
  }

  /** Watches that do not see everything are worse than none, and are taken from others. */
  #guarded(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (thrown) {
      this.close();
      const limit = thrown instanceof WatchLimit ? thrown : new WatchLimit(String(thrown));
      this.#listener.limited(limit);
      return false;
    }
  }
}
