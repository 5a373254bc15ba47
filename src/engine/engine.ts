// What the outside sees of svc: one façade over namespaces, indexes and searches.

import type { ErrorCode, SvcError } from "../base/errors.ts";
import type { UseRole } from "../parse/references/references.ts";
import type { AccessLevel } from "../parse/languages/definition-rules.ts";
import type { ChunkKind, Role } from "../index/segment/format.ts";
import type { Correction } from "../search/correct-typos.ts";
import type { MatchKind } from "../search/symbol-match.ts";
import type { Principal } from "../sources/principal.ts";
import type {
  ChangesResult,
  ChangesRequest,
  MonitorResult,
  MonitorRequest,
} from "./changes/changes.ts";
import type { IndexProgress, IndexReport } from "./indexing/indexer.ts";
import type { HitsResult, HitsRequest } from "./monitors/monitor-hits.ts";
import type { NamespaceStatus } from "./namespace-status.ts";
import type { Freshness } from "./watching/heartbeat.ts";

/** Every question names its caller, and may be given up through the signal. */
export interface EngineRequest {
  readonly principal: Principal;
  /** Defaults to the workspace's. */
  readonly namespace?: string | undefined;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` when a search answers with what it has; none by default. */
  readonly deadline?: number | undefined;
}

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
  /** Passages line by line from their first one on, and not only the lines that answer. */
  readonly showsFullPassages?: boolean;
  /** Has the last word on the order of this page. */
  readonly reranker?: Reranker | undefined;
}

/** Puts candidates, the best first, into an order of its own: their places, those it is silent about missing. */
export type Reranker = (request: {
  readonly query: string;
  readonly candidates: readonly {
    readonly path: string;
    /** "" where there is none. */
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
  /** Empty where the budget leaves room for a pointer only. */
  readonly text: string;
  /** True when the file changed after it was indexed: the text is today's. */
  readonly changed: boolean;
}

export interface SearchResult {
  readonly namespace: string;
  readonly generation: number;
  readonly passages: readonly Passage[];
  readonly nextCursor: string | undefined;
  /** True when even the best passage hardly answers. */
  readonly isWeak: boolean;
  /** Words that stand nowhere, with what they were read as. */
  readonly corrections: readonly Correction[];
  /** Why the reranker that was asked for has not ordered the passages. */
  readonly rerankFailure: SvcError | undefined;
  /** What the answer lacks because the time ran out, a sentence each. */
  readonly partial: readonly string[];
  /** Set while the first build is under way: how much of the source has been read. */
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
  /** The matching line with its context, `line` telling which of them matches. */
  readonly lines: readonly {
    readonly line: number;
    readonly text: string;
    readonly isMatch: boolean;
  }[];
  /** Qualified name of the definition around the match. */
  readonly symbol: string;
}

export interface TextSearchResult {
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
  /** Definitions around the part, outermost first: "class Session (12-240)". */
  readonly enclosing: readonly string[];
  readonly symbol: string;
  /** Other definitions that the target could mean, the likelier first. */
  readonly others: readonly { readonly path: string; readonly startLine: number }[];
  readonly changed: boolean;
  /** First line left out because of the budget. */
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

/** A definition, as it is now. Lines are 1-based and inclusive. */
export interface FoundSymbol {
  readonly path: string;
  /** Of its comments and attributes, when it has some. */
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly access: AccessLevel;
  readonly language: string;
  /** How its name is like the one asked for. */
  readonly match: MatchKind;
  /** Files that use it; `find_references` lists them. */
  readonly users: number;
  /** True where `users` counts the files that use its name, whatever they mean by it: of names used in many files. */
  readonly areUsersByName: boolean;
  /** One line of at most 200 characters. */
  readonly signature: string;
  /** First line of its documentation; "" when there is none. */
  readonly docLine: string;
  /** True when the file changed after it was indexed: the lines are today's. */
  readonly changed: boolean;
}

export interface SymbolsResult {
  readonly namespace: string;
  readonly generation: number;
  /** Most likely first. */
  readonly symbols: readonly FoundSymbol[];
  /** On all pages. */
  readonly total: number;
  /** Names on the pages to come that are only like the one asked for; empty where this page has such. */
  readonly similar: readonly string[];
  /** True when the time ran out before the page was full. */
  readonly isPartial: boolean;
  /** True when nothing is called so: the names were meant if the one asked for is misspelt. */
  readonly isApproximate: boolean;
  readonly nextCursor: string | undefined;
  /** As in SearchAnswer. */
  readonly building: IndexProgress | undefined;
}

/** How a file may belong to another. */
export type Relation = "similar" | "tests" | "docs" | "changed_together";

export interface RelatedRequest extends EngineRequest {
  readonly target: string;
  /** The best few of each by default. */
  readonly relation?: Relation | undefined;
  readonly limit: number;
}

export interface RelatedItem {
  readonly path: string;
  /** 1-based; 0 where the file as a whole is meant. */
  readonly startLine: number;
  readonly endLine: number;
  /** Qualified name of the definition or section there; "" where there is none. */
  readonly symbol: string;
  readonly why: readonly string[];
  /** Of use beside others of the same relation only. */
  readonly score: number;
}

export interface RelatedGroup {
  readonly relation: Relation;
  /** Best first. */
  readonly items: readonly RelatedItem[];
  /** Why there is nothing, as a sentence, where that is not plain. */
  readonly problem: string | undefined;
}

export interface RelatedResult {
  readonly namespace: string;
  readonly generation: number;
  /** What the target means. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string;
  /** Other definitions that its name could mean. */
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
  /** Users of users, and so on: 1 is the direct ones. */
  readonly depth: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundReference {
  readonly path: string;
  readonly line: number;
  /** The line as it is now, without its indentation. */
  readonly text: string;
  /** Qualified name of the definition around it, or of the one that is meant; "" when there is none. */
  readonly symbol: string;
  readonly role: UseRole;
  readonly certainty: "exact" | "name";
  readonly depth: number;
  /** Beyond the first level: what of the level before it is connected with. */
  readonly via: string;
  /** The file that `line` and `text` are of: for `imports` the one that imports `path`; "" where it is `path` itself. */
  readonly from: string;
  /** True when the file changed after it was indexed. */
  readonly changed: boolean;
}

export interface ReferencesResult {
  readonly namespace: string;
  readonly generation: number;
  /** What the symbol means; lines are 0 for a file as a whole. */
  readonly target: {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly symbol: string;
  };
  /** Other definitions that its name could mean. */
  readonly others: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly qualifiedName: string;
  }[];
  /** Near ones first, exact ones before those by name. */
  readonly references: readonly FoundReference[];
  /** On all pages. */
  readonly exact: number;
  readonly byName: number;
  readonly files: number;
  readonly nextCursor: string | undefined;
}

export interface OutlineRequest extends EngineRequest {
  /** Of a file or a folder; the whole of what is indexed by default. */
  readonly path?: string | undefined;
  /** How deep symbols are nested in a file, or folders in a folder; 1 is the outermost. */
  readonly depth?: number | undefined;
  readonly maxTokens: number;
}

/** A definition in an outline. Lines are 1-based and inclusive. */
export interface OutlineSymbol {
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: ChunkKind;
  readonly access: AccessLevel;
  /** One line of at most 200 characters. */
  readonly signature: string;
  readonly startLine: number;
  readonly endLine: number;
  /** How many others it is nested in. */
  readonly depth: number;
}

export interface FileOutline {
  readonly kind: "file";
  readonly path: string;
  /** "" where it is not known. */
  readonly language: string;
  readonly lines: number;
  readonly bytes: number;
  /** True when the file changed after it was indexed: the symbols are today's. */
  readonly changed: boolean;
  /** In order of lines, outer ones before those in them. */
  readonly symbols: readonly OutlineSymbol[];
  /** Symbols that there was no room for. */
  readonly omitted: number;
}

export interface FolderOutline {
  readonly kind: "folder";
  /** "" for all that is indexed. */
  readonly path: string;
  readonly files: number;
  /** Those that most files are written in, the first the most. */
  readonly languages: readonly string[];
  /** What lies directly in it, the most important first; files that do so stand in a folder of its own path. */
  readonly folders: readonly OutlineFolder[];
  /** Files and folders that there was no room for. */
  readonly omitted: { readonly files: number; readonly folders: number };
}

export interface OutlineFolder {
  readonly path: string;
  /** Anywhere below it. */
  readonly files: number;
  readonly languages: readonly string[];
  /** Files anywhere below it that are worth a look, the most important first. */
  readonly shown: readonly OutlineFile[];
}

export interface OutlineFile {
  readonly path: string;
  readonly language: string;
  /** Those that others depend on most, the most important first. */
  readonly symbols: readonly OutlineSymbol[];
}

export interface OutlineResult {
  readonly namespace: string;
  readonly generation: number;
  readonly outline: FileOutline | FolderOutline;
  /** As in SearchAnswer. */
  readonly building: IndexProgress | undefined;
}

export interface ImpactRequest extends EngineRequest {
  /** A symbol, a path, lines of one, or a git change. */
  readonly target: string;
  /** Steps from what is touched; 1 is its users alone. */
  readonly depth: number;
}

/** Something that uses what is touched. Lines are those of the index. */
export interface ImpactUser {
  /** Qualified name; "" at the outermost level of its file. */
  readonly symbol: string;
  readonly line: number;
  readonly role: UseRole;
  readonly certainty: "exact" | "name";
  readonly depth: number;
  /** What it uses. */
  readonly via: string;
  readonly score: number;
}

export interface ImpactFile {
  readonly path: string;
  /** How likely it is touched, 0 to 1: of use for order alone. */
  readonly score: number;
  /** Of the nearest of its users. */
  readonly depth: number;
  /** The most likely first. */
  readonly users: readonly ImpactUser[];
}

export interface ImpactTest {
  readonly path: string;
  readonly why: readonly string[];
  /** How much it tests what is touched, 0 to 1; the order knows more. */
  readonly score: number;
}

export interface ImpactResult {
  readonly namespace: string;
  readonly generation: number;
  /** What the target means: a place, or what was compared. */
  readonly description: string;
  readonly depth: number;
  /** Other definitions that its name could mean. */
  readonly others: readonly { readonly path: string; readonly startLine: number }[];
  readonly changedFiles: readonly {
    readonly path: string;
    readonly status: "named" | "added" | "modified" | "deleted";
    /** Qualified names of the definitions that are touched. */
    readonly symbols: readonly string[];
    /** True when what is touched lies outside of definitions, or all of the file is meant. */
    readonly isWhole: boolean;
    /** Names whose definitions are gone. */
    readonly gone: readonly string[];
  }[];
  /** Files of any kind that are most likely changed too, by all that is known; empty without a git history. */
  readonly likelyChanges: readonly RelatedItem[];
  /** Without tests, the most likely first. */
  readonly files: readonly ImpactFile[];
  /** Those that are to be run first come first. */
  readonly tests: readonly ImpactTest[];
  readonly docs: readonly RelatedItem[];
  /** Where it comes out: exported and used by nobody inside, or the start of a program. */
  readonly entryPoints: readonly {
    readonly path: string;
    readonly line: number;
    readonly symbol: string;
  }[];
  /** False when not all users were followed. */
  readonly isComplete: boolean;
}

export interface IndexRequest extends EngineRequest {
  /** Path of a directory or a bare repository, or the URL of a repository; the workspace by default. */
  readonly source?: string | undefined;
  /** Of a repository: a branch, a tag or a commit. `URL#ref` says the same. */
  readonly ref?: string | undefined;
  /** Without a namespace, and when none holds it yet: make one for it, or put it into the workspace's. */
  readonly fallbackNamespace?: "own" | "workspace";
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly rebuild?: boolean;
  /** The owner of this machine names the folder: it is the one that is meant, whatever was in its place before. */
  readonly confirmsRoot?: boolean;
  /** How long to wait for the run; undefined waits to its end. */
  readonly waitMs?: number | undefined;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexResult {
  readonly namespace: string;
  readonly source: string;
  /** Undefined while the run goes on after `waitMs`. */
  readonly report: IndexReport | undefined;
  /** The index is the one that was there when the call began: what was asked since was asked of this one. */
  readonly isUnchanged: boolean;
  readonly status: NamespaceStatus;
}

export interface RemoveSourceRequest extends EngineRequest {
  /** As it was given to `index`: a path or URL. */
  readonly source: string;
  readonly ref?: string | undefined;
}

export interface StatusRequest extends EngineRequest {
  readonly detail: "summary" | "skipped" | "health";
}

/** An answer, and whether it is given again, without work, while neither the index nor the files it rests on change. */
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
  /** What the caller's monitors have hit since the last look. Reads journals alone: cheap when nothing changed. */
  readonly monitorHits: (request: HitsRequest) => Promise<HitsResult>;
  readonly index: (request: IndexRequest) => Promise<IndexResult>;
  /**
   * Keeps a namespace fresh until the engine is closed. `onBatch` hears of each run over what has changed, while
   * this process is the one that watches. Returns who does so now.
   */
  readonly watch: (namespace: string, onBatch: (report: IndexReport) => void) => Freshness;
  readonly status: (request: StatusRequest) => Promise<readonly NamespaceStatus[]>;
  /** Rejects where no question can be answered, and asks no index: cheap, however many there are. */
  readonly checkRegistry: () => Promise<void>;
  /** Takes a source out of its namespace, and what is in the index of it. Returns the namespace. */
  readonly removeSource: (request: RemoveSourceRequest) => Promise<string>;
  /** Reads all of the index that a source feeds, and names each fault; changes nothing. */
  readonly verify: (
    request: RemoveSourceRequest,
  ) => Promise<{ readonly namespace: string; readonly damage: readonly string[] }>;
  /** Deletes a namespace, its index, and clones that nothing else uses. */
  readonly removeNamespace: (
    request: EngineRequest & { readonly namespace: string },
  ) => Promise<void>;
  /** Begins to index the workspace in the background, when there is one. */
  readonly startBackground: () => void;
  /** Stops background work and closes files. */
  readonly close: () => Promise<void>;
}
