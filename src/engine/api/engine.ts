import type { SignedText } from "../../base/node-message.ts";
import type {
  FileColors,
  FileRequest,
  FileText,
  FolderListing,
  FolderRequest,
  NameRequest,
  NameResult,
} from "./browse.ts";
import type { ApiChangesRequest, ApiChangesResult } from "./api-changes.ts";
import type { ChangesRequest, ChangesResult } from "./changes.ts";
import type { DependenciesRequest } from "./dependencies.ts";
import type { DriftRequest, DriftResult } from "./drift.ts";
import type { ExportRequest, ExportResult } from "./export.ts";
import type { ImpactRequest, ImpactResult } from "./impact.ts";
import type { EngineExports } from "./index-export.ts";
import type { IndexReport } from "./index-report.ts";
import type { IndexRequest, IndexResult, RemoveSourceRequest } from "./index-source.ts";
import type { HitsRequest, HitsResult } from "./monitor-hits.ts";
import type { MonitorRequest, MonitorResult } from "./monitors.ts";
import type { OutlineRequest, OutlineResult } from "./outline.ts";
import type { ReadRequest, ReadResult } from "./read.ts";
import type { ReferencesRequest, ReferencesResult } from "./references.ts";
import type { RelatedRequest, RelatedResult } from "./related.ts";
import type { Cacheable, EngineRequest } from "./request.ts";
import type { TextSearchRequest, TextSearchResult } from "./search-text.ts";
import type { SearchRequest, SearchResult } from "./search.ts";
import type { Freshness, NamespaceStatus, StatusRequest } from "./status.ts";
import type { SymbolsRequest, SymbolsResult } from "./symbols.ts";
import type { WhyRequest, WhyResult } from "./why.ts";

/** A node of a team that searches for the others. */
export interface EngineNodes {
  /** From now on, other nodes know that they can ask this one. */
  readonly join: () => void;
  /**
   * Answers a message of another node on behalf of `principal`, who may access all namespaces. Throws UNAUTHENTICATED,
   * INVALID_REQUEST, NAMESPACE_NOT_FOUND, and what the index throws.
   */
  readonly answer: (
    request: Pick<EngineRequest, "principal"> & { readonly message: SignedText },
  ) => Promise<SignedText>;
}

export interface Engine {
  readonly search: (request: SearchRequest) => Promise<Cacheable<SearchResult>>;
  readonly searchText: (request: TextSearchRequest) => Promise<Cacheable<TextSearchResult>>;
  readonly read: (request: ReadRequest) => Promise<Cacheable<ReadResult>>;
  readonly findSymbols: (request: SymbolsRequest) => Promise<Cacheable<SymbolsResult>>;
  readonly outline: (request: OutlineRequest) => Promise<Cacheable<OutlineResult>>;
  readonly references: (request: ReferencesRequest) => Promise<Cacheable<ReferencesResult>>;
  readonly folder: (request: FolderRequest) => Promise<Cacheable<FolderListing>>;
  readonly file: (request: FileRequest) => Promise<Cacheable<FileText>>;
  readonly colors: (request: FileRequest) => Promise<Cacheable<FileColors>>;
  readonly nameAt: (request: NameRequest) => Promise<Cacheable<NameResult>>;
  readonly related: (request: RelatedRequest) => Promise<Cacheable<RelatedResult>>;
  readonly impact: (request: ImpactRequest) => Promise<Cacheable<ImpactResult>>;
  readonly changes: (request: ChangesRequest) => Promise<ChangesResult>;
  /**
   * Explains lines, a definition or a question in words by the commits of the repository. Throws INVALID_PARAMS without a
   * usable repository, PATH_NOT_FOUND and SYMBOL_NOT_FOUND.
   */
  readonly why: (request: WhyRequest) => Promise<Cacheable<WhyResult>>;
  /**
   * Finds names, flags and paths in the documentation that commits removed from the code. Throws INVALID_PARAMS without a
   * usable repository.
   */
  readonly drift: (request: DriftRequest) => Promise<Cacheable<DriftResult>>;
  /**
   * Looks whether HEAD has moved since `drift` was last answered, or since a renewal, and then renews what is noted on results,
   * in the background. Resolves after the look; reads nothing where `drift` has not been asked. For processes that go on running.
   */
  readonly renewNotes: (request: EngineRequest) => Promise<void>;
  /**
   * Compares the public definitions of two versions, and finds who uses what changed. Throws INVALID_PARAMS for a version that
   * no repository has, and what `references` throws.
   */
  readonly apiChanges: (request: ApiChangesRequest) => Promise<Cacheable<ApiChangesResult>>;
  readonly monitors: (request: MonitorRequest) => Promise<MonitorResult>;
  /** New hits of the caller's monitors. Reads only change logs, so it is cheap when nothing changed. */
  readonly monitorHits: (request: HitsRequest) => Promise<HitsResult>;
  /**
   * Writes the reference graph of a source as a SCIP index, of its files as they are now. Throws PATH_NOT_FOUND if there
   * is no such source, and INDEX_EMPTY.
   */
  readonly exportScip: (request: ExportRequest) => Promise<ExportResult>;
  readonly index: (request: IndexRequest) => Promise<IndexResult>;
  /**
   * Fetches the repositories of a namespace, and indexes all its sources. Resolves when that has begun; `finished` resolves
   * when it has ended, also after a failure, which the status of the namespace reports. Throws NAMESPACE_NOT_FOUND.
   */
  readonly refresh: (
    request: EngineRequest & { readonly namespace: string },
  ) => Promise<{ readonly finished: Promise<void> }>;
  /**
   * Keeps a namespace up to date until the engine is closed. Calls `onBatch` after each incremental run while this
   * process is the watcher. Returns the current watcher.
   */
  readonly watch: (namespace: string, onBatch: (report: IndexReport) => void) => Promise<Freshness>;
  /** The names of the namespaces that the caller may use, without those of dependencies. Opens no index. */
  readonly namespaces: (request: Pick<EngineRequest, "principal">) => Promise<readonly string[]>;
  /**
   * The namespaces of the packages that projects depend on, of those that the caller may use. Opens no index. Throws
   * NAMESPACE_NOT_FOUND.
   */
  readonly dependencies: (request: DependenciesRequest) => Promise<readonly string[]>;
  /** The namespace of a request that names none; undefined if it must name one. Opens no index. */
  readonly defaultNamespace: (
    request: Pick<EngineRequest, "principal">,
  ) => Promise<string | undefined>;
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
  /** Indexes for other machines, which start theirs from them. */
  readonly exports: EngineExports;
  /** This process as a node that searches for others; undefined if it is none. */
  readonly nodes: EngineNodes | undefined;
  /** Returns the same engine, which reports the namespace of each answer to `note`. */
  readonly traced: (note: (namespace: string) => void) => Engine;
  /** Starts to index the workspace in the background, when there is one. */
  readonly startBackground: () => void;
  /** Stops background work and closes files. */
  readonly close: () => Promise<void>;
}
