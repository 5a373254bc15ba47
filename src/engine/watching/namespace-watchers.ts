import type { Logger } from "../../base/log.ts";
import { realPath } from "../../sources/confined-path.ts";
import type { Leases } from "../../backend/leases/port.ts";
import type { IndexReport } from "../api/index-report.ts";
import { WatchLeader } from "./leader.ts";
import type { ConfiguredSource } from "../indexing/project-settings.ts";
import type { SourceFolder } from "../indexing/source-scan.ts";
import { WatchThread } from "./watch-thread.ts";
import type { Freshness } from "../api/status.ts";
import { freshnessOf } from "./heartbeat.ts";

interface NamespaceWatchersOptions {
  readonly dataDirectory: string;
  readonly logger: Logger;
  readonly leases: Leases;
  readonly sources: (namespace: string) => Promise<readonly ConfiguredSource[]>;
  /** Runs over these folders, or everything, after all other runs of the namespace in this process. */
  readonly run: (
    namespace: string,
    folders: readonly SourceFolder[] | undefined,
  ) => Promise<IndexReport>;
}

type Listener = (report: IndexReport) => void;

/** Maximum namespaces watched by a process: the most recently used ones, and the pinned ones. */
const MAX_NAMESPACES = 16;

/** Keeps the namespaces that this process uses up to date, unless another process does. */
export class NamespaceWatchers {
  readonly #options: NamespaceWatchersOptions;
  readonly #thread = new WatchThread();
  /** In order of use, the most recent last. */
  readonly #leaders = new Map<string, WatchLeader>();
  readonly #pinned = new Set<string>();
  readonly #listeners = new Map<string, Listener>();

  constructor(options: NamespaceWatchersOptions) {
    this.#options = options;
  }

  /** Starts to watch a namespace. More recently used ones may displace it, unless `isPinned`. */
  watch(namespace: string, { isPinned = false }: { readonly isPinned?: boolean } = {}): void {
    if (isPinned) this.#pinned.add(namespace);
    const known = this.#leaders.get(namespace);
    this.#leaders.delete(namespace);
    this.#leaders.set(namespace, known ?? this.#createLeader(namespace));
    if (this.#leaders.size <= MAX_NAMESPACES) return;
    const oldest = [...this.#leaders.keys()].find((name) => !this.#pinned.has(name));
    if (oldest !== undefined) void this.#stop(oldest);
  }

  /** Calls `listener` after each incremental run. */
  listen(namespace: string, listener: Listener): void {
    this.#listeners.set(namespace, listener);
  }

  /**
   * Whether this process or another watches the namespace. True also while the watcher starts, because it then runs a
   * full scan: if every waiting process did so too, they would queue for the writer's lock.
   */
  isWatched(namespace: string): boolean {
    const mode = this.#leaders.get(namespace)?.freshness.mode;
    return mode === "watched" || mode === "starting";
  }

  /** As `isWatched`, but waits until a watcher that has just been started knows whether it leads or another process does. */
  async willBeWatched(namespace: string): Promise<boolean> {
    await this.#leaders.get(namespace)?.begun();
    return this.isWatched(namespace);
  }

  async freshness(namespace: string): Promise<Freshness> {
    const leader = this.#leaders.get(namespace);
    await leader?.begun();
    return leader?.freshness ?? freshnessOf(this.#options.leases, namespace);
  }

  /** Stops watching a removed namespace. */
  drop(namespace: string): void {
    this.#pinned.delete(namespace);
    this.#listeners.delete(namespace);
    void this.#stop(namespace);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#leaders.keys()].map((namespace) => this.#stop(namespace)));
    await this.#thread.close();
  }

  #createLeader(namespace: string): WatchLeader {
    const { dataDirectory, logger, leases, sources, run } = this.#options;
    return new WatchLeader({
      namespace,
      leases,
      logger,
      thread: this.#thread,
      sources: () => sources(namespace),
      // When the data directory is inside a source, each run would cause another.
      excludedFolders: () => [realPath(dataDirectory)],
      run: (folders) => run(namespace, folders),
      onRunEnd: (report) => this.#listeners.get(namespace)?.(report),
      hasListener: () => this.#listeners.has(namespace),
    });
  }

  async #stop(namespace: string): Promise<void> {
    const leader = this.#leaders.get(namespace);
    this.#leaders.delete(namespace);
    await leader?.close();
  }
}
