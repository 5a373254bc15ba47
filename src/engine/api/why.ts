import type { OtherDefinition } from "./references.ts";
import type { EngineRequest } from "./request.ts";

/** How a question about the history is read: as a place or definition, or as words. */
export type WhyKind = "place" | "words";

/** Progress of reading the commits of a repository for the first time. */
export interface CommitProgress {
  readonly read: number;
  readonly total: number;
}

export interface WhyRequest extends EngineRequest {
  /** `path:12`, `path:10-40`, `Symbol`, `path#symbol`, `path`, or a question in words. */
  readonly question: string;
  /** Decided by the question by default. */
  readonly kind?: WhyKind | undefined;
  /** Maximum number of commits. */
  readonly limit: number;
  /** Milliseconds to wait until the commits are read that a question in words searches. */
  readonly waitMs: number;
  readonly onProgress?: ((progress: CommitProgress) => void) | undefined;
}

/** A definition that a commit touched, where it is in that commit. */
export interface TouchedDefinition {
  readonly path: string;
  /** Qualified name. */
  readonly symbol: string;
}

/** A pull request, with the merge that names it. */
export interface MergedRequest {
  /** `#12`, or `!12` for GitLab. */
  readonly request: string;
  /** Full id of the merge. */
  readonly commit: string;
}

/** A commit that explains something. */
export interface WhyCommit {
  /** Full id. */
  readonly id: string;
  /** Name of the author. */
  readonly author: string;
  /** ISO 8601, in UTC; "" if the commit has no valid date. */
  readonly authoredAt: string;
  readonly subject: string;
  /** The message without its subject, up to 4,000 characters. */
  readonly body: string;
  /** What it did, a phrase each: "wrote line 12", "introduced it", "moved it from src/a.ts". */
  readonly why: readonly string[];
  /** Issues and pull requests that the message names: `#12`, `GH-7`, `ABC-123`. */
  readonly issues: readonly string[];
  /** The pull request by which it came into the branch; undefined if no merge names one. */
  readonly merged?: MergedRequest | undefined;
  /** Full id of the commit that it reverts, if it is among the commits read for the answer, else as the message has it. */
  readonly reverts: string | undefined;
  /** Full id of a commit that reverted it; undefined if none among the commits read for the answer did. */
  readonly revertedBy: string | undefined;
  /** Whether it changed only the form of the text, such as white space and quotes, or the project ignores it for blame. */
  readonly isFormatting: boolean;
  /** Path of the file of `hunk` in that commit; "" without one. */
  readonly path: string;
  /** The part of its patch that concerns the question, as a unified diff of up to 40 lines; "" if there is none. */
  readonly hunk: string;
  /** For a question in words, the definitions that it touched. */
  readonly touched: readonly TouchedDefinition[];
}

/** What a question about a place means. */
export interface WhyTarget {
  readonly path: string;
  /** 1-based and inclusive, in the current file. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the definition whose history this is; "" if the lines are in none. */
  readonly symbol: string;
  /** Lines of the question that are not committed, 1-based, in order. */
  readonly uncommitted: readonly number[];
  /** Other definitions that the name could refer to. */
  readonly others: readonly OtherDefinition[];
}

export interface WhyResult {
  readonly namespace: string;
  readonly generation: number;
  readonly kind: WhyKind;
  /** Undefined for a question in words. */
  readonly target: WhyTarget | undefined;
  /** The most explaining ones first. */
  readonly commits: readonly WhyCommit[];
  /** Number of further commits of the place that were left out. */
  readonly moreCommits: number;
  /** What is missing from the answer, a sentence each. */
  readonly partial: readonly string[];
}
