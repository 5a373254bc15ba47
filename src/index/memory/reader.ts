import { includedModules } from "../references/included-modules.ts";
import { NO_REFERENCES, type FileReferences, type Use } from "../../parse/references/references.ts";
import type { CorpusStats } from "../corpus-stats.ts";
import { fileTreeOf } from "../file-tree.ts";
import { mostFrequentFirst } from "../file-totals.ts";
import { satisfies, type LiteralQuery } from "../literal-query.ts";
import type { SegmentSymbols } from "../names/symbol-names.ts";
import type {
  ChangeLogReader,
  FileImports,
  FileIncludes,
  FileScope,
  FileTree,
  FileUses,
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
import { findCandidates } from "../scoring/find-candidates.ts";
import { numberedFiles, type NumberedFiles } from "../scoring/numbered-files.ts";
import {
  addDocuments,
  mostDocuments,
  NO_DOCUMENTS,
  type TermDocuments,
} from "../scoring/term-documents.ts";
import type { ShardReader } from "../shards/port.ts";
import { shardOf } from "../shards/shard-of.ts";
import { byLowerCase, byNameMatch, bySymbolLine } from "../symbol-order.ts";
import type { FileFacts, FileRow, SymbolFacts } from "../types.ts";
import { importTerm, usedTerm } from "../references/used-terms.ts";
import { memoryChangeLogReader } from "./change-log.ts";
import type { IndexContents } from "./contents.ts";
import { rowOf, rowsOf, totalsOf, type IndexState } from "./index-state.ts";
import type { IndexedContent } from "./indexed-content.ts";
import type { MemoryIndex } from "./indexes.ts";

/** Maximum symbols of one name, in any case, whose spellings `symbolNames` returns. */
const MAX_SPELLINGS = 4;

/** Reads one state of an index in memory, or one shard of it. */
export class MemoryReader implements ShardReader {
  readonly version: IndexVersion;
  readonly changeLog: ChangeLogReader;
  readonly shards: number;
  readonly #state: IndexState;
  /** Contents of the files that it searches. */
  readonly #own: IndexContents;
  readonly #limits: ReadLimits;

  constructor(
    index: MemoryIndex,
    state: IndexState,
    { shard, ...options }: ReadOptions & { readonly shard?: number | undefined },
  ) {
    this.#state = state;
    this.shards = state.shards;
    const { contents } = state;
    this.#own = shard === undefined ? contents : contents.ofShard(shard, state.shards);
    this.#limits = new ReadLimits(options);
    this.version = { epoch: state.epoch, at: state.at };
    this.changeLog = memoryChangeLogReader(() => index.requireState().changeLog);
  }

  get partial(): readonly string[] {
    return this.#limits.partial;
  }

  get files(): NumberedFiles {
    return numberedFiles(this.#own);
  }

  get hasWords(): boolean {
    return this.#own.files > 0;
  }

  get #contents(): readonly IndexedContent[] {
    return [...this.#own.byPath.values()];
  }

  readonly beginSearch = (terms: readonly string[]): CandidateShard => {
    this.#limits.requireNotAborted();
    return this.#own.scorer().begin(terms, () => this.#limits.isLate());
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
    (await this.termDocuments(terms)).map(mostDocuments);

  readonly termDocuments = async (terms: readonly string[]): Promise<readonly TermDocuments[]> =>
    terms.map((term) =>
      this.#own.segments
        .map(({ reader }) => {
          const [body = 0, names = 0, path = 0] = reader.dictionary.lookup(term)?.counts ?? [];
          return { body, names, path };
        })
        .reduce(addDocuments, NO_DOCUMENTS),
    );

  readonly corpusStats = async (): Promise<CorpusStats> => this.#own.corpusStats();

  async *textCandidates(
    query: LiteralQuery,
    { after, filter }: Parameters<IndexReader["textCandidates"]>[1],
  ): AsyncGenerator<FileFacts> {
    const { states } = this.#state;
    const contents = this.#own;
    for (const path of [...states.keys()].toSorted()) {
      const state = states.get(path);
      if (state === undefined || (after !== undefined && path <= after)) continue;
      const content = contents.byPath.get(path);
      // A file that is only listed may contain anything.
      const isCandidate =
        content === undefined ? state.stage === "listed" : satisfies(content.foldedText, query);
      if (!isCandidate) continue;
      this.#limits.requireNotAborted();
      if (this.#limits.isLate()) {
        this.#limits.reportMissingFiles();
        return;
      }
      const { language, role, flags } = state;
      const facts = content?.facts ?? { path, language, role, flags };
      if (filter === undefined || filter(facts)) yield facts;
    }
  }

  readonly file = async (path: string): Promise<FileRow | undefined> => rowOf(this.#state, path);

  readonly factsOf = async (path: string): Promise<FileFacts | undefined> => {
    const row = this.#contentOf(path)?.facts ?? rowOf(this.#state, path);
    return row && { path, language: row.language, role: row.role, flags: row.flags };
  };

  readonly shardOf = async (path: string): Promise<number | undefined> =>
    this.#contentOf(path) && shardOf(path, this.shards);

  readonly symbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    (await this.numberedSymbolsOf(path)).toSorted(bySymbolLine);

  readonly numberedSymbolsOf = async (path: string): Promise<readonly SymbolFacts[]> =>
    this.#contentOf(path)?.symbols ?? [];

  readonly symbolsNamed = async (name: string, limit: number): Promise<readonly NamedSymbol[]> => {
    const lowerName = name.toLowerCase();
    return this.#contents
      .flatMap(({ facts: { path }, symbols }) =>
        symbols.flatMap((symbol, number) =>
          symbol.name.toLowerCase() === lowerName ? [{ ...symbol, path, number }] : [],
        ),
      )
      .toSorted(byNameMatch(name))
      .slice(0, limit);
  };

  readonly referencesOf = async (path: string): Promise<FileReferences> =>
    this.#contentOf(path)?.references ?? NO_REFERENCES;

  readonly inheritsOf = async (path: string): Promise<readonly Use[]> =>
    (this.#contentOf(path)?.references.uses ?? []).filter(({ role }) => role === "inherit");

  readonly importsOf = async (path: string): Promise<FileImports | undefined> => {
    const content = this.#contentOf(path);
    if (content === undefined) return undefined;
    const { imports, package: ofPackage } = content.references;
    return { ...content.facts, imports, package: ofPackage };
  };

  readonly includesOf = async (path: string): Promise<FileIncludes | undefined> => {
    const content = this.#contentOf(path);
    return content && { ...content.facts, modules: includedModules(content.references.imports) };
  };

  readonly scopeOf = async (path: string): Promise<FileScope | undefined> => {
    const content = this.#contentOf(path);
    if (content === undefined) return undefined;
    const { uses: _uses, ...scope } = content.references;
    return { ...content.facts, ...scope, symbols: content.symbols };
  };

  readonly usesOf = async (name: string): Promise<readonly FileUses[]> => {
    this.#limits.requireNotAborted();
    return this.#contents
      .map(({ facts, references }) => ({
        ...facts,
        uses: references.uses.filter((use) => use.name === name),
        reexports: references.imports
          .filter(({ isReexport }) => isReexport)
          .flatMap(({ bindings }) => bindings.filter((binding) => binding.name === name))
          .map(({ local }) => local),
      }))
      .filter(({ uses }) => uses.length > 0)
      .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  };

  readonly usingFiles = async (name: string): Promise<number> =>
    this.#pathsWith(usedTerm(name)).length;

  readonly importersOf = async (lastPart: string): Promise<readonly string[]> =>
    this.#pathsWith(importTerm(lastPart)).toSorted();

  readonly fileTree = async (): Promise<FileTree> =>
    fileTreeOf([...this.#state.states.keys()].toSorted());

  readonly pageRanks = async (): Promise<PageRanks> => {
    const { ranks } = this.#state;
    return {
      fileRank: (path) => ranks.get(path)?.file ?? 0,
      symbolRank: (path, number) => ranks.get(path)?.symbols[number] ?? 0,
    };
  };

  readonly rankVersion = async (): Promise<number> => this.#state.rankVersion;

  readonly note = async (name: string): Promise<string | undefined> => this.#state.notes.get(name);

  readonly embedder = async (): Promise<string> => this.#state.embedder;

  readonly segmentSymbols = async (): Promise<readonly SegmentSymbols[]> =>
    this.#own.segmentSymbols();

  readonly definitionsOf = async (name: string): Promise<number> => {
    const term = usedTerm(name);
    const symbols = this.#contents.flatMap((content) => content.symbols);
    return symbols.filter((symbol) => usedTerm(symbol.name) === term).length;
  };

  readonly symbolNames = async (prefix: string, limit: number): Promise<readonly string[]> => {
    const wanted = prefix.toLowerCase();
    const inOrder = this.#contents.toSorted((one, other) =>
      one.facts.path < other.facts.path ? -1 : 1,
    );
    const spellings = Map.groupBy(
      inOrder.flatMap(({ symbols }) => symbols.map(({ name }) => name)),
      (name) => name.toLowerCase(),
    );
    const names = [...spellings.keys()]
      .filter((lowerName) => lowerName.startsWith(wanted))
      .toSorted()
      .slice(0, limit)
      .flatMap((lowerName) => spellings.get(lowerName)?.slice(0, MAX_SPELLINGS) ?? []);
    return [...new Set(names)].toSorted(byLowerCase).slice(0, limit);
  };

  readonly summary = async (): Promise<IndexSummary> => {
    const totals = totalsOf(this.#state);
    return {
      ...totals,
      skipped: mostFrequentFirst(totals.skipped),
      problems: mostFrequentFirst(totals.problems),
      indexedAt: this.#state.indexedAt,
    };
  };

  readonly skippedFiles: IndexReader["skippedFiles"] = async (limit) =>
    rowsOf(this.#state)
      .flatMap(({ path, skipped }) => (skipped === null ? [] : [{ path, reason: skipped }]))
      .slice(0, limit);

  readonly problemFiles: IndexReader["problemFiles"] = async (limit) =>
    rowsOf(this.#state)
      .flatMap(({ path, problem }) => (problem ? [{ path, reason: problem.reason }] : []))
      .slice(0, limit);

  readonly verify = async (): Promise<readonly string[]> => [];

  /** Returns the files with a term of `usedTerms`. */
  #pathsWith(term: string): readonly string[] {
    return this.#contents
      .filter(({ usedTerms }) => usedTerms.has(term))
      .map(({ facts }) => facts.path);
  }

  #contentOf(path: string): IndexedContent | undefined {
    return this.#state.contents.byPath.get(path);
  }
}
