import type { Freshness } from "./watching/heartbeat.ts";

/** What is known of a namespace and its index, as `index_status` and `svc status --json` tell it. */
export interface NamespaceStatus {
  readonly name: string;
  readonly state: "empty" | "indexing" | "ready" | "degraded";
  readonly generation: number;
  readonly sources: readonly {
    readonly root: string;
    readonly prefix: string;
    readonly available: boolean;
    /** Globs; absent where there are none. */
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
    /** Of a repository that was fetched. */
    readonly url?: string;
    readonly ref?: string;
    readonly commit?: string;
    readonly fetched_at?: string;
    /** Why it, or its git repository, is not available, and how to fix that. */
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
  /** Reason -> files whose content is not indexed. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly skipped_files?: readonly { readonly path: string; readonly reason: string }[];
  /** Reason -> files that were indexed without their grammar; absent where there are none. */
  readonly problems?: Readonly<Record<string, number>>;
  readonly problem_files?: readonly { readonly path: string; readonly reason: string }[];
  readonly indexed_at: string | null;
  /** When all files were last looked at; null before the first time. */
  readonly looked_at: string | null;
  /** How that run went; null before the first. */
  readonly last_run: {
    /** `index`: asked for; `background`: a question found the last look too old; `watch`: who watches. */
    readonly by: string;
    readonly process: number;
    readonly problem?: string;
    readonly warnings: readonly string[];
  } | null;
  readonly freshness: Freshness;
  /** `ok` once the whole index was read and every checksum matched; only with the detail `health`. */
  readonly integrity?: "ok" | "damaged";
  /** What is wrong, and how to mend it; only when degraded. */
  readonly problem?: string;
}
