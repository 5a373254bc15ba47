import type { Role } from "../../index/types.ts";
import type { EngineRequest, FileLimits } from "./request.ts";

export interface TextSearchRequest extends EngineRequest, FileLimits {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  readonly contextLines: number;
  readonly output: "matches" | "files" | "count";
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface TextMatch {
  readonly path: string;
  /** "" when unknown. */
  readonly language: string;
  readonly kind: Role;
  readonly line: number;
  /** The matching line and its context. */
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly isMatch: boolean;
  }[];
  /** Qualified name of the enclosing definition. */
  readonly symbol: string;
}

export interface TextSearchResult {
  readonly namespace: string;
  readonly generation: number;
  readonly matches: readonly TextMatch[];
  readonly files: readonly { readonly path: string; readonly matches: number }[];
  /** Exact when `isComplete`, otherwise a lower bound. */
  readonly totalMatches: number;
  readonly totalFiles: number;
  /** True when this page and those before it have searched every file. */
  readonly isComplete: boolean;
  /** True when the time ran out before the page was full or the totals were complete. */
  readonly isPartial: boolean;
  readonly nextCursor: string | undefined;
}
