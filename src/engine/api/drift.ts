import type { EngineRequest, PathLimits } from "./request.ts";
import type { CommitProgress } from "./why.ts";

export interface DriftRequest extends EngineRequest, PathLimits {
  /** A commit, branch, tag or ISO 8601 time: only what later commits removed. */
  readonly since?: string | undefined;
  /** Maximum number of statements. */
  readonly limit: number;
  /** Milliseconds to read commits that have not been read yet; the next call continues. */
  readonly waitMs: number;
  readonly onProgress?: ((progress: CommitProgress) => void) | undefined;
}

/** A statement of documentation that no longer fits the code. */
export interface DriftItem {
  /** Path of the page. */
  readonly path: string;
  /** 1-based line of the statement. */
  readonly line: number;
  /** Qualified name of its section; "" if it is in none. */
  readonly section: string;
  readonly kind: "name" | "flag" | "path";
  /** What the page names, as it is written there. */
  readonly text: string;
  /** The name, flag or path that is gone. */
  readonly name: string;
  /** The commit that removed it. */
  readonly removed: {
    /** Full id. */
    readonly commit: string;
    /** ISO 8601, in UTC; "" if the commit has no valid date. */
    readonly authoredAt: string;
    readonly subject: string;
    /** The file that had it before. */
    readonly path: string;
  };
  /** What the commit has in its place; "" if that is not known. */
  readonly became: string;
}

export interface DriftResult {
  readonly namespace: string;
  readonly generation: number;
  /** By path and line. */
  readonly statements: readonly DriftItem[];
  readonly hasMore: boolean;
  /** Number of pages and of statements that were checked. */
  readonly checked: { readonly pages: number; readonly statements: number };
  /** What is missing from the answer, a sentence each. */
  readonly partial: readonly string[];
}
