/**
 * `list`: files are listed, and text search works from then on. `words`: terms, trigrams and the definitions found
 * without a grammar, from one read of each file. `syntax`: definitions and chunks by grammar, for the languages with
 * one. `documents`: PDFs, office files and the like, last.
 */
export type IndexStage = "list" | "words" | "syntax" | "documents";

export interface IndexProgress {
  /** A repository is first fetched (counts objects) and checked out (counts files). */
  readonly stage: IndexStage | "fetch" | "checkout";
  readonly done: number;
  readonly total: number;
}

/** Shows the progress of a run to a person. */
export interface ShownProgress {
  readonly update: (progress: IndexProgress) => void;
  /** Called once, after the run. */
  readonly end: () => void;
}

export interface IndexReport {
  /** `busy`: another process was writing, so nothing was done. */
  readonly outcome: "done" | "busy";
  readonly generation: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly warnings: readonly string[];
  /** Documents that another run has to read; absent if there are none. */
  readonly unreadDocuments?: number;
  /** The thread of the run cannot run another one: its parser crashed, or its priority is low. */
  readonly needsNewThread?: true;
  /** The index is new, and started from that of another namespace, which its status names. */
  readonly isStarted?: true;
  readonly elapsedMs: number;
}
