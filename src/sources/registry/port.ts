// The interface between the registry and where it is stored, for any backend. The rules are in registry.ts and
// monitors.ts, so that every backend has the same.

import type { SvcError } from "../../base/errors.ts";
import type {
  LastRunRecord,
  Monitor,
  NamespaceRecord,
  PendingDeletion,
  PendingDeletionRecord,
  RegistryRecords,
  Source,
} from "./records.ts";

/**
 * One change of a record. `put` adds a record or replaces the one with the same key: name, id, kind and name, or
 * namespace. To remove a namespace removes its sources, its last run and its monitors.
 */
export type RegistryEdit =
  | { readonly put: "namespace"; readonly record: NamespaceRecord }
  | { readonly put: "source"; readonly record: Source }
  | { readonly put: "pendingDeletion"; readonly record: PendingDeletionRecord }
  | { readonly put: "lastRun"; readonly record: LastRunRecord }
  | { readonly put: "monitor"; readonly record: Monitor }
  | { readonly remove: "namespace"; readonly name: string }
  | { readonly remove: "source" | "monitor"; readonly id: number }
  | { readonly remove: "pendingDeletion"; readonly record: PendingDeletion };

/** One state of the registry. */
export interface RegistryVersion {
  /** Differs from that of each other state which this store has read. */
  readonly version: number;
  readonly records: RegistryRecords;
}

export interface RegistryReadOptions {
  /** Every change that was made before the call must be in it. */
  readonly isNewest?: boolean | undefined;
}

export interface SwapOptions {
  /** False if a power cut may lose the change. */
  readonly isDurable?: boolean;
  /**
   * Called when the edits are certain to become the next state, and before they do. No other process can change the
   * registry meanwhile. If it throws, nothing is changed.
   */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
}

/** Stores the records. All processes that use one backend share them. Methods throw INDEX_CORRUPT for damage. */
export interface RegistryStore {
  /** Why this process cannot write; undefined if it can. */
  readonly obstacle: SvcError | undefined;
  /**
   * Returns the current state; the same object as before if nothing has changed. Takes microseconds then. A store that
   * other machines change may be late by up to a second, unless the state must be the newest.
   */
  readonly read: (options?: RegistryReadOptions) => Promise<RegistryVersion>;
  /**
   * Makes all edits at once, if the state still has this version. Returns false without a change if it does not.
   * Throws INDEX_UNAVAILABLE and STORAGE_FULL.
   */
  readonly swap: (
    version: number,
    edits: readonly RegistryEdit[],
    options?: SwapOptions,
  ) => Promise<boolean>;
  readonly close: () => void;
}
