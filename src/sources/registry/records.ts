// The records of the registry, for any backend.

import type { SourceRoot } from "../source-root.ts";

/** A named collection of sources. */
export interface NamespaceRecord {
  readonly name: string;
  /** ISO 8601. It distinguishes a namespace from a later one of the same name. */
  readonly createdAt: string;
}

/** One source of a namespace. */
export interface Source extends SourceRoot {
  readonly id: number;
  /** Prefix of its paths: "" for the first source of a namespace, `name/` for the others. */
  readonly prefix: string;
  /** Globs in .gitignore syntax; empty to include all files. */
  readonly include: readonly string[];
  /** Globs in .gitignore syntax. */
  readonly exclude: readonly string[];
  /** ISO 8601. */
  readonly addedAt: string;
  /** Branch, tag or commit; undefined for the repository's default branch. */
  readonly ref?: string | undefined;
  /** Time of the last fetch, ISO 8601; undefined for a folder. */
  readonly fetchedAt?: string | undefined;
  /**
   * The commit of the last fetch. Only in a registry that machines share: each has a clone of its own, and indexes it only
   * while it has this commit.
   */
  readonly fetchedCommit?: string | undefined;
  /** Real path of a git directory outside the root that the owner has allowed (sources/git-location.ts). */
  readonly outsideGit?: string | undefined;
  /** Whether the owner wants its text shown with secrets. */
  readonly showsSecrets?: true | undefined;
}

/** A pending deletion: the index of a namespace, by its name, or a clone, by its root. */
export interface PendingDeletion {
  readonly kind: "index" | "clone";
  /** Name of the namespace, or root of the clone. */
  readonly name: string;
}

/** A pending deletion with the time when it was requested, in milliseconds since 1970. */
export interface PendingDeletionRecord extends PendingDeletion {
  readonly requestedMs: number;
}

/** The result of a namespace's last indexing run. */
export interface LastRun {
  /** ISO 8601. */
  readonly endedAt: string;
  /** What started the run: `index`, `background` or `watch`. */
  readonly startedBy: string;
  /** Process id. */
  readonly process: number;
  /** Why the run failed, as a sentence; undefined if it succeeded. */
  readonly problem: string | undefined;
  /** Sentences for people. */
  readonly warnings: readonly string[];
}

export interface LastRunRecord extends LastRun {
  readonly namespace: string;
}

export const MONITOR_KINDS = ["query", "pattern", "symbol", "path"] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** A saved query whose hits are reported with changes. It cannot be derived from the sources. */
export interface Monitor {
  readonly id: number;
  readonly namespace: string;
  /** Id of the credential that created it; `local` for the owner of the machine. */
  readonly owner: string;
  /** Unique for this owner in this namespace. */
  readonly name: string;
  readonly kind: MonitorKind;
  /** The query, pattern, symbol name or path glob, by `kind`. */
  readonly question: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Everything that the registry records. */
export interface RegistryRecords {
  /** In order of their names. */
  readonly namespaces: readonly NamespaceRecord[];
  /** In order of their ids. */
  readonly sources: readonly Source[];
  readonly pendingDeletions: readonly PendingDeletionRecord[];
  readonly lastRuns: readonly LastRunRecord[];
  /** In order of their ids. */
  readonly monitors: readonly Monitor[];
  /** An id that no source has had. */
  readonly nextSourceId: number;
  /** An id that no monitor has had. */
  readonly nextMonitorId: number;
}

export const NO_RECORDS: RegistryRecords = {
  namespaces: [],
  sources: [],
  pendingDeletions: [],
  lastRuns: [],
  monitors: [],
  nextSourceId: 1,
  nextMonitorId: 1,
};
