// Reads an index shard by shard. Every answer is that of the index as a whole.

import { NO_REFERENCES, type FileReferences, type Use } from "../../parse/references/references.ts";
import { joinCorpusStats, type CorpusStats } from "../corpus-stats.ts";
import type { LiteralQuery } from "../literal-query.ts";
import type { SegmentSymbols } from "../names/symbol-names.ts";
import type {
  ChangeLogReader,
  FileImports,
  FileIncludes,
  FileScope,
  FileTree,
  IndexReader,
  IndexSummary,
  IndexVersion,
  NamedSymbol,
  PageRanks,
  ReadOptions,
} from "../port.ts";
import { ReadLimits } from "../read-limits.ts";
import type { CandidateShard } from "../scoring/candidate-shard.ts";
import type { CandidateQuery, Candidates } from "../scoring/candidates.ts";
import { addDocuments, mostDocuments, NO_DOCUMENTS } from "../scoring/term-documents.ts";
import { byLowerCase, byNameMatch } from "../symbol-order.ts";
import type { FileFacts, FileRow, SymbolFacts } from "../types.ts";
import { mergedByPath } from "./merge-by-path.ts";
import type { ShardReader } from "./port.ts";
import type { PresentShards } from "./present-shards.ts";

type CandidateOptions = Parameters<IndexReader["textCandidates"]>[1];

/** Reads the shards of one version. Shards that cannot be reached are left out, and `partial` names them. */
export class ShardedReader implements IndexReader {
  readonly version: IndexVersion;
  readonly #shards: PresentShards;
  readonly #limits: ReadLimits;

  /** `shards` must all have the same version. */
  constructor(shards: PresentShards, options: ReadOptions) {
    this.#shards = shards;
    this.#limits = new ReadLimits(options);
    this.version = shards.any.version;
  }

  get changeLog(): ChangeLogReader {
    return this.#shards.any.changeLog;
  }

  get partial(): readonly string[] {
    const ofShards = this.#shards.all.flatMap(({ partial }) => partial);
    return [...new Set([...this.#shards.missing, ...this.#limits.partial, ...ofShards])];
  }

  get hasWords(): boolean {
    return this.#shards.all.some(({ hasWords }) => hasWords);
  }

  /** On this machine: a search of several indexes is not divided among nodes. */
  readonly beginSearches = (terms: readonly string[]): readonly CandidateShard[] =>
    this.#shards.all.map((shard) => shard.beginSearch(terms));

  readonly candidates = async (query: CandidateQuery): Promise<Candidates> => {
    this.#limits.requireNotAborted();
    const found = await this.#shards.findCandidates(query);
    if (!found.isComplete) this.#limits.reportMissingTerms();
    return found;
  };

  readonly termCounts = async (terms: readonly string[]): Promise<readonly number[]> => {
    const ofShards = await this.#shards.each((shard) => shard.termDocuments(terms));
    return terms.map((_, at) =>
      mostDocuments(
        ofShards
          .map((documents) => documents[at] ?? NO_DOCUMENTS)
          .reduce(addDocuments, NO_DOCUMENTS),
      ),
    );
  };

  readonly corpusStats = async (): Promise<CorpusStats> =>
    joinCorpusStats(await this.#shards.each((shard) => shard.corpusStats()));

  async *textCandidates(query: LiteralQuery, options: CandidateOptions): AsyncGenerator<FileFacts> {
    const streams = this.#shards.streams((shard) => shard.textCandidates(query, options));
    yield* mergedByPath(streams);
  }

  readonly file = (path: string): Promise<FileRow | undefined> =>
    this.#shards.first((shard) => shard.file(path));

  /** A file whose content is not indexed is in no shard. */
  readonly factsOf = async (path: string): Promise<FileFacts | undefined> =>
    (await this.#shards.ofFile(path, (shard) => shard.factsOf(path))) ??
    (await this.#shards.first((shard) => shard.factsOf(path)));

  readonly symbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    (await this.#shards.ofFile(path, (shard) => shard.symbolsOf(path))) ?? [];

  readonly numberedSymbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    (await this.#shards.ofFile(path, (shard) => shard.numberedSymbolsOf(path))) ?? [];

  readonly referencesOf = async (path: string): Promise<FileReferences> =>
    (await this.#shards.ofFile(path, (shard) => shard.referencesOf(path))) ?? NO_REFERENCES;

  readonly inheritsOf = async (path: string): Promise<readonly Use[]> =>
    (await this.#shards.ofFile(path, (shard) => shard.inheritsOf(path))) ?? [];

  readonly importsOf = (path: string): Promise<FileImports | undefined> =>
    this.#shards.ofFile(path, (shard) => shard.importsOf(path));

  readonly includesOf = (path: string): Promise<FileIncludes | undefined> =>
    this.#shards.ofFile(path, (shard) => shard.includesOf(path));

  readonly scopeOf = (path: string): Promise<FileScope | undefined> =>
    this.#shards.ofFile(path, (shard) => shard.scopeOf(path));

  readonly usesOf = async (name: string): ReturnType<IndexReader["usesOf"]> => {
    this.#limits.requireNotAborted();
    const found = await this.#shards.each((shard) => shard.usesOf(name));
    return found.flat().toSorted((one, other) => (one.path < other.path ? -1 : 1));
  };

  readonly usingFiles = (name: string): Promise<number> =>
    this.#sum((shard) => shard.usingFiles(name));

  readonly definitionsOf = (name: string): Promise<number> =>
    this.#sum((shard) => shard.definitionsOf(name));

  async #sum(count: (shard: ShardReader) => Promise<number>): Promise<number> {
    return (await this.#shards.each(count)).reduce((sum, ofShard) => sum + ofShard, 0);
  }

  readonly importersOf = async (lastPart: string): Promise<readonly string[]> =>
    (await this.#shards.each((shard) => shard.importersOf(lastPart))).flat().toSorted();

  readonly fileTree = (): Promise<FileTree> => this.#shards.first((shard) => shard.fileTree());

  /** The ranks of all shards are computed together; each stores those of its files. */
  readonly pageRanks = async (): Promise<PageRanks> => {
    const ofShards = await this.#shards.each((shard) => shard.pageRanks());
    const highest = (rank: (ranks: PageRanks) => number): number =>
      Math.max(0, ...ofShards.map(rank));
    return {
      fileRank: (path) => highest((ranks) => ranks.fileRank(path)),
      symbolRank: (path, number) => highest((ranks) => ranks.symbolRank(path, number)),
    };
  };

  readonly rankVersion = (): Promise<number> => this.#shards.first((shard) => shard.rankVersion());

  readonly note = (name: string): Promise<string | undefined> =>
    this.#shards.first((shard) => shard.note(name));

  readonly embedder = (): Promise<string> => this.#shards.first((shard) => shard.embedder());

  readonly segmentSymbols = async (): Promise<readonly SegmentSymbols[]> =>
    (await this.#shards.each((shard) => shard.segmentSymbols())).flat();

  readonly symbolsNamed = async (name: string, limit: number): Promise<readonly NamedSymbol[]> => {
    const found = await this.#shards.each((shard) => shard.symbolsNamed(name, limit));
    return found.flat().toSorted(byNameMatch(name)).slice(0, limit);
  };

  readonly symbolNames = async (prefix: string, limit: number): Promise<readonly string[]> => {
    const found = await this.#shards.each((shard) => shard.symbolNames(prefix, limit));
    return [...new Set(found.flat())].toSorted(byLowerCase).slice(0, limit);
  };

  readonly summary = (): Promise<IndexSummary> => this.#shards.first((shard) => shard.summary());

  readonly skippedFiles: IndexReader["skippedFiles"] = (limit) =>
    this.#shards.first((shard) => shard.skippedFiles(limit));

  readonly problemFiles: IndexReader["problemFiles"] = (limit) =>
    this.#shards.first((shard) => shard.problemFiles(limit));

  readonly verify = async (): Promise<readonly string[]> => [
    ...new Set((await this.#shards.each((shard) => shard.verify())).flat()),
  ];
}
