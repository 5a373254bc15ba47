// The interface between the engine and an index, for any backend. Search needs shape it: ingredients of answers
// go out, whole files come in. Tokens, chunks, weights and ranking belong to the engine, so that another
// backend gives the same answers.

import type { EarlierContents } from "./earlier-contents.ts";
import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { FileReferences, Use } from "../parse/references/references.ts";
import type {
  FileRow,
  FileStage,
  FileState,
  Totals,
  SymbolFacts,
  FileFacts,
  EncodedFileInput,
  FileInput,
} from "./types.ts";
import type { CandidateShard } from "./scoring/candidate-shard.ts";
import type { CandidateQuery, Candidates } from "./scoring/candidates.ts";
import type {
  HitPlace,
  HitRange,
  ChangeLogState,
  FlushPlan,
  FileVersion,
  ChangeEvent,
} from "./change-log/change-event.ts";
import type { IndexBases } from "./index-base.ts";
import type { IndexExports } from "./index-export.ts";
import type { RevisionIndexes } from "./revision-indexes.ts";
import type { LiteralQuery } from "./literal-query.ts";
import type { CorpusStats } from "./corpus-stats.ts";
import type { SegmentSymbols } from "./names/symbol-names.ts";
import type { ShardCount } from "./shards/shard-count.ts";

/** A version of an index. Versions of one epoch are ordered; another epoch is another index. */
export interface IndexVersion {
  /** Random id of the index, replaced by a rebuild. */
  readonly epoch: string;
  /** Generation in this epoch. */
  readonly at: number;
}

/** Options of a reader. */
export interface ReadOptions {
  /**
   * The reader must see at least this version, for example its own last write. Throws INDEX_UNAVAILABLE if it
   * cannot.
   */
  readonly atLeast?: IndexVersion | undefined;
  /** In milliseconds of `performance.now`. Results not found by then are missing, and `partial` reports that. */
  readonly deadline?: number | undefined;
  /** Once it is aborted, queries throw TIMEOUT. */
  readonly signal?: AbortSignal | undefined;
}

/** When to move an index to quarantine: if verification finds damage, also if a newer svc wrote it, or always. */
export type QuarantineMode = "damaged" | "newer" | "all";

/** Options of a writer. */
export interface WriteOptions {
  /** How long to wait for another writer, in milliseconds. */
  readonly waitMs: number;
  /** Wait so long after each sign that other writers make progress, if the backend can see it. */
  readonly isPatient?: boolean | undefined;
  /** The source of vectors; without it, the chunks of new files get none. */
  readonly embeddings?: EmbeddingSource | undefined;
  /** Moves a damaged index to quarantine first. */
  readonly quarantine?: QuarantineMode | undefined;
  /**
   * Called between the changes of each transaction and its commit. It may wait, and it refuses the commit by
   * throwing: the caller gets the same error, and the index stays as it is.
   */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
  /** How many shards the content is divided into, by the paths of files; as many as before by default, at first 1. */
  readonly shards?: ShardCount | undefined;
}

/** The state of an index beyond its content. */
export interface IndexHealth {
  /** Whether any process is writing. */
  readonly isBeingWritten: boolean;
  /** The reported damage that is not repaired yet, as a sentence; undefined if there is none. */
  readonly damage: string | undefined;
}

/**
 * The indexes of all namespaces. To read one takes a namespace that the caller may access. Maintenance takes any
 * name, because the engine does it on its own behalf.
 */
export interface IndexBackend {
  /**
   * Undefined if nothing has been written yet. A reader sees one version for its lifetime. Throws
   * INDEX_UNAVAILABLE if the index is damaged, was written by a newer svc, or is older than `atLeast`.
   */
  readonly reader: (
    namespace: AuthorizedNamespace,
    options?: ReadOptions,
  ) => Promise<IndexReader | undefined>;
  /** Returns the change log without opening a version of the index; undefined if nothing has been written yet. */
  readonly changeLog: (namespace: AuthorizedNamespace) => Promise<ChangeLogReader | undefined>;
  /** Undefined if another process is still writing after `waitMs`. */
  readonly writer: (namespace: string, options: WriteOptions) => Promise<IndexWriter | undefined>;
  /**
   * Calls `listener` after each new version that any process publishes, and sometimes without one. Returns a
   * function that stops it. A file system without notifications, such as a network drive, reports nothing.
   */
  readonly watch: (namespace: string, listener: () => void) => () => void;
  /** True while a first build, by any process, has not read every file, and for a damaged index. */
  readonly isFirstBuildPending: (namespace: string) => Promise<boolean>;
  readonly health: (namespace: string) => Promise<IndexHealth>;
  /** Whether the next run will read every file again, because an older svc wrote the index. Opens the index. */
  readonly isOutdated: (namespace: string) => Promise<boolean>;
  /** Reports damage to all processes, until `clearDamage`. */
  readonly reportDamage: (namespace: string, detail: string) => Promise<void>;
  /** Clears the report after a run that repaired the index. */
  readonly clearDamage: (namespace: string) => Promise<void>;
  /** Reads all of an index and returns the names of damaged parts; undefined if there is no index. */
  readonly verify: (namespace: AuthorizedNamespace) => Promise<readonly string[] | undefined>;
  /**
   * Gives up the open index of a namespace: the next reader opens it again. Returns a function that closes it,
   * to call when no call reads from it any more; undefined if it is not open.
   */
  readonly detach: (namespace: string) => (() => void) | undefined;
  /**
   * Deletes the index of a namespace that no longer exists. Open readers keep what they read. Does nothing if there is
   * none.
   */
  readonly remove: (namespace: string) => Promise<void>;
  /** Lets indexes start from others; absent in a backend whose indexes share nothing. */
  readonly bases?: IndexBases;
  /** Gives out indexes to other machines; absent in a backend that cannot. */
  readonly exports?: IndexExports;
  /** Keeps indexes of commits; absent in a backend that keeps none. */
  readonly revisions?: RevisionIndexes<IndexBackend>;
  /** Finishes deletions that were interrupted. */
  readonly sweep: () => Promise<void>;
  readonly close: () => void;
}

/** A symbol with the file that defines it. */
export interface SymbolHit extends SymbolFacts {
  readonly path: string;
}

/** A symbol with its place among those of its file, as in `FileScope` and `PageRanks`. */
export interface NamedSymbol extends SymbolHit {
  readonly number: number;
}

/** The uses of one name in one file. */
export interface FileUses extends FileFacts {
  /** In line order. */
  readonly uses: readonly Use[];
  /** The names under which the file exports the name of another module again; mostly none. */
  readonly reexports: readonly string[];
}

/** What a file imports, and from where. */
export interface FileImports extends FileFacts, Pick<FileReferences, "imports" | "package"> {}

/** What a file imports as a whole, such as the headers that it includes. */
export interface FileIncludes extends FileFacts {
  /** As the imports name them, in order. */
  readonly modules: readonly string[];
}

/** The name bindings of a file, as far as the file itself shows them: everything but its uses. */
export interface FileScope extends FileFacts, Omit<FileReferences, "uses" | "signatures"> {
  /** As in `FileReferences`. */
  readonly signatures?: readonly string[] | undefined;
  /** Uses refer to them by index. */
  readonly symbols: readonly SymbolFacts[];
}

/**
 * How much of a project depends on a file or symbol, from 0 to 255: 128 is the mean, and 16 more means twice as
 * much.
 */
export interface PageRanks {
  /** 0 for a file without a rank. */
  readonly fileRank: (path: string) => number;
  /** `number`: the symbol's index in its file, as in `FileScope`. */
  readonly symbolRank: (path: string, number: number) => number;
}

/** The files of an index by path, including files whose content is not indexed. */
export interface FileTree {
  readonly has: (path: string) => boolean;
  /** Names of the files directly in a folder ("" for the root), in order. */
  readonly filesIn: (folder: string) => readonly string[];
  /** Names of the folders directly in a folder, in order. */
  readonly foldersIn: (folder: string) => readonly string[];
  /** Paths of the files with this name, in order: "tsconfig.json", "lib.rs". */
  readonly named: (name: string) => readonly string[];
}

/** Statistics of an index. */
export interface IndexSummary extends Totals {
  /** Number of files by stage. */
  readonly stages: Readonly<Record<FileStage, number>>;
  /** Number of files whose content is not indexed, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Number of files that were indexed without their grammar, by reason. */
  readonly problems: Readonly<Record<string, number>>;
  /** Time of the last write, ISO 8601. */
  readonly indexedAt: string | null;
}

/** Reads one version of an index. Methods throw INDEX_UNAVAILABLE if the index is damaged. */
export interface IndexReader {
  readonly version: IndexVersion;
  /** What is missing from the results so far, one sentence each. */
  readonly partial: readonly string[];
  /** Whether the terms of at least one file are indexed. */
  readonly hasWords: boolean;
  /** Begins a search with these distinct terms in each shard: see `findCandidates`. */
  readonly beginSearches: (terms: readonly string[]) => readonly CandidateShard[];
  /** Returns the candidate files for a query, by terms and vectors, best first. */
  readonly candidates: (query: CandidateQuery) => Promise<Candidates>;
  /** Returns the number of chunks with each of these terms, or of files if more have it in their path; 0 if there is none. */
  readonly termCounts: (terms: readonly string[]) => Promise<readonly number[]>;
  /** Returns which kinds of files the index contains. */
  readonly corpusStats: () => Promise<CorpusStats>;
  /**
   * Yields the files that may contain a text, in path order, including files that are only listed. With
   * `after`, only later paths.
   */
  readonly textCandidates: (
    query: LiteralQuery,
    options: {
      readonly after?: string | undefined;
      readonly filter?: ((file: FileFacts) => boolean) | undefined;
    },
  ) => AsyncIterable<FileFacts>;
  /** Returns the row of a file; undefined if the index does not list it. */
  readonly file: (path: string) => Promise<FileRow | undefined>;
  /** Returns the facts of a file, in a fraction of the time of `file`; undefined if the index does not list it. */
  readonly factsOf: (path: string) => Promise<FileFacts | undefined>;
  /** Returns the symbols of a file in line order, outer definitions before inner ones. */
  readonly symbolsOf: (path: string) => Promise<readonly SymbolFacts[]>;
  /** Returns the same symbols in the order of their numbers, as in `FileScope`. */
  readonly numberedSymbolsOf: (path: string) => Promise<readonly SymbolFacts[]>;
  /** Returns definitions with this name in any case, exact matches first. */
  readonly symbolsNamed: (name: string, limit: number) => Promise<readonly NamedSymbol[]>;
  /** Returns the uses, imports and type facts of a file; empty for a file without a grammar. */
  readonly referencesOf: (path: string) => Promise<FileReferences>;
  /** Returns the uses of supertypes in a file, in the order of `referencesOf`. */
  readonly inheritsOf: (path: string) => Promise<readonly Use[]>;
  /** Undefined for a file whose content is not indexed. */
  readonly importsOf: (path: string) => Promise<FileImports | undefined>;
  /** Returns part of `importsOf` in a fraction of its time. */
  readonly includesOf: (path: string) => Promise<FileIncludes | undefined>;
  /** Undefined for a file whose content is not indexed. */
  readonly scopeOf: (path: string) => Promise<FileScope | undefined>;
  /** Returns the uses of a name in this exact case, by file, in path order. */
  readonly usesOf: (name: string) => Promise<readonly FileUses[]>;
  /** Returns the number of files that use a name, in any case and with any meaning. */
  readonly usingFiles: (name: string) => Promise<number>;
  /**
   * Returns files with an import whose module ends in this part, in any case, in path order: "log" finds
   * importers of `../base/log.ts`, `a.b.log` and `crate::log`.
   */
  readonly importersOf: (lastPart: string) => Promise<readonly string[]>;
  readonly fileTree: () => Promise<FileTree>;
  readonly pageRanks: () => Promise<PageRanks>;
  /** Returns how often PageRank has been computed. A computation creates no new version. */
  readonly rankVersion: () => Promise<number>;
  /** Returns a note of the last writer; undefined if there is none. */
  readonly note: (name: string) => Promise<string | undefined>;
  /** Returns the id of the embedding table of the vectors, "" without vectors. */
  readonly embedder: () => Promise<string>;
  /** Returns the names of all definitions, of which a query reads a part. */
  readonly segmentSymbols: () => Promise<readonly SegmentSymbols[]>;
  /** Returns the number of definitions with a name, in any case. */
  readonly definitionsOf: (name: string) => Promise<number>;
  /** Returns distinct names that begin with `prefix` in any case: candidates for "did you mean". */
  readonly symbolNames: (prefix: string, limit: number) => Promise<readonly string[]>;
  readonly changeLog: ChangeLogReader;
  readonly summary: () => Promise<IndexSummary>;
  /** Returns files whose content is not indexed. */
  readonly skippedFiles: (
    limit: number,
  ) => Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** Returns files that were indexed without their grammar. */
  readonly problemFiles: (
    limit: number,
  ) => Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** Reads everything and returns the names of damaged parts. */
  readonly verify: () => Promise<readonly string[]>;
}

/** Reads the change log. It is at least as new as that of any reader which its backend has opened since. */
export interface ChangeLogReader {
  /** Returns a note stored with the changes, as `MonitorState.note` does. */
  readonly note: (name: string) => Promise<string | undefined>;
  readonly state: () => Promise<ChangeLogState>;
  /** Returns changes after a sequence number, oldest first, with the hits of these monitors. */
  readonly after: (
    seq: number,
    limit: number,
    monitors: readonly number[],
  ) => Promise<readonly ChangeEvent[]>;
  /** Returns changes before a sequence number, newest first. */
  readonly before: (
    seq: number,
    limit: number,
    monitors: readonly number[],
  ) => Promise<readonly ChangeEvent[]>;
  /** Returns hits of these monitors in a range, oldest first. */
  readonly hitsAfter: (
    range: HitRange,
    limit: number,
    monitors: readonly number[],
  ) => Promise<readonly HitPlace[]>;
  /** Returns the sequence number of the last change up to this generation. */
  readonly seqAtGeneration: (generation: number) => Promise<number>;
  /** Returns the sequence number of the last change before this time. */
  readonly seqBefore: (atMs: number) => Promise<number>;
}

/** Data of the files that monitors need. */
export interface MonitorState {
  /** Returns a note stored with the changes. */
  readonly note: (name: string) => string | undefined;
  /** Returns files without line hashes, with the hash of the content that they must be computed from. */
  readonly withoutLineHashes: () => readonly { readonly path: string; readonly hash: string }[];
  /** Whether an earlier run left pending changes. */
  readonly hasPending: () => boolean;
  /** Runs `change` in one transaction, which is committed when it resolves. */
  readonly change: (change: (changes: MonitorStateChanges) => void) => Promise<void>;
  /** Returns the uses of a name in the files whose indexed content is their baseline. */
  readonly usesOf: (name: string) => readonly UsingSymbols[];
  /** Returns files whose indexed content differs from their baseline. */
  readonly changedSinceBaseline: () => readonly string[];
  /** Returns the line hashes of a file's baseline; undefined if there are none. */
  readonly lineHashes: (path: string) => Uint32Array | undefined;
  /** Returns the data that monitors store for a file, parsed from JSON. */
  readonly watched: (path: string) => unknown;
}

/** Writes within one transaction of `MonitorState.change`. */
export interface MonitorStateChanges {
  readonly setNote: (name: string, value: string) => void;
  readonly setLineHashes: (path: string, hashes: Uint32Array) => void;
  readonly dropLineHashes: () => void;
  readonly setWatched: (path: string, value: unknown) => void;
  /** Deletes the hits of all other monitors. */
  readonly deleteHitsExcept: (monitors: readonly number[]) => void;
}

/** The definitions of a file that use a name: qualified names, "" for the top level; one per use. */
export interface UsingSymbols {
  readonly path: string;
  readonly owners: readonly string[];
}

/**
 * There is only one writer at a time. Its changes become visible all at once, by `commit`. A writer that has lost
 * its place to another one, for example because its lock was deleted, can no longer write: `commit`, `merge` and
 * `computePageRank` throw INDEX_UNAVAILABLE.
 */
export interface IndexWriter {
  /** Number of this writer: larger than that of each writer that has committed before. */
  readonly fence: number;
  /** Returns the rows of all files by path, as of the last commit. */
  readonly files: () => Promise<ReadonlyMap<string, FileRow>>;
  /** Returns the rows of the files directly in the folders `direct`, or anywhere below the folders `recursive`. */
  readonly filesIn: (folders: {
    readonly direct: readonly string[];
    readonly recursive: readonly string[];
  }) => Promise<ReadonlyMap<string, FileRow>>;
  /**
   * True if the index had vectors of another embedding table than the writer's. Then no file is complete any
   * more.
   */
  readonly hasOtherEmbeddings: boolean;
  /** Returns a note for the next writer, stored by the next commit; undefined if there is none. */
  readonly note: (name: string) => string | undefined;
  /** Sets a note; the next commit stores it. */
  readonly setNote: (name: string, value: string) => void;
  /** Replaces a file's content. Give `version` if the file is complete. */
  readonly add: (
    state: FileState,
    content: FileInput | EncodedFileInput,
    version?: FileVersion,
  ) => void;
  /** Contents that files had before; undefined if it keeps none. */
  readonly earlier?: EarlierContents | undefined;
  /** Replaces the state of a file whose content is not, or no longer, in the index. */
  readonly put: (state: FileState) => void;
  /** Updates the times of a file with unchanged content; creates no new version. */
  readonly touch: (state: FileState) => void;
  /** Removes a file from the index. */
  readonly remove: (path: string) => void;
  /** True if the pending changes have reached the memory limit. */
  readonly isFull: boolean;
  /**
   * Publishes the pending changes; they are durable when it resolves. With `plan`, also writes them to the change
   * log in the same transaction.
   */
  readonly commit: (plan?: FlushPlan) => Promise<IndexVersion>;
  /** Data that monitors need of the files' baselines. */
  readonly monitorState: MonitorState;
  /**
   * Merges small and half-deleted segments, one step per call; false if no merge is due. With `quick`, skips
   * merges that take longer than some milliseconds.
   */
  readonly merge: (options?: { readonly quick: boolean }) => Promise<boolean>;
  /**
   * Deletes what earlier commits and merges have replaced. Open readers keep what they read. The next writer also
   * collects what a killed one left.
   */
  readonly collect: () => Promise<void>;
  /** Recomputes PageRank if enough files have changed; false if it did nothing. */
  readonly computePageRank: () => Promise<boolean>;
  /** Drops uncommitted changes and releases the writer's lock. */
  readonly close: () => Promise<void>;
}
