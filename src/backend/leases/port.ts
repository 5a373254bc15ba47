// A lease is the right to do work for a namespace that only one process should do at a time. It saves work and never
// keeps anything correct: the index has its own lock and fence.

/** One process's claim to the lease of a namespace. */
export interface Lease {
  /** Takes the lease if it is free, and keeps it. Returns whether this process has it. A failed attempt is cheap. */
  readonly tryTake: () => Promise<boolean>;
  /** False when the lease was lost, for example because the index was removed together with it. */
  readonly isValid: () => Promise<boolean>;
  /** Publishes what the holder reports to other processes, as JSON. Repeat it at least every MAX_SILENCE_MS. */
  readonly publish: (report: object) => Promise<void>;
  /** Gives the lease up with its report. */
  readonly release: () => Promise<void>;
}

export interface Leases {
  /** Returns a claim to the lease of a namespace; takes nothing yet. */
  readonly leaseOf: (namespace: string) => Lease;
  /**
   * Returns the last report of the process that holds the lease, parsed from JSON; undefined if no process holds it or
   * the holder has been silent for too long.
   */
  readonly reportOf: (namespace: string) => Promise<unknown>;
}

/** How often a holder publishes its report: a stopped process keeps its lease. */
export const PUBLISH_MS = 5000;
export const MAX_SILENCE_MS = 4 * PUBLISH_MS;
