// What the outside sees of svc: one façade over namespaces, indexes and searches.

import type { ErrorCode } from "../base/errors.ts";
import type { Role } from "../index/format.ts";
import type { Caller } from "../sources/namespace.ts";
import type { IndexProgress, IndexReport } from "./indexer.ts";

/** Every question names its caller, and may be given up through the signal. */
export interface Request {
  readonly caller: Caller;
  /** Defaults to the workspace's. */
  readonly namespace?: string | undefined;
  readonly signal: AbortSignal;
}

export interface FileLimits {
  /** Glob over paths relative to the source root. */
  readonly path?: string | undefined;
  readonly language?: string | undefined;
  readonly kinds?: readonly Role[] | undefined;
}

export interface SearchRequest extends Request, FileLimits {
  readonly query: string;
  readonly limit: number;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
}

export interface Passage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly kind: Role;
  readonly symbol: string;
  readonly score: number;
  readonly signals: Readonly<Record<string, number>>;
  /** Empty where the budget leaves room for a pointer only. */
  readonly text: string;
  /** True when the file changed after it was indexed: the text is today's. */
  readonly changed: boolean;
}

export interface SearchAnswer {
  readonly namespace: string;
  readonly generation: number;
  readonly passages: readonly Passage[];
  readonly nextCursor: string | undefined;
  /** True when even the best passage hardly answers. */
  readonly isWeak: boolean;
  /** What the answer lacks because the time ran out, a sentence each. */
  readonly partial: readonly string[];
  /** Set while the first build is under way: how much of the source has been read. */
  readonly building: IndexProgress | undefined;
  readonly tookMs: number;
}

export interface TextRequest extends Request, FileLimits {
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
  readonly line: number;
  /** The matching line with its context, `line` telling which of them matches. */
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly isMatch: boolean;
  }[];
  /** Qualified name of the definition around the match. */
  readonly symbol: string;
}

export interface TextAnswer {
  readonly namespace: string;
  readonly generation: number;
  readonly matches: readonly TextMatch[];
  readonly files: readonly { readonly path: string; readonly matches: number }[];
  /** Exact when `isComplete`; otherwise there are at least as many. */
  readonly totalMatches: number;
  readonly totalFiles: number;
  /** True when every file has been looked at, on this page and those before it. */
  readonly isComplete: boolean;
  /** True when the time ran out before the page was full or its totals were asked for. */
  readonly isPartial: boolean;
  readonly nextCursor: string | undefined;
}

export interface ReadRequest extends Request {
  readonly targets: readonly string[];
  readonly maxTokens: number;
}

export interface ReadPart {
  readonly target: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  readonly lines: readonly string[];
  /** Definitions around the part, outermost first: "class Session (12-240)". */
  readonly enclosing: readonly string[];
  readonly symbol: string;
  readonly changed: boolean;
  /** First line left out because of the budget. */
  readonly cutAt: number | undefined;
}

export interface ReadAnswer {
  readonly namespace: string;
  readonly parts: readonly ReadPart[];
  /** One sentence for each target that could not be read. */
  readonly problems: readonly {
    readonly target: string;
    readonly code: ErrorCode;
    readonly detail: string;
  }[];
}

export interface IndexRequest extends Request {
  /** Path of a directory; the workspace by default. */
  readonly source?: string | undefined;
  /** Without a namespace, and when none holds it yet: make one for it, or put it into the workspace's. */
  readonly otherwise?: "own" | "workspace";
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly rebuild?: boolean;
  /** How long to wait for the run; undefined waits to its end. */
  readonly waitMs?: number | undefined;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexAnswer {
  readonly namespace: string;
  readonly source: string;
  /** Undefined while the run goes on after `waitMs`. */
  readonly report: IndexReport | undefined;
  readonly status: NamespaceStatus;
}

export interface NamespaceStatus {
  readonly name: string;
  readonly state: "empty" | "indexing" | "ready" | "degraded";
  readonly generation: number;
  readonly sources: readonly {
    readonly root: string;
    readonly prefix: string;
    readonly available: boolean;
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
  readonly indexed_at: string | null;
  /** What is wrong, and how to mend it; only when degraded. */
  readonly problem?: string;
}

export interface StatusRequest extends Request {
  readonly detail: "summary" | "skipped" | "health";
}

export interface Engine {
  readonly search: (request: SearchRequest) => Promise<SearchAnswer>;
  readonly searchText: (request: TextRequest) => Promise<TextAnswer>;
  readonly read: (request: ReadRequest) => Promise<ReadAnswer>;
  readonly index: (request: IndexRequest) => Promise<IndexAnswer>;
  readonly status: (request: StatusRequest) => Promise<readonly NamespaceStatus[]>;
  /** Begins to index the workspace in the background, when there is one. */
  readonly startBackground: () => void;
  /** Stops background work and closes files. */
  readonly close: () => Promise<void>;
}
