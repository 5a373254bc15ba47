// The engine's public interface: one façade over namespaces, indexes and searches.

import type { EngineRequest } from "./engine-request.ts";
import type { ErrorCode, SvcError } from "../base/errors.ts";
import type { UseRole } from "../parse/references/references.ts";
import type { AccessLevel } from "../parse/languages/definition-rules.ts";
import type { ChunkKind, Role } from "../index/segment/format.ts";
import type { Correction } from "../search/correct-typos.ts";
import type { MatchKind } from "../search/symbol-match.ts";
import type {
  ChangesResult,
  ChangesRequest,
  MonitorResult,
  MonitorRequest,
} from "./changes/changes.ts";
import type { IndexProgress, IndexReport } from "./indexing/index-report.ts";
import type { HitsResult, HitsRequest } from "./monitors/monitor-hits.ts";
import type { NamespaceStatus } from "./namespace-status.ts";
import type { Freshness } from "./watching/heartbeat.ts";

export interface FileLimits {
  /** Glob over paths relative to the source root. */
  readonly path?: string | undefined;
  readonly language?: string | undefined;
  readonly kinds?: readonly Role[] | undefined;
}

export interface SearchRequest extends EngineRequest, FileLimits {
  readonly query: string;
  readonly limit: number;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
  /** Show whole passages from their first line on, instead of only the relevant lines. */
  readonly showsFullPassages?: boolean;
  /** Decides the final order of this page. */
  readonly reranker?: Reranker | undefined;
}

/** Reorders candidates, which come best first. Returns their indexes in the new order; it may leave some out. */
export type Reranker = (request: {
  readonly query: string;
  readonly candidates: readonly {
    readonly path: string;
    /** "" when there is none. */
    readonly symbol: string;
    readonly text: string;
  }[];
  readonly signal: AbortSignal;
}) => Promise<readonly number[]>;

export interface Passage {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly kind: Role;
  readonly symbol: string;
  readonly score: number;
  readonly signals: Readonly<Record<string, number>>;
  /** Empty when the token budget only leaves room for the position. */
  readonly text: string;
  /** True when the file changed after it was indexed: the text is the current one. */
  readonly changed: boolean;
}

export interface SearchResult {
  readonly namespace: string;
  readonly generation: number;
  readonly passages: readonly Passage[];
  readonly nextCursor: string | undefined;
  /** True when even the best passage is a weak match. */
  readonly isWeak: boolean;
  /** Query words that occur nowhere, each with its correction. */
  readonly corrections: readonly Correction[];
  /** Why the requested reranker has not ordered the passages. */
  readonly rerankFailure: SvcError | undefined;
  /** One sentence for each part that is missing because the time ran out. */
  readonly partial: readonly string[];
  /** Progress of the first build, while it is running. */
  readonly building: IndexProgress | undefined;
  readonly tookMs: number;
}

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

export interface ReadRequest extends EngineRequest {
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
  /** Enclosing definitions, outermost first: "class Session (12-240)". */
  readonly enclosing: readonly string[];
  readonly symbol: string;
  /** Other definitions that the target could mean, the likelier first. */
  readonly others: readonly { readonly path: string; readonly startLine: number }[];
  readonly changed: boolean;
  /** First line that the token budget left out. */
  readonly truncatedAt: number | undefined;
}

export interface ReadResult {
  readonly namespace: string;
  readonly parts: readonly ReadPart[];
  /** One sentence for each target that could not be read. */
  readonly problems: readonly {
    readonly target: string;
    readonly code: ErrorCode;
    readonly detail: string;
  }[];
}

export interface SymbolsRequest extends EngineRequest, Pick<FileLimits, "path" | "language"> {
  /** A name, or parts of one, qualified or not. */
  readonly name: string;
  /** What it may be called in any language: `struct`, `interface`, `field` …, a key of `KIND_WORDS`. */
  readonly symbolKind?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A definition in the current text. Lines are 1-based and inclusive. */
export interface FoundSymbol {
  readonly path: string;
  /** First line of its comments and attributes, when it has some. */
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly access: AccessLevel;
  readonly language: string;
  /** How its name matches the requested one. */
  readonly match: MatchKind;
  /** Number of files that use the symbol; `find_references` lists them. */
  readonly users: number;
  /** True if `users` counts the files that use its name, whatever it refers to: for names used in many files. */
  readonly areUsersByName: boolean;
  /** One line of up to 200 characters. */
  readonly signature: string;
  /** First line of its documentation; "" when there is none. */
  readonly docLine: string;
  /** True when the file changed after it was indexed: the lines are the current ones. */
  readonly changed: boolean;
}

export interface SymbolsResult {
  readonly namespace: string;
  readonly generation: number;
  /** Most likely first. */
  readonly symbols: readonly FoundSymbol[];
  /** Number of matches on all pages. */
  readonly total: number;
  /** Similar names on later pages; empty when this page has some. */
  readonly similar: readonly string[];
  /** True when the time ran out before the page was full. */
  readonly isPartial: boolean;
  /** True when no symbol has this name and the results assume a typo. */
  readonly isApproximate: boolean;
  readonly nextCursor: string | undefined;
  /** As in SearchResult. */
  readonly building: IndexProgress | undefined;
}

/** How a file may be related to another. */
export type Relation = "similar" | "tests" | "docs" | "changed_together";

export interface RelatedRequest extends EngineRequest {
  readonly target: string;
  /** All relations by default, with the best few items of each. */
  readonly relation?: Relation | undefined;
  readonly limit: number;
}

export interface RelatedItem {
  readonly path: string;
  /** 1-based; 0 for a whole file. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the definition or section there; "" when there is none. */
  readonly symbol: string;
  readonly why: readonly string[];
  /** Comparable only within the same relation. */
  readonly score: number;
}

export interface RelatedGroup {
  readonly relation: Relation;
  /** Best first. */
  readonly items: readonly RelatedItem[];
  /** Why the group is empty, as a sentence, when that is not obvious. */
  readonly problem: string | undefined;
}

export interface RelatedResult {
  readonly namespace: string;
  readonly generation: number;
  /** Path of the resolved target. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  /** Other definitions that the name could refer to. */
  readonly others: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly qualifiedName: string;
  }[];
  readonly groups: readonly RelatedGroup[];
}

export const REFERENCE_RELATIONS = [
  "references",
  "callers",
  "callees",
  "implementations",
  "imports",
  "importers",
] as const;
export type ReferenceRelation = (typeof REFERENCE_RELATIONS)[number];

export interface ReferencesRequest extends EngineRequest, Pick<FileLimits, "path"> {
  /** A name, `path#name`, `path:line`; for imports and importers also a path. */
  readonly symbol: string;
  readonly relation: ReferenceRelation;
  /** Levels of users: 1 for direct ones, 2 also for their users, and so on. */
  readonly depth: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundReference {
  readonly path: string;
  readonly line: number;
  /** The current line, without its indentation. */
  readonly text: string;
  /** Qualified name of the enclosing definition, or of the found one for callees and implementations; or "". */
  readonly symbol: string;
  readonly role: UseRole;
  readonly certainty: "exact" | "name";
  readonly depth: number;
  /** Beyond the first level: the symbol of the previous level that it is connected with. */
  readonly via: string;
  /** The file that `line` and `text` are of: for `imports` the one that imports `path`; "" where it is `path` itself. */
  readonly from: string;
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
}

export interface ReferencesResult {
  readonly namespace: string;
  readonly generation: number;
  /** The resolved symbol; lines are 0 for a whole file. */
  readonly target: {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly symbol: string;
  };
  /** Other definitions that the name could refer to. */
  readonly others: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly qualifiedName: string;
  }[];
  /** Lower depths first, exact ones before those by name. */
  readonly references: readonly FoundReference[];
  /** These three count all pages. */
  readonly exact: number;
  readonly byName: number;
  readonly files: number;
  readonly nextCursor: string | undefined;
}

export interface OutlineRequest extends EngineRequest {
  /** Path of a file or a folder; everything that is indexed by default. */
  readonly path?: string | undefined;
  /** Maximum nesting of symbols in a file, or of folders in a folder; 1 is the outermost. */
  readonly depth?: number | undefined;
  readonly maxTokens: number;
}

/** A definition in an outline. Lines are 1-based and inclusive. */
export interface OutlineSymbol {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly access: AccessLevel;
  /** One line of up to 200 characters. */
  readonly signature: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Number of enclosing symbols. */
  readonly depth: number;
}

export interface FileOutline {
  readonly kind: "file";
  readonly path: string;
  /** "" when unknown. */
  readonly language: string;
  readonly lines: number;
  readonly bytes: number;
  /** True when the file changed after it was indexed: the symbols are the current ones. */
  readonly changed: boolean;
  /** In order of lines, enclosing symbols before nested ones. */
  readonly symbols: readonly OutlineSymbol[];
  /** Number of symbols left out for lack of room. */
  readonly omitted: number;
}

export interface FolderOutline {
  readonly kind: "folder";
  /** "" for everything that is indexed. */
  readonly path: string;
  readonly files: number;
  /** The most frequent languages, by number of files, descending. */
  readonly languages: readonly string[];
  /** Its direct subfolders, the most important first. Its own files are in an entry with its own path. */
  readonly folders: readonly OutlineFolder[];
  /** Numbers of files and folders left out for lack of room. */
  readonly omitted: { readonly files: number; readonly folders: number };
}

export interface OutlineFolder {
  readonly path: string;
  /** Number of files below it, at any depth. */
  readonly files: number;
  readonly languages: readonly string[];
  /** The most important files below it, at any depth, most important first. */
  readonly shown: readonly OutlineFile[];
}

export interface OutlineFile {
  readonly path: string;
  readonly language: string;
  /** The symbols that others depend on most, the most important first. */
  readonly symbols: readonly OutlineSymbol[];
}

export interface OutlineResult {
  readonly namespace: string;
  readonly generation: number;
  readonly outline: FileOutline | FolderOutline;
  /** As in SearchResult. */
  readonly building: IndexProgress | undefined;
}

export interface ImpactRequest extends EngineRequest {
  /** A symbol, a path, lines of one, or a git change. */
  readonly target: string;
  /** Maximum steps from the target; 1 for direct users only. */
  readonly depth: number;
}

/** A user of the target. Lines are those of the index. */
export interface ImpactUser {
  /** Qualified name; "" at the top level of its file. */
  readonly symbol: string;
  readonly line: number;
  readonly role: UseRole;
  readonly certainty: "exact" | "name";
  readonly depth: number;
  /** The symbol that it uses. */
  readonly via: string;
  readonly score: number;
}

export interface ImpactFile {
  readonly path: string;
  /** Likelihood that it is affected, 0 to 1. Only for ordering. */
  readonly score: number;
  /** Lowest depth of its users. */
  readonly depth: number;
  /** Most likely first. */
  readonly users: readonly ImpactUser[];
}

export interface ImpactTest {
  readonly path: string;
  readonly why: readonly string[];
  /** How much it tests the target, 0 to 1. The order of the tests uses further signals. */
  readonly score: number;
}

export interface ImpactResult {
  readonly namespace: string;
  readonly generation: number;
  /** The resolved target: a location, or a comparison. */
  readonly description: string;
  readonly depth: number;
  /** Other definitions that the name could refer to. */
  readonly others: readonly { readonly path: string; readonly startLine: number }[];
  readonly changedFiles: readonly {
    readonly path: string;
    readonly status: "named" | "added" | "modified" | "deleted";
    /** Qualified names of the changed definitions. */
    readonly symbols: readonly string[];
    /** True when the change lies outside of definitions, or affects the whole file. */
    readonly isWhole: boolean;
    /** Names of removed definitions. */
    readonly gone: readonly string[];
  }[];
  /** Files of any kind that most likely need a change too, from all evidence; empty without a git history. */
  readonly likelyChanges: readonly RelatedItem[];
  /** Affected files except tests, most likely first. */
  readonly files: readonly ImpactFile[];
  /** In the order in which to run them. */
  readonly tests: readonly ImpactTest[];
  readonly docs: readonly RelatedItem[];
  /** Affected entry points: exported symbols without users inside, and starts of programs. */
  readonly entryPoints: readonly {
    readonly path: string;
    readonly line: number;
    readonly symbol: string;
  }[];
  /** False when some users were not followed. */
  readonly isComplete: boolean;
}

export interface IndexRequest extends EngineRequest {
  /** Path of a directory or a bare repository, or the URL of a repository; the workspace by default. */
  readonly source?: string | undefined;
  /** A branch, a tag or a commit of a repository. Same as `URL#ref`. */
  readonly ref?: string | undefined;
  /** For a new source without `namespace`: create a namespace for it, or add it to that of the workspace. */
  readonly fallbackNamespace?: "own" | "workspace";
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly rebuild?: boolean;
  /** The owner of this machine confirms the folder, even if another folder was at this path before. */
  readonly confirmsRoot?: boolean;
  /** Milliseconds to wait for the run; undefined waits until it ends. */
  readonly waitMs?: number | undefined;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexResult {
  readonly namespace: string;
  readonly source: string;
  /** Undefined when the run has not ended after `waitMs`. */
  readonly report: IndexReport | undefined;
  /** True when the index has the same version as before the call. */
  readonly isUnchanged: boolean;
  readonly status: NamespaceStatus;
}

export interface RemoveSourceRequest extends EngineRequest {
  /** The path or URL given to `index`. */
  readonly source: string;
  readonly ref?: string | undefined;
}

export interface StatusRequest extends EngineRequest {
  readonly detail: "summary" | "skipped" | "health";
}

/** An answer, and whether it may come from the cache while neither the index nor the files that it read change. */
export type Cacheable<Answer> = Answer & { readonly isCacheable: boolean };

export interface Engine {
  readonly search: (request: SearchRequest) => Promise<Cacheable<SearchResult>>;
  readonly searchText: (request: TextSearchRequest) => Promise<Cacheable<TextSearchResult>>;
  readonly read: (request: ReadRequest) => Promise<Cacheable<ReadResult>>;
  readonly findSymbols: (request: SymbolsRequest) => Promise<Cacheable<SymbolsResult>>;
  readonly outline: (request: OutlineRequest) => Promise<Cacheable<OutlineResult>>;
  readonly references: (request: ReferencesRequest) => Promise<Cacheable<ReferencesResult>>;
  readonly related: (request: RelatedRequest) => Promise<Cacheable<RelatedResult>>;
  readonly impact: (request: ImpactRequest) => Promise<Cacheable<ImpactResult>>;
  readonly changes: (request: ChangesRequest) => Promise<ChangesResult>;
  readonly monitors: (request: MonitorRequest) => Promise<MonitorResult>;
  /** New hits of the caller's monitors. Reads only change logs, so it is cheap when nothing changed. */
  readonly monitorHits: (request: HitsRequest) => Promise<HitsResult>;
  readonly index: (request: IndexRequest) => Promise<IndexResult>;
  /**
   * Keeps a namespace up to date until the engine is closed. Calls `onBatch` after each incremental run while this
   * process is the watcher. Returns the current watcher.
   */
  readonly watch: (namespace: string, onBatch: (report: IndexReport) => void) => Freshness;
  readonly status: (request: StatusRequest) => Promise<readonly NamespaceStatus[]>;
  /** Rejects when the registry cannot be read. Opens no index, so it is cheap with any number of namespaces. */
  readonly checkRegistry: () => Promise<void>;
  /** Removes a source and its part of the index. Returns the namespace. */
  readonly removeSource: (request: RemoveSourceRequest) => Promise<string>;
  /** Reads the whole index of a source's namespace and describes each fault; changes nothing. */
  readonly verify: (
    request: RemoveSourceRequest,
  ) => Promise<{ readonly namespace: string; readonly damage: readonly string[] }>;
  /** Deletes a namespace, its index, and the clones that only it uses. */
  readonly removeNamespace: (
    request: EngineRequest & { readonly namespace: string },
  ) => Promise<void>;
  /** Starts to index the workspace in the background, when there is one. */
  readonly startBackground: () => void;
  /** Stops background work and closes files. */
  readonly close: () => Promise<void>;
}
