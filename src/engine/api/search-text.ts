import type { Role } from "../../index/types.ts";
import type { EngineRequest, FileLimits } from "./request.ts";

/** `namespace` may be a list, as in `SearchRequest`. */
export interface TextSearchRequest extends EngineRequest, FileLimits {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  readonly contextLines: number;
  readonly output: "matches" | "files" | "count";
  /** Also return the column of each match. */
  readonly showsColumns?: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** A commit, branch or tag: search the files as they are there. Of one namespace only. */
  readonly at?: string | undefined;
}

export interface TextMatch {
  /** Its namespace, if the search was of several. */
  readonly namespace?: string;
  readonly path: string;
  /** "" when unknown. */
  readonly language: string;
  readonly kind: Role;
  /** In a document, the place as `read_context` takes it: `manual.pdf:p12`. */
  readonly place?: string | undefined;
  readonly line: number;
  /** Where the first match in the line begins, in characters from 1. Only if requested. */
  readonly column?: number;
  /** The matching line and its context. */
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly isMatch: boolean;
  }[];
  /** Qualified name of the enclosing definition. */
  readonly symbol: string;
}

/** A file and the number of its matching lines. */
export interface MatchingFile {
  /** Its namespace, if the search was of several. */
  readonly namespace?: string;
  readonly path: string;
  readonly matches: number;
}

export interface TextSearchResult {
  readonly namespace: string;
  readonly generation: number;
  readonly matches: readonly TextMatch[];
  readonly files: readonly MatchingFile[];
  /** Exact when `isComplete`, otherwise a lower bound. */
  readonly totalMatches: number;
  readonly totalFiles: number;
  /** True when this page and those before it have searched every file. */
  readonly isComplete: boolean;
  /** True when the time ran out before the page was full or the totals were complete. */
  readonly isPartial: boolean;
  readonly nextCursor: string | undefined;
  /** A possible reason for an empty answer. */
  readonly hint?: string;
  /** One sentence for each of several namespaces that could not be searched. */
  readonly missing?: readonly string[];
}
