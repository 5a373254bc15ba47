// What the engine asks of an index, wherever it is kept. Shaped by what search needs: ingredients of
// answers go out, whole files come in. Tokens, chunks, weights and ranking are the engine's own, so that
// another backend gives the same answers.

import type { EmbeddingSource } from "../embed/embedding-source.ts";
import type { FileReferences, Use } from "../parse/references/references.ts";
import type { FileRow, FileStage, Totals } from "./catalog/file-row.ts";
import type { CandidateQuery, Candidates } from "./scoring/bm25.ts";
import type {
  HitPlace,
  HitRange,
  ChangeLogState,
  FlushPlan,
  FileVersion,
  ChangeEvent,
} from "./change-log/change-event.ts";
import type { LiteralQuery } from "./trigrams/literal-query.ts";
import type { CorpusStats } from "./corpus-stats.ts";
import type { SymbolFacts } from "./segment/outline.ts";
import type { SegmentSymbols } from "./names/symbol-names.ts";
import type { FileFacts } from "./segment/segment-reader.ts";
import type { FileInput } from "./segment/segment-writer.ts";

/** A moment in the life of an index. Those of one epoch are in order; another epoch is another index. */
export interface IndexVersion {
  readonly epoch: string;
  readonly at: number;
}

export interface ReadOptions {
  /** The reader sees at least this, as one who has just written must. Throws INDEX_UNAVAILABLE if it cannot. */
  readonly atLeast?: IndexVersion | undefined;
  /** On the clock of `performance.now`: what is not found by then is left out, and `partial` says so. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Verifies an index and puts it aside when it is damaged; also when a newer svc wrote it; or in any case. */
export type QuarantineMode = "damaged" | "newer" | "all";

export interface IndexBackend {
  readonly kind: "embedded";
  /** Undefined when nothing has been written yet. A reader sees one version until it is let go. */
  readonly reader: (namespace: string, options?: ReadOptions) => Promise<IndexReader | undefined>;
  /** Undefined when another process is still writing after `waitMs`. */
  readonly writer: (
    namespace: string,
    options: {
      readonly waitMs: number;
      readonly embeddings?: EmbeddingSource | undefined;
      readonly quarantine?: QuarantineMode | undefined;
    },
  ) => Promise<IndexWriter | undefined>;
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
  /** In order of lines. */
  readonly uses: readonly Use[];
}

/** What names mean in a file, as far as the file says it: everything but its uses. */
export interface FileScope extends FileFacts, Omit<FileReferences, "uses"> {
  /** In the order in which uses number them. */
  readonly symbols: readonly SymbolFacts[];
}

/** How much of a project depends on what, from 0 to 255: 128 is the mean, 16 more is twice as much. */
export interface PageRanks {
  readonly fileRank: (path: string) => number;
  /** `number`: its place among the symbols of its file, as in `FileScope`. */
  readonly symbolRank: (path: string, number: number) => number;
}

/** The files of an index by their paths, those among them whose content is not indexed as well. */
export interface FileTree {
  readonly has: (path: string) => boolean;
  /** Names of the files that lie directly in a folder ("" for the outermost), in order. */
  readonly filesIn: (folder: string) => readonly string[];
  /** Names of the folders directly in a folder, in order. */
  readonly foldersIn: (folder: string) => readonly string[];
  /** Paths of the files of that name, in order: "tsconfig.json", "lib.rs". */
  readonly named: (name: string) => readonly string[];
}

export interface IndexSummary extends Totals {
  readonly stages: Readonly<Record<FileStage, number>>;
  /** Reason -> files whose content is not indexed because of it. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Reason -> files that were indexed without their grammar because of it. */
  readonly problems: Readonly<Record<string, number>>;
  /** When the index was last written, ISO 8601. */
  readonly indexedAt: string | null;
}

export interface IndexReader {
  readonly version: IndexVersion;
  /** What the answers so far lack, a sentence each. */
  readonly partial: readonly string[];
  /** True when at least one file can be found by its words. */
  readonly hasWords: boolean;
  /** The files that may answer a question, by words and meaning, best first. */
  readonly candidates: (query: CandidateQuery) => Promise<Candidates>;
  /** In how many chunks each of these terms stands, 0 for one that stands nowhere; replaced ones may still count. */
  readonly termCounts: (terms: readonly string[]) => Promise<readonly number[]>;
  /** What kinds of files there are. */
  readonly corpusStats: () => Promise<CorpusStats>;
  /**
   * The files that may hold a text, in the order of their paths; files that are listed only are among
   * them. A path after `after` only.
   */
  readonly textCandidates: (
    query: LiteralQuery,
    options: {
      readonly after?: string | undefined;
      readonly filter?: ((file: FileFacts) => boolean) | undefined;
    },
  ) => AsyncIterable<FileFacts>;
  readonly file: (path: string) => Promise<FileRow | undefined>;
  /** In order of lines, outer definitions before inner ones. */
  readonly symbolsOf: (path: string) => Promise<readonly SymbolFacts[]>;
  /** Definitions of that name in any case, those in the very case first. */
  readonly symbolsNamed: (name: string, limit: number) => Promise<readonly NamedSymbol[]>;
  /** What a file uses, imports and says of types; nothing for files without a grammar. */
  readonly referencesOf: (path: string) => Promise<FileReferences>;
  /** Undefined for a file whose content is not in the index. */
  readonly scopeOf: (path: string) => Promise<FileScope | undefined>;
  /** The uses of a name in this very case, by file, in the order of paths. */
  readonly usesOf: (name: string) => Promise<readonly FileUses[]>;
  /** In how many files a name is used, whatever is meant by it, and in whatever case. */
  readonly usingFiles: (name: string) => Promise<number>;
  /**
   * Files with an import whose module ends in this part, in whatever case, in the order of paths: "log" finds
   * importers of `../base/log.ts`, `a.b.log` and `crate::log`.
   */
  readonly importersOf: (lastPart: string) => Promise<readonly string[]>;
  readonly fileTree: () => Promise<FileTree>;
  readonly pageRanks: () => Promise<PageRanks>;
  /** How often importance has been worked out: that makes no new version. */
  readonly rankVersion: () => Promise<number>;
  /** The names of all definitions, to be looked through in memory. */
  readonly segmentSymbols: () => Promise<readonly SegmentSymbols[]>;
  /** How many definitions have a name, in whatever case; those that were replaced may still count. */
  readonly definitionsOf: (name: string) => Promise<number>;
  /** Distinct names that begin with `prefix` in any case: candidates for "did you mean". */
  readonly symbolNames: (prefix: string, limit: number) => Promise<readonly string[]>;
  readonly changeLog: ChangeLogReader;
  readonly summary: () => Promise<IndexSummary>;
  readonly skippedFiles: (
    limit: number,
  ) => Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** Files that were indexed without their grammar. */
  readonly problemFiles: (
    limit: number,
  ) => Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** Reads everything and names what is damaged. */
  readonly verify: () => Promise<readonly string[]>;
}

/** What changed, as of the moment of the call: newer than the reader's version, maybe. */
export interface ChangeLogReader {
  readonly state: () => ChangeLogState;
  /** Changes behind a place, oldest first, with the hits of these monitors. */
  readonly after: (
    seq: number,
    limit: number,
    monitors: readonly number[],
  ) => readonly ChangeEvent[];
  /** Changes before a place, newest first. */
  readonly before: (
    seq: number,
    limit: number,
    monitors: readonly number[],
  ) => readonly ChangeEvent[];
  /** Hits of these monitors in a part of it, oldest first. */
  readonly hitsAfter: (
    range: HitRange,
    limit: number,
    monitors: readonly number[],
  ) => readonly HitPlace[];
  /** Behind which the changes of later generations stand. */
  readonly seqAtGeneration: (generation: number) => number;
  /** Behind which the changes from this moment on stand. */
  readonly seqBefore: (atMs: number) => number;
}

/** Where the content of a file is belongs to the index, and so does not come from outside. */
export type FileState = Omit<FileRow, "segment" | "ordinal">;

/** What is kept of the files for monitors. */
export interface MonitorState {
  /** A remark that is kept with the changes. */
  readonly note: (name: string) => string | undefined;
  /** Files without prints of their lines, with the hash of the content these must be of. */
  readonly withoutLineHashes: () => readonly { readonly path: string; readonly hash: string }[];
  /** Whether changes wait that an earlier run has not told. */
  readonly hasPending: () => boolean;
  /** Every change that is made in `change`, or none of them. */
  readonly change: (change: (changes: MonitorStateChanges) => void) => void;
  /** The uses of a name in the files whose content in the index is the one that was told. */
  readonly usesOf: (name: string) => readonly UsingSymbols[];
  /** Files whose content in the index is another than was told. */
  readonly changedSinceBaseline: () => readonly string[];
  /** Prints of the lines of a file as it was told; undefined where there are none. */
  readonly lineHashes: (path: string) => Uint32Array | undefined;
  /** What is kept of a file, as it was parsed from JSON. */
  readonly watched: (path: string) => unknown;
}

export interface MonitorStateChanges {
  readonly setNote: (name: string, value: string) => void;
  readonly setLineHashes: (path: string, hashes: Uint32Array) => void;
  readonly dropLineHashes: () => void;
  readonly setWatched: (path: string, value: unknown) => void;
  /** Forgets the hits of all other monitors. */
  readonly deleteHitsExcept: (monitors: readonly number[]) => void;
}

/** The definitions of a file that use a name, by their qualified names, "" for the outermost level; one a use. */
export interface UsingSymbols {
  readonly path: string;
  readonly owners: readonly string[];
}

/** Only one writer at a time; what it takes in is visible after `commit`, all at once. */
export interface IndexWriter {
  /** What is known of every file, by path; as of the last commit. */
  readonly files: () => Promise<ReadonlyMap<string, FileRow>>;
  /** The same of the files that lie directly in the folders `direct`, or anywhere below those of `recursive`. */
  readonly filesIn: (folders: {
    readonly direct: readonly string[];
    readonly recursive: readonly string[];
  }) => Promise<ReadonlyMap<string, FileRow>>;
  /** True when there were vectors of another table than the writer's: no file is complete any more. */
  readonly hasOtherEmbeddings: boolean;
  /** A remark for the next writer, kept with the next commit; undefined when there is none. */
  readonly note: (name: string) => string | undefined;
  readonly setNote: (name: string, value: string) => void;
  /** The content of a file, in place of what is known of it; `version` when it is complete. */
  readonly add: (state: FileState, content: FileInput, version?: FileVersion) => void;
  /** What is known of a file whose content is not, or no longer, in the index. */
  readonly put: (state: FileState) => void;
  /** New times for a file whose content is as it was: no new version. */
  readonly touch: (state: FileState) => void;
  readonly remove: (path: string) => void;
  /** True when as much waits as should be held in memory. */
  readonly isFull: boolean;
  /** With `plan` the changes that wait are told in the same transaction. */
  readonly commit: (plan?: FlushPlan) => Promise<IndexVersion>;
  /** What monitors need of the versions of files that were told last. */
  readonly monitorState: MonitorState;
  /**
   * Folds small and half dead parts, one step a call; false when there is nothing to fold. `quick` leaves
   * what takes longer than some milliseconds to the next time.
   */
  readonly merge: (options?: { readonly quick: boolean }) => Promise<boolean>;
  /**
   * Works out anew what depends on what, when so much has changed since that it may matter; false when it
   * did nothing.
   */
  readonly computePageRank: () => Promise<boolean>;
  /** Gives up what has not been committed. */
  readonly close: () => void;
}
