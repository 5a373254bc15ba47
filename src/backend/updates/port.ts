// Updates of repositories that any node of a team may do: fetch them, and index what has changed. A namespace has at most
// one update at a time. The queue distributes work and never keeps anything correct: the index has its own lock and fence.

/** What an update reports to those who wait for it: a report of the run, or why it failed. Both can be sent as JSON. */
export type UpdateResult =
  | { readonly report: object; readonly problem?: undefined }
  | { readonly problem: UpdateProblem; readonly report?: undefined };

export interface UpdateProblem {
  /** A code of ERRORS. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface UpdateRequest {
  readonly namespace: string;
  /** Ids of the sources to fetch; by default every repository of the namespace. */
  readonly sources?: readonly number[] | undefined;
  /** Read every file again. */
  readonly rebuild?: boolean | undefined;
}

/** An update that this node does. */
export interface TakenUpdate {
  readonly namespace: string;
  /** As requested, by all requests together. */
  readonly sources: readonly number[] | undefined;
  readonly rebuild: boolean;
  /**
   * Keeps the update for MAX_NODE_SILENCE_MS more, and publishes its progress. Returns false if the node was silent for too long
   * and the update is no longer its own.
   */
  readonly keep: (progress: object) => Promise<boolean>;
  /** Ends the update. A failed one is done again later, MAX_ATTEMPTS times in total. */
  readonly end: (result: UpdateResult) => Promise<void>;
  /** Lets another node do it at once. The attempt does not count. */
  readonly giveBack: () => Promise<void>;
}

/** The updates of one namespace. Requests have numbers from 1 on. */
export interface UpdateState {
  /** The last request. */
  readonly requested: number;
  /** The last request that needs no more work: it was done, or has failed MAX_ATTEMPTS times. */
  readonly ended: number;
  /** The progress of the node that does the update; undefined if none does. */
  readonly progress: object | undefined;
  /** The last attempt that has ended, and the last request that it included. */
  readonly attempt: { readonly request: number; readonly result: UpdateResult } | undefined;
}

export interface UpdateQueue {
  /** Returns the number of the request. A request during an update is followed by another update. */
  readonly request: (request: UpdateRequest) => Promise<number>;
  /** Takes the update that has waited longest; undefined if there is none to do now. */
  readonly take: () => Promise<TakenUpdate | undefined>;
  /** Returns undefined if no update of the namespace was ever requested. */
  readonly stateOf: (namespace: string) => Promise<UpdateState | undefined>;
  /** Number of namespaces with an update that waits or runs. */
  readonly openCount: () => Promise<number>;
  /** Forgets the updates of a namespace. */
  readonly forget: (namespace: string) => Promise<void>;
  /** Says that this node takes updates, under a name for people. Repeat it at least every MAX_NODE_SILENCE_MS. */
  readonly announce: (name: string) => Promise<void>;
  /** Says that this node takes no more updates. */
  readonly retire: () => Promise<void>;
  /** The names of the nodes that take updates, in order. */
  readonly nodes: () => Promise<readonly string[]>;
}

/** How often a node announces itself, and keeps its updates. */
export const ANNOUNCE_MS = 5000;
/** A node that was silent for longer counts as dead. */
export const MAX_NODE_SILENCE_MS = 4 * ANNOUNCE_MS;
/** After each failed attempt but the last, the wait until the next one. */
export const RETRY_MS: readonly number[] = [30_000, 300_000];
export const MAX_ATTEMPTS = RETRY_MS.length + 1;

/** The result of an update whose nodes have all died, or were silent for too long. */
export const NODE_LOST: UpdateResult = {
  problem: {
    code: "INDEX_UNAVAILABLE",
    message: `${MAX_ATTEMPTS} nodes ended or stopped while they updated this namespace.`,
    hint: "See their logs; a repository may need more memory than they have.",
  },
};
