import { SourceWatcher, type SourceWatcherOptions } from "../../scan/source-watcher.ts";
import { WatchLimitError } from "../../scan/watch-limit-error.ts";
import { Debouncer } from "./debouncer.ts";
import type { ConfiguredSource } from "../indexing/project-settings.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";

/** Folders to check again, of all sources of a namespace. */
export interface DirtySourceFolders {
  /** Undefined for everything. */
  readonly folders: readonly SourceFolder[] | undefined;
}

interface WatchedSourcesListener {
  readonly onDirty: (dirty: DirtySourceFolders) => void;
  /** Called when watching has stopped. */
  readonly onLimit: (limit: WatchLimitError) => void;
}

export type WatchedSource = Pick<
  ConfiguredSource,
  "id" | "root" | "include" | "exclude" | "outsideGit" | "project"
>;

/** With more folders, a full scan is cheaper. */
const MAX_DIRTY_FOLDERS = 200;
/** Limit per source. Each watch takes about a kilobyte of kernel memory, and other programs need watches too. */
const MAX_WATCHED_FOLDERS = 50_000;
const ROOT_CHECK_MS = 2000;

/** Watches the sources of one namespace. */
export class WatchedSources {
  readonly #watches = new Map<number, SourceWatcher>();
  readonly #debouncer: Debouncer;
  readonly #rootTimer: NodeJS.Timeout;
  readonly #listener: WatchedSourcesListener;

  constructor(
    sources: readonly WatchedSource[],
    leftOut: readonly string[],
    listener: WatchedSourcesListener,
    options: Partial<Pick<SourceWatcherOptions, "maxFolders" | "isRecursive">> = {},
  ) {
    this.#listener = listener;
    const { maxFolders = MAX_WATCHED_FOLDERS } = options;
    this.#debouncer = new Debouncer({
      isBusy: () => [...this.#watches.values()].some((watch) => watch.isBusy()),
      end: () => this.#emitDirty(),
    });
    for (const { id, root, ...source } of sources) {
      const onEvent = (): void => this.#debouncer.add();
      const { include, exclude, outsideGit } = source;
      const project = source.project?.filter;
      const rest = { include, exclude, project, outsideGit, leftOut, maxFolders, onEvent };
      this.#watches.set(id, new SourceWatcher(root, { ...options, ...rest }));
    }
    this.#rootTimer = setInterval(() => this.#checkRoots(), ROOT_CHECK_MS);
  }

  get folders(): number {
    return [...this.#watches.values()].reduce((sum, { folders }) => sum + folders, 0);
  }

  /** False when watching failed; `onLimit` has been called. */
  open(): boolean {
    return this.#guarded(() => {
      for (const watch of this.#watches.values()) watch.open();
    });
  }

  close(): void {
    clearInterval(this.#rootTimer);
    this.#debouncer.close();
    for (const watch of this.#watches.values()) watch.close();
  }

  #checkRoots(): void {
    if ([...this.#watches.values()].some((watch) => watch.isRootReplaced())) this.#debouncer.add();
  }

  #emitDirty(): void {
    this.#guarded(() => {
      const folders: SourceFolder[] = [];
      let isRescan = false;
      for (const [source, watch] of this.#watches) {
        const dirty = watch.drain();
        isRescan ||= dirty.isComplete;
        for (const path of dirty.folders) folders.push({ source, path });
      }
      if (isRescan || folders.length > MAX_DIRTY_FOLDERS)
        this.#listener.onDirty({ folders: undefined });
      else if (folders.length > 0) this.#listener.onDirty({ folders });
    });
  }

  /** Runs `action`; on failure closes all watches, because incomplete ones are useless and take the limit from others. */
  #guarded(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (thrown) {
      this.close();
      const limit =
        thrown instanceof WatchLimitError ? thrown : new WatchLimitError(String(thrown));
      this.#listener.onLimit(limit);
      return false;
    }
  }
}
