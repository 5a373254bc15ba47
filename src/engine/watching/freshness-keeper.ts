import { realpathSync } from "node:fs";

import type { Logger } from "../../base/log.ts";
import type { IndexLayout } from "../../index/layout.ts";
import type { Source } from "../../sources/registry.ts";
import type { IndexReport } from "../indexing/indexer.ts";
import { NamespaceWatch } from "./namespace-watch.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import { WatchThread } from "./watch-thread.ts";
import { freshnessOf, type Freshness } from "./watcher-note.ts";

interface FreshnessKeeperOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  readonly layout: (namespace: string) => IndexLayout;
  readonly sources: (namespace: string) => readonly Source[];
  /** A run over these folders, or everything, after all others of the namespace in this process. */
  readonly run: (
    namespace: string,
    folders: readonly SourceFolder[] | undefined,
  ) => Promise<IndexReport>;
}

type Listener = (report: IndexReport) => void;

/** A process watches so many namespaces: those it was asked about last, and those it was told to keep. */
const MOST_NAMESPACES = 16;

/** Keeps the namespaces fresh that this process uses, as far as no other process does. */
export class FreshnessKeeper {
  readonly #options: FreshnessKeeperOptions;
  readonly #thread = new WatchThread();
  /** The one used last comes last. */
  readonly #watches = new Map<string, NamespaceWatch>();
  readonly #kept = new Set<string>();
  readonly #listeners = new Map<string, Listener>();

  constructor(options: FreshnessKeeperOptions) {
    this.#options = options;
  }

  /** Watches a namespace from now on, until others have been used since; `keep` has it watched to the end. */
  use(namespace: string, { keep = false }: { readonly keep?: boolean } = {}): void {
    if (keep) this.#kept.add(namespace);
    const known = this.#watches.get(namespace);
    this.#watches.delete(namespace);
    this.#watches.set(namespace, known ?? this.#watch(namespace));
    if (this.#watches.size <= MOST_NAMESPACES) return;
    const oldest = [...this.#watches.keys()].find((name) => !this.#kept.has(name));
    if (oldest !== undefined) this.#stop(oldest);
  }

  /** Has `listener` hear of what changes. */
  listen(namespace: string, listener: Listener): void {
    this.#listeners.set(namespace, listener);
  }

  /**
   * Whether changes show by themselves, because this process or another watches. One that begins to looks at
   * everything by itself: if all who wait did so too, they would stand in line for the writer's lock.
   */
  isWatched(namespace: string): boolean {
    const mode = this.#watches.get(namespace)?.freshness.mode;
    return mode === "watched" || mode === "starting";
  }

  freshness(namespace: string): Freshness {
    const watch = this.#watches.get(namespace);
    return watch?.freshness ?? freshnessOf(this.#options.layout(namespace));
  }

  /** Forgets a namespace that is no more. */
  drop(namespace: string): void {
    this.#kept.delete(namespace);
    this.#listeners.delete(namespace);
    this.#stop(namespace);
  }

  async close(): Promise<void> {
    for (const namespace of this.#watches.keys()) this.#stop(namespace);
    await this.#thread.close();
  }

  #watch(namespace: string): NamespaceWatch {
    const { dataDirectory, logger, layout, sources, run } = this.#options;
    return new NamespaceWatch({
      namespace,
      layout: layout(namespace),
      logger,
      thread: this.#thread,
      sources: () => sources(namespace),
      // Otherwise each run would be followed by another, where the data lies in a source.
      leftOut: () => [realpathSync(dataDirectory)],
      run: (folders) => run(namespace, folders),
      ended: (report) => this.#listeners.get(namespace)?.(report),
      isListened: () => this.#listeners.has(namespace),
    });
  }

  #stop(namespace: string): void {
    this.#watches.get(namespace)?.close();
    this.#watches.delete(namespace);
  }
}
