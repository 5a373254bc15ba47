import type { EngineRequest } from "./request.ts";

export interface StatusRequest extends EngineRequest {
  readonly detail: "summary" | "skipped" | "health";
  /** Begin with the namespace of the workspace, which queries are about; by default the order is that of the names. */
  readonly isWorkspaceFirst?: boolean;
}

/** State of a namespace and its index, as `index_status` and `svc status --json` report it. */
export interface NamespaceStatus {
  readonly name: string;
  readonly state: "empty" | "indexing" | "ready" | "degraded";
  readonly generation: number;
  readonly sources: readonly {
    readonly root: string;
    readonly prefix: string;
    readonly available: boolean;
    /** Globs; absent when there are none. */
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    /** Names of the settings in its `.svc.toml` that narrow the index further; absent when there are none. */
    readonly settings?: readonly string[];
    /** Names of the git remotes of a folder, such as `github.com/owner/project`; absent when there are none. */
    readonly repositories?: readonly string[];
    /** These four only for a fetched repository. */
    readonly url?: string;
    readonly ref?: string;
    readonly commit?: string;
    readonly fetched_at?: string;
    /** Why the source, or its git repository, is not available, and how to fix it. */
    readonly problem?: string;
  }[];
  readonly files: number;
  readonly chunks: number;
  readonly symbols: number;
  readonly bytes: number;
  readonly stages: readonly {
    readonly name: string;
    readonly done: number;
    readonly total: number;
  }[];
  /** Reason -> number of files whose content is not indexed. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly skipped_files?: readonly { readonly path: string; readonly reason: string }[];
  /** What SCIP indexes say of the files; absent if none was imported. */
  readonly scip?: {
    /** Names and versions of the indexers. */
    readonly tools: readonly string[];
    /** Number of files that they describe. */
    readonly files: number;
    /** Number of files that have not changed since; only their facts are used. */
    readonly current: number;
  };
  /** The index that this one started from; absent if it was built from the files. */
  readonly started_from?: {
    /** Its namespace. */
    readonly namespace: string;
    /** Number of files that were the same, and of all files, at that time. */
    readonly same: number;
    readonly files: number;
  };
  /** The namespaces of the packages that the project depends on; absent if none are indexed. */
  readonly dependencies?: readonly string[];
  /** Reason -> number of files indexed without their grammar; absent when there are none. */
  readonly problems?: Readonly<Record<string, number>>;
  readonly problem_files?: readonly { readonly path: string; readonly reason: string }[];
  readonly indexed_at: string | null;
  /** When the last check of all files ended; null before the first. */
  readonly looked_at: string | null;
  /** Result of that run; null before the first. */
  readonly last_run: {
    /** `index`: on request; `background`: a query found the last check too old; `watch`: by the watcher. */
    readonly by: string;
    readonly process: number;
    readonly problem?: string;
    readonly warnings: readonly string[];
  } | null;
  readonly freshness: Freshness;
  /** `ok` if the whole index was read and every checksum matched; only with the detail `health`. */
  readonly integrity?: "ok" | "damaged";
  /** The problem and its fix; only when degraded. */
  readonly problem?: string;
}

/**
 * `starting`: the watcher is starting and may miss changes. `watched`: the index follows changes within moments.
 * `polled`: the files cannot be watched and are checked periodically. `asked`: not watched; files are checked on
 * each query.
 */
export type FreshnessMode = "starting" | "watched" | "polled" | "asked";

export interface Freshness {
  readonly mode: FreshnessMode;
  /** The process that watches or polls; null for none. */
  readonly pid: number | null;
  /** Number of watched folders. */
  readonly folders: number;
  /** Why it cannot watch, and the fix. */
  readonly problem?: string;
}
