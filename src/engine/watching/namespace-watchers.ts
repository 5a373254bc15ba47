import { realpathSync } from "node:fs";

import type { Logger } from "../../base/log.ts";
import type { IndexLayout } from "../../index/embedded/layout.ts";
import type { Source } from "../../sources/registry.ts";
import type { IndexReport } from "../indexing/indexer.ts";
import { WatchLeader } from "./leader.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import { WatchThread } from "./watch-thread.ts";
import { freshnessOf, type Freshness } from "./heartbeat.ts";

interface NamespaceWatchersOptions {
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
const MAX_NAMESPACES = 16;

/** Keeps the namespaces fresh that this process uses, as far as no other process does. */
export class NamespaceWatchers {
  readonly #options: NamespaceWatchersOptions;
  readonly #thread = new WatchThread();
  /** The one used last comes last. */
  readonly #leaders = new Map<string, WatchLeader>();
  readonly #pinned = new Set<string>();
  readonly #listeners = new Map<string, Listener>();

  constructor(options: NamespaceWatchersOptions) {
    this.#options = options;
  }

  /** Watches a namespace from now on, until others have been used since; `isPinned` has it watched to the end. */
  watch(namespace: string, { isPinned = false }: { readonly isPinned?: boolean } = {}): void {
    if (isPinned) this.#pinned.add(namespace);
    const known = this.#leaders.get(namespace);
    this.#leaders.delete(namespace);
    this.#leaders.set(namespace, known ?? this.#createLeader(namespace));
    if (this.#leaders.size <= MAX_NAMESPACES) return;
    const oldest = [...this.#leaders.keys()].find((name) => !this.#pinned.has(name));
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
    const mode = this.#leaders.get(namespace)?.freshness.mode;
    return mode === "watched" || mode === "starting";
  }

  freshness(namespace: string): Freshness {
    const watch = this.#leaders.get(namespace);
    return watch?.freshness ?? freshnessOf(this.#options.layout(namespace));
  }

  /** Forgets a namespace that is no more. */
  drop(namespace: string): void {
    this.#pinned.delete(namespace);
    this.#listeners.delete(namespace);
    this.#stop(namespace);
  }

  async close(): Promise<void> {
    for (const namespace of this.#leaders.keys()) this.#stop(namespace);
    await this.#thread.close();
  }

  #createLeader(namespace: string): WatchLeader {
    const { dataDirectory, logger, layout, sources, run } = this.#options;
    return new WatchLeader({
      namespace,
      layout: layout(namespace),
      logger,
      thread: this.#thread,
      sources: () => sources(namespace),
      // Otherwise each run would be followed by another, where the data lies in a source.
      excludedFolders: () => [realpathSync(dataDirectory)],
      run: (folders) => run(namespace, folders),
      onRunEnd: (report) => this.#listeners.get(namespace)?.(report),
      hasListener: () => this.#listeners.has(namespace),
    });
  }

  #stop(namespace: string): void {
    this.#leaders.get(namespace)?.close();
    this.#leaders.delete(namespace);
  }
}
