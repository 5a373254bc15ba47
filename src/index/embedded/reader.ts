import { SvcError } from "../../base/errors.ts";
import { NO_REFERENCES, type FileReferences, type Use } from "../../parse/references/references.ts";
import type {
  FileImports,
  FileIncludes,
  FileScope,
  FileTree,
  PageRanks,
  IndexReader,
  IndexSummary,
  ChangeLogReader,
  ReadOptions,
  NamedSymbol,
  IndexVersion,
} from "../port.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { EMBEDDER_KEY, noteKey } from "./catalog/meta-keys.ts";
import { damagedCatalog } from "../damage.ts";
import type { FileRow, SymbolFacts, FileFacts } from "../types.ts";
import type { SegmentView } from "./segment/live-segments.ts";
import type { CandidateShard } from "../scoring/candidate-shard.ts";
import type { CandidateQuery, Candidates } from "../scoring/candidates.ts";
import { findCandidates } from "../scoring/find-candidates.ts";
import { numberedFiles, type NumberedFiles } from "../scoring/numbered-files.ts";
import {
  addDocuments,
  mostDocuments,
  NO_DOCUMENTS,
  type TermDocuments,
} from "../scoring/term-documents.ts";
import type { ShardReader } from "../shards/port.ts";
import { changeLogReader } from "./change-log/change-log-reader.ts";
import type { LiteralQuery } from "../literal-query.ts";
import { ReadLimits } from "../read-limits.ts";
import { bySymbolLine } from "../symbol-order.ts";
import type { CorpusStats } from "../corpus-stats.ts";
import type { SegmentSymbols } from "../names/symbol-names.ts";
import { segmentSymbolsOf } from "./segment-symbols.ts";
import {
  definitionsOf,
  importing,
  importsIn,
  includesIn,
  inheritsIn,
  referencesIn,
  scopeIn,
  usesOf,
  usingFiles,
} from "./reference-lookup.ts";
import { RANK_VERSION_KEY } from "./pagerank/segment-ranks.ts";
import { symbolNames, symbolsNamed } from "./symbol-lookup.ts";
import type { IndexSnapshot, SnapshotSource } from "./snapshot.ts";

type CandidateOptions = Parameters<IndexReader["textCandidates"]>[1];

/** Reads one snapshot of the embedded index, or one shard of it. */
export class EmbeddedReader implements ShardReader {
  readonly version: IndexVersion;
  readonly shards: number;
  readonly #catalog: Catalog;
  readonly #snapshots: SnapshotSource;
  /** Undefined for the whole index. */
  readonly #shard: number | undefined;
  readonly #snapshot: IndexSnapshot;
  readonly #limits: ReadLimits;

  constructor(
    catalog: Catalog,
    snapshots: SnapshotSource,
    { shard, ...options }: ReadOptions & { readonly shard?: number | undefined },
  ) {
    this.#catalog = catalog;
    this.#snapshots = snapshots;
    this.#shard = shard;
    const whole = snapshots.current();
    this.shards = whole.shards;
    this.#snapshot = this.#own(whole);
    this.#limits = new ReadLimits(options);
    this.version = { epoch: catalog.meta("epoch") ?? "", at: whole.generation };
  }

  #own(whole: IndexSnapshot): IndexSnapshot {
    return this.#shard === undefined ? whole : whole.ofShard(this.#shard);
  }

  get changeLog(): ChangeLogReader {
    return changeLogReader(this.#catalog);
  }

  get partial(): readonly string[] {
    return this.#limits.partial;
  }

  get files(): NumberedFiles {
    return numberedFiles(this.#snapshot);
  }

  get hasWords(): boolean {
    return this.#snapshot.segments.length > 0;
  }

  readonly beginSearch = (terms: readonly string[]): CandidateShard => {
    this.#limits.requireNotAborted();
    return this.#snapshot.scorer().begin(terms, () => this.#limits.isLate());
  };

  readonly beginSearches = (terms: readonly string[]): readonly CandidateShard[] => [
    this.beginSearch(terms),
  ];

  readonly candidates = async (query: CandidateQuery): Promise<Candidates> => {
    const found = await findCandidates(this.beginSearches([...query.terms.keys()]), query);
    if (!found.isComplete) this.#limits.reportMissingTerms();
    return found;
  };

  readonly termCounts = async (terms: readonly string[]): Promise<readonly number[]> =>
    this.#documentsWith(terms).map(mostDocuments);

  readonly termDocuments = async (terms: readonly string[]): Promise<readonly TermDocuments[]> =>
    this.#documentsWith(terms);

  #documentsWith(terms: readonly string[]): readonly TermDocuments[] {
    const found = new Map<string, TermDocuments>();
    const inOrder = [...new Set(terms)].toSorted(compare);
    for (const view of this.#snapshot.segments) {
      for (const entry of view.reader.dictionary.lookupAll(inOrder)) {
        if (entry === undefined) continue;
        const before = found.get(entry.term) ?? NO_DOCUMENTS;
        found.set(entry.term, addDocuments(before, view.live.documentsOf(entry)));
      }
    }
    return terms.map((term) => found.get(term) ?? NO_DOCUMENTS);
  }

  readonly corpusStats = async (): Promise<CorpusStats> => this.#snapshot.corpusStats();

  async *textCandidates(query: LiteralQuery, options: CandidateOptions): AsyncGenerator<FileFacts> {
    for (const file of this.#candidatesByPath(query, options)) {
      this.#limits.requireNotAborted();
      if (this.#limits.isLate()) {
        this.#limits.reportMissingFiles();
        return;
      }
      if (options.filter === undefined || options.filter(file)) yield file;
    }
  }

  readonly file = async (path: string): Promise<FileRow | undefined> =>
    // One statement needs no transaction, which would take half as long again.
    this.#catalog.files.get(path) ??
    this.#inOneTransaction(() => {
      const row = this.#catalog.files.get(path);
      if (row === undefined) this.#requireUnindexed(path);
      return row;
    });

  readonly shardOf = async (path: string): Promise<number | undefined> => {
    const place = this.#catalog.files.placeOf(path);
    return place && this.#snapshots.current().shardOf(place.segment);
  };

  readonly factsOf = async (path: string): Promise<FileFacts | undefined> =>
    this.#readFromFile(path, ({ reader }, file) => reader.file(file)) ??
    factsOf(await this.file(path));

  readonly symbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    (await this.numberedSymbolsOf(path)).toSorted(bySymbolLine);

  readonly numberedSymbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    this.#readFromFile(path, ({ reader }, file) => reader.symbolsOf(file)) ?? [];

  readonly referencesOf = async (path: string): Promise<FileReferences> => {
    return this.#readFromFile(path, referencesIn) ?? NO_REFERENCES;
  };

  readonly inheritsOf = async (path: string): Promise<readonly Use[]> =>
    this.#readFromFile(path, inheritsIn) ?? [];

  readonly importsOf = async (path: string): Promise<FileImports | undefined> =>
    this.#readFromFile(path, importsIn);

  readonly includesOf = async (path: string): Promise<FileIncludes | undefined> =>
    this.#readFromFile(path, includesIn);

  readonly scopeOf = async (path: string): Promise<FileScope | undefined> =>
    this.#readFromFile(path, scopeIn);

  readonly usesOf = async (name: string): ReturnType<IndexReader["usesOf"]> => {
    this.#limits.requireNotAborted();
    return usesOf(this.#snapshot, name);
  };

  readonly usingFiles = async (name: string): Promise<number> => usingFiles(this.#snapshot, name);

  readonly definitionsOf = async (name: string): Promise<number> =>
    definitionsOf(this.#snapshot, name);

  readonly importersOf = async (lastPart: string): Promise<readonly string[]> =>
    importing(this.#snapshot, lastPart);

  readonly fileTree = async (): Promise<FileTree> =>
    this.#snapshot.fileTree(() => this.#catalog.files.paths());

  readonly segmentSymbols = async (): Promise<readonly SegmentSymbols[]> =>
    segmentSymbolsOf(this.#snapshot.segments);

  readonly rankVersion = async (): Promise<number> =>
    Number(this.#catalog.meta(RANK_VERSION_KEY) ?? 0);

  readonly note = async (name: string): Promise<string | undefined> =>
    this.#catalog.meta(noteKey(name));

  readonly embedder = async (): Promise<string> => this.#catalog.meta(EMBEDDER_KEY) ?? "";

  readonly pageRanks = async (): Promise<PageRanks> =>
    this.#snapshot.pageRanks((segment) => this.#catalog.segments.ranks(segment));

  readonly symbolsNamed = async (name: string, limit: number): Promise<readonly NamedSymbol[]> =>
    symbolsNamed(this.#snapshot.segments, name, limit);

  readonly symbolNames = async (prefix: string, limit: number): Promise<readonly string[]> =>
    symbolNames(this.#snapshot.segments, prefix, limit);

  readonly summary = async (): Promise<IndexSummary> => ({
    ...this.#catalog.files.totals(),
    stages: this.#catalog.files.stageCounts(),
    skipped: this.#catalog.files.skippedCounts(),
    problems: this.#catalog.files.problemCounts(),
    indexedAt: this.#catalog.meta("indexed_at") ?? null,
  });

  readonly skippedFiles = async (limit: number): ReturnType<IndexReader["skippedFiles"]> =>
    this.#catalog.files.skipped(limit);

  readonly problemFiles = async (limit: number): ReturnType<IndexReader["problemFiles"]> =>
    this.#catalog.files.problems(limit);

  readonly verify = async (): Promise<readonly string[]> => {
    const damaged = this.#snapshot.segments.flatMap(({ reader }) => reader.damagedParts());
    return [...(this.#catalog.isSound() ? [] : ["catalogue"]), ...new Set(damaged)];
  };

  /** Calls `read` with the segment and number of a file; undefined if its content is not indexed. */
  #readFromFile<T>(path: string, read: (view: SegmentView, file: number) => T): T | undefined {
    const place = this.#snapshot.places.find(path);
    if (place !== undefined) return read(place.view, place.ordinal);
    // A newer version may have it.
    return this.#inOneTransaction(() => this.#readFromCurrent(path, read));
  }

  #readFromCurrent<T>(path: string, read: (view: SegmentView, file: number) => T): T | undefined {
    const place = this.#catalog.files.placeOf(path);
    if (place === undefined) {
      this.#requireUnindexed(path);
      return undefined;
    }
    const whole = this.#snapshots.current();
    const view = liveView(whole, path, place);
    if (view === undefined) throw damagedCatalog();
    return read(view, place.ordinal);
  }

  /** Segments also store the paths of their files. A live file that the catalogue does not list is a lost row. */
  #requireUnindexed(path: string): void {
    for (const { reader, tombstones } of this.#snapshots.current().segments) {
      const order = reader.pathOrder();
      for (let at = reader.firstAfter(path, true); at < order.length; at += 1) {
        if (reader.path(order[at] ?? 0) !== path) break;
        if (tombstones[order[at] ?? 0] !== 1) throw damagedCatalog();
      }
    }
  }

  *#candidatesByPath(query: LiteralQuery, { after }: CandidateOptions): Generator<FileFacts> {
    // Rows and segments must come from one transaction: in between, a file may move from one to the other and
    // be missed.
    const { rows, segments } = this.#inOneTransaction(() => ({
      rows: this.#catalog.files.listed(),
      segments: this.#own(this.#snapshots.current()).segments,
    }));
    const streams = segments.map((view) => candidatesIn(view, query, after));
    streams.push(listed(rows, after));
    yield* mergedByPath(streams);
  }

  /**
   * Reads rows and segments of one version. A writer may delete a segment's file before it is opened. Then
   * there is a newer version, which is tried once.
   */
  #inOneTransaction<T>(read: () => T): T {
    try {
      return this.#catalog.snapshot(read);
    } catch (thrown) {
      if (!(thrown instanceof SvcError) || thrown.code !== "INDEX_UNAVAILABLE") throw thrown;
      return this.#catalog.snapshot(read);
    }
  }
}

/** Returns the segment of a file's place, if the file is there in this snapshot. */
function liveView(
  snapshot: IndexSnapshot,
  path: string,
  { segment, ordinal }: { readonly segment: number; readonly ordinal: number },
): SegmentView | undefined {
  const view = snapshot.view(segment);
  const isLive = view?.tombstones[ordinal] === 0 && view.reader.path(ordinal) === path;
  return isLive ? view : undefined;
}

function factsOf(row: FileRow | undefined): FileFacts | undefined {
  return row && { path: row.path, language: row.language, role: row.role, flags: row.flags };
}

function* listed(files: readonly FileFacts[], after: string | undefined): Generator<FileFacts> {
  // SQLite compares bytes, segments code units: beyond the basic plane the order differs.
  for (const row of files.toSorted((one, other) => compare(one.path, other.path))) {
    if (after === undefined || row.path > after) yield row;
  }
}

function* candidatesIn(
  { reader, tombstones }: SegmentView,
  query: LiteralQuery,
  after: string | undefined,
): Generator<FileFacts> {
  const found = reader.trigrams.candidates(query);
  if (found?.length === 0) return;
  const order = reader.pathOrder();
  const isCandidate = found && new Uint8Array(reader.files);
  if (isCandidate !== undefined) for (const file of found ?? []) isCandidate[file] = 1;
  for (
    let at = after === undefined ? 0 : reader.firstAfter(after, false);
    at < order.length;
    at += 1
  ) {
    const file = order[at] ?? 0;
    if (tombstones[file] !== 1 && isCandidate?.[file] !== 0) yield reader.file(file);
  }
}

/** Merges several streams in path order. There are few, so a linear scan finds the next file. */
function* mergedByPath(streams: readonly Iterator<FileFacts>[]): Generator<FileFacts> {
  const heads = streams.map((stream) => stream.next());
  for (;;) {
    let first = -1;
    let earliest: FileFacts | undefined;
    for (const [at, { done, value }] of heads.entries()) {
      if (done === true) continue;
      if (earliest === undefined || value.path < earliest.path) {
        first = at;
        earliest = value;
      }
    }
    const stream = streams[first];
    if (earliest === undefined || stream === undefined) return;
    yield earliest;
    heads[first] = stream.next();
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
