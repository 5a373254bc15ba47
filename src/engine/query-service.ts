// Answers queries: opens the index of a request, and passes the query through the steps between engine and answer.

import type { Backend } from "../backend/backend.ts";
import type { ReferenceGraph } from "../graph/reference-graph.ts";
import { GitHistoryCache } from "../sources/git-history.ts";
import { namespaceListOf, type NamespaceList } from "../sources/namespace-list.ts";
import type { TextReader } from "../sources/text/port.ts";
import type { IndexReader } from "../index/port.ts";
import type { Engine } from "./api/engine.ts";
import type { Cacheable, EngineRequest } from "./api/request.ts";
import type { SearchRequest } from "./api/search.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { FindUsers } from "./changes/change-symbols.ts";
import type { ChangesContext } from "./changes/list-changes.ts";
import { NotesRenewal } from "./drift/notes-renewal.ts";
import { OutdatedNotes } from "./drift/outdated-notes.ts";
import { embeddingsFrom } from "./embeddings.ts";
import { maskedTexts } from "./files/masked-texts.ts";
import { readTargets } from "./files/read-targets.ts";
import type { RunScheduler } from "./indexing/scheduler.ts";
import { AnswerCache } from "./middleware/answer-cache.ts";
import { caching, type QueryCall } from "./middleware/caching.ts";
import { hintWithout } from "./files/unmatched-path.ts";
import { noting } from "./middleware/noting.ts";
import { pipeline } from "./middleware/middleware.ts";
import { ReadDependencies } from "./middleware/read-dependencies.ts";
import type { Namespaces } from "./namespaces.ts";
import type { IndexReadiness, OpenIndex, OpenIndexes } from "./open-indexes.ts";
import type { AcrossNamespaces } from "./multi/across-namespaces.ts";
import type { MultiQueries, SearchedIndexes } from "./multi/multi-queries.ts";
import type { RankedFiles } from "./outline/ranked-files.ts";
import { searchPassages, type FoundPassages } from "./passages/search-passages.ts";
import { withImportedSymbols, type ImportLookup } from "./dependencies/imported-symbols.ts";
import { ProjectRecords } from "./dependencies/project-records.ts";
import { SearchThreads } from "./passages/search-threads.ts";
import type { QueryContext } from "./query-context.ts";
import { QueryLanguage } from "./query-language.ts";
import { requireQuery } from "./require-query.ts";
import { requireSource } from "./require-source.ts";
import { VersionCache } from "./version-cache.ts";
import type { CommitIndexer } from "./why/commit-indexer.ts";
import { contextOf, needsRevision, requireNoCommit } from "./revisions/requested-revision.ts";
import { VersionSignal } from "./version-signal.ts";

interface QueryServiceParts extends Pick<
  EngineOptions,
  "dataDirectory" | "logger" | "watchesFiles" | "embeddings" | "answerCache" | "searchThreads"
> {
  readonly backend: Pick<Backend, "description" | "index" | "texts" | "commits">;
  readonly indexes: Pick<OpenIndexes, "use" | "anyReader">;
  readonly namespaces: Pick<
    Namespaces,
    "state" | "displaySources" | "authorize" | "visible" | "ofWorkspace" | "isDependency"
  >;
  readonly runs: Pick<RunScheduler, "building" | "refresh" | "refreshStale">;
}

/** A query with what it reads. */
interface RunningQuery extends OpenIndex, QueryContext {
  readonly dependencies: ReadDependencies;
}

const FILES = { readiness: "files", isKeptFresh: true } as const;

type Run<Answer> = (query: RunningQuery) => Promise<Answer>;

/** Loads the code of each tool with its first call: most sessions use few. */
export class QueryService {
  readonly #parts: QueryServiceParts;
  readonly #answerCache: AnswerCache;
  readonly #files = new VersionCache<RankedFiles>();
  readonly #graphs = new VersionCache<ReferenceGraph>();
  readonly #histories = new GitHistoryCache();
  readonly #steps: Parameters<typeof pipeline<QueryCall>>[0];
  readonly #threads: SearchThreads | undefined;
  readonly #language: QueryLanguage;
  readonly #imports: ImportLookup & { readonly records: ProjectRecords };
  readonly #renewal: NotesRenewal;
  #commits: CommitIndexer | undefined;
  #multi: MultiQueries | undefined;
  #acrossNamespaces: AcrossNamespaces | undefined;

  constructor(parts: QueryServiceParts) {
    this.#parts = parts;
    const { backend, runs, embeddings, logger, searchThreads, watchesFiles } = parts;
    this.#answerCache = new AnswerCache(parts.answerCache);
    this.#language = new QueryLanguage(() => embeddingsFrom(embeddings));
    this.#imports = {
      records: new ProjectRecords(parts.dataDirectory),
      namespaces: parts.namespaces,
      across: () => this.#openAcross(),
      lookUp: (request) => this.findSymbols(request),
    };
    this.#renewal = new NotesRenewal(parts);
    this.#steps = [
      noting({
        notes: new OutdatedNotes(backend.commits, watchesFiles ? this.#renewal : undefined),
        renewal: this.#renewal,
        textsOf: (index) => this.#textsOf(index),
      }),
      caching({
        cache: this.#answerCache,
        texts: backend.texts,
        building: (namespace) => runs.building(namespace),
      }),
    ];
    // No other thread can open a backend in memory.
    if (searchThreads !== undefined && backend.description.kind !== "memory")
      this.#threads = new SearchThreads(
        { backend: backend.description, embeddings },
        logger,
        searchThreads,
      );
  }

  readonly search: Engine["search"] = async (request) => {
    const started = performance.now();
    requireQuery(request.query, request.allowsShortQuery === true ? 1 : undefined);
    const ofSeveral = await this.#ofSeveral("words", request, (queries, searched) =>
      queries.search(searched, request),
    );
    const result =
      ofSeveral ??
      (await this.#query("search", "words", request, async (query) => {
        const { namespace, dependencies } = query;
        const inThread =
          query.revision === undefined ? await this.#searchInThread(query, request) : undefined;
        const found =
          inThread ?? (await searchPassages({ ...query, ...this.#language.get() }, request));
        if (found.partial.length > 0) dependencies.markUncacheable();
        const hint = await hintWithout(found.passages, query, request);
        return { namespace, ...found, ...hint, building: this.#parts.runs.building(namespace) };
      }));
    return { ...result, tookMs: Math.round((performance.now() - started) * 100) / 100 };
  };

  readonly searchText: Engine["searchText"] = async (request) =>
    (await this.#ofSeveral("files", request, (queries, searched) =>
      queries.searchText(searched, request),
    )) ??
    this.#query("searchText", "files", request, async (query) => {
      const { searchText } = await import("./text-search/search-text.ts");
      const { isTimed, ...result } = await searchText(await contextOf(query, request), request);
      if (isTimed) query.dependencies.markUncacheable();
      const hint = await hintWithout({ length: result.totalMatches }, query, request);
      return { namespace: query.namespace, ...result, ...hint };
    });

  readonly read: Engine["read"] = (request) =>
    this.#query("read", "files", request, async (query) => {
      const result = await readTargets(await contextOf(query, request), request);
      if (result.problems.length > 0) query.dependencies.markUncacheable();
      return { namespace: query.namespace, ...result };
    });

  readonly findSymbols: Engine["findSymbols"] = async (request) =>
    (await this.#ofSeveral("words", request, (queries, searched) =>
      queries.findSymbols(searched, request),
    )) ??
    withImportedSymbols(
      this.#imports,
      request,
      await this.#query("findSymbols", "words", request, async (query) => {
        const { answerSymbols } = await import("./symbols/answer-symbols.ts");
        const result = await answerSymbols(query, request, () => this.#graphOf(query));
        if (result.isPartial) query.dependencies.markUncacheable();
        return { ...result, building: this.#parts.runs.building(query.namespace) };
      }),
    );

  readonly outline: Engine["outline"] = (request) =>
    this.#query("outline", "words", request, async (query) => {
      if (request.query !== undefined) requireQuery(request.query);
      const [{ outlineOf }, { rankOnce }] = await Promise.all([
        import("./outline/outline-tree.ts"),
        import("./outline/ranked-files.ts"),
      ]);
      const { namespace, reader } = query;
      const { epoch, at } = reader.version;
      const version = { epoch: `${epoch} ${await reader.rankVersion()}`, at };
      const files = rankOnce(this.#files, { namespace, version }, () => this.#anyReader(query));
      const outline = await outlineOf({ ...query, ...this.#language.get(), files }, request);
      return { namespace, generation: at, outline, building: this.#parts.runs.building(namespace) };
    });

  readonly references: Engine["references"] = async (request) =>
    (await this.#across(request, async (across, list) => {
      const { findReferencesAcross } = await import("./multi/multi-references.ts");
      return findReferencesAcross(across, list, request);
    })) ??
    this.#query("references", "words", request, async (query) => {
      const { answerReferences } = await import("./symbols/answer-references.ts");
      const context = { ...query, graph: await this.#graphOf(query) };
      const found = await answerReferences(context, request);
      return { namespace: query.namespace, ...found };
    });

  readonly folder: Engine["folder"] = (request) =>
    this.#query("folder", "files", request, async ({ namespace, reader }) => {
      const { browseFolder } = await import("./browse/browse-folder.ts");
      return { namespace, ...(await browseFolder(reader, request)) };
    });

  readonly file: Engine["file"] = (request) =>
    this.#query("file", "files", request, async (query) => {
      const { readWholeFile } = await import("./browse/open-file.ts");
      return { namespace: query.namespace, ...(await readWholeFile(query, request)) };
    });

  readonly colors: Engine["colors"] = (request) =>
    this.#query("colors", "files", request, async (query) => {
      const { colorFile } = await import("./browse/color-file.ts");
      return { namespace: query.namespace, ...(await colorFile(query, request)) };
    });

  readonly nameAt: Engine["nameAt"] = (request) =>
    this.#query("nameAt", "words", request, async (query) => {
      const { explainName } = await import("./browse/explain-name.ts");
      const graph = await this.#graphOf(query);
      return { namespace: query.namespace, ...(await explainName({ ...query, graph }, request)) };
    });

  readonly related: Engine["related"] = (request) =>
    this.#query("related", "words", request, async (query) => {
      const { findRelated } = await import("./related/find-related.ts");
      const graph = (): Promise<ReferenceGraph> => this.#graphOf(query);
      const histories = this.#historiesFor(query);
      const context = { ...query, ...this.#language.get(), graph, histories };
      return { namespace: query.namespace, ...(await findRelated(context, request)) };
    });

  readonly impact: Engine["impact"] = async (request) =>
    (await this.#across(request, async (across, list) => {
      const { analyzeImpactAcross } = await import("./multi/multi-impact.ts");
      return analyzeImpactAcross(across, list, request, this.#histories);
    })) ??
    this.#query("impact", "words", request, async (query) => {
      const { analyzeImpact } = await import("./impact/analyze-impact.ts");
      const { namespace, dependencies } = query;
      const graph = await this.#graphOf(query);
      const histories = this.#historiesFor(query);
      const { isTimed, ...result } = await analyzeImpact({ ...query, graph, histories }, request);
      // A comparison with a commit may change without a change in an indexed file.
      const isNamed = result.changedFiles.some(({ status }) => status === "named");
      if (!isNamed || isTimed) dependencies.markUncacheable();
      return { namespace, ...result };
    });

  readonly changes: Engine["changes"] = async (request) => {
    const { collectChanges, describeChanges } = await import("./changes/list-changes.ts");
    const { indexes, runs, backend } = this.#parts;
    const collected = await indexes.use(request, FILES, async (index) => {
      const { namespace } = index;
      const refresh = (): void => runs.refreshStale(namespace, 0);
      const versions = (): VersionSignal =>
        new VersionSignal((listener) => backend.index.watch(namespace, listener));
      return collectChanges(await this.#changesContext(index, request), request, {
        refresh,
        versions,
      });
    });
    // The awaited version is newer than this reader, so open another one.
    return indexes.use(request, FILES, async (index) => {
      const context = await this.#changesContext(index, request);
      const described = await describeChanges(context, collected, request.signal);
      const hint = await hintWithout(described.changes, index, request);
      return { namespace: index.namespace, ...described, ...hint };
    });
  };

  readonly why: Engine["why"] = ({ onProgress, ...request }) =>
    this.#query("why", "words", request, async (query) => {
      const [{ answerWhy }, { CommitIndexer: Indexer }] = await Promise.all([
        import("./why/answer-why.ts"),
        import("./why/commit-indexer.ts"),
      ]);
      this.#commits ??= new Indexer(this.#parts.backend.commits);
      const context = { ...query, ...this.#language.get(), indexer: this.#commits };
      return answerWhy(context, { ...request, onProgress });
    });

  readonly drift: Engine["drift"] = (request) =>
    this.#query("drift", "words", request, async (query) => {
      const { findDrift } = await import("./drift/find-drift.ts");
      return findDrift({ ...query, parts: this.#parts }, request);
    });

  readonly renewNotes: Engine["renewNotes"] = (request) =>
    this.#parts.indexes.use(request, { ...FILES, isKeptFresh: false }, async (index) =>
      this.#renewal.look({ ...index, texts: this.#indexParts.textsOf(index) }),
    );

  readonly apiChanges: Engine["apiChanges"] = async (request) => {
    const { compareRevisions } = await import("./api-changes/compare-revisions.ts");
    const across = (): Promise<AcrossNamespaces> => this.#openAcross();
    const { indexes } = this.#parts;
    return compareRevisions({ ...this.#built, ...this.#indexParts, indexes, across }, request);
  };

  readonly exportScip: Engine["exportScip"] = async (request) => {
    const source = requireSource(await this.#parts.namespaces.state(), request);
    const { exportScip } = await import("./scip/export-scip.ts");
    const ofSource = { ...request, namespace: source.namespace };
    return this.#parts.indexes.use(ofSource, FILES, async (index) => {
      const rawTexts = this.#textsOf(index);
      const texts = maskedTexts(this.#textsOf(index), index.reader.file);
      const graph = await this.#graphOf(index);
      return exportScip({ ...index, source, graph, texts, rawTexts }, request);
    });
  };

  /** Stops background work and clears the cache. */
  async close(): Promise<void> {
    await this.#renewal.close();
    this.#histories.close();
    await this.#commits?.close();
    this.#answerCache.clear();
    await this.#threads?.close();
  }

  /** Undefined if this thread should run the search. */
  async #searchInThread(
    query: RunningQuery,
    request: SearchRequest,
  ): Promise<FoundPassages | undefined> {
    const answer = await this.#threads?.search(query, request);
    if (answer === undefined) return undefined;
    const { found, version, files } = answer;
    const { dependencies, reader } = query;
    dependencies.addFiles(files);
    const isOther = version.epoch !== reader.version.epoch || version.at !== reader.version.at;
    if (isOther) dependencies.markUncacheable();
    return found;
  }

  /** Runs a search of several namespaces; undefined if the request names none or one. Its answer is not cached. */
  async #ofSeveral<Answer extends object>(
    readiness: IndexReadiness,
    request: EngineRequest,
    run: (queries: MultiQueries, searched: SearchedIndexes) => Promise<Answer>,
  ): Promise<Cacheable<Answer> | undefined> {
    const list = namespaceListOf(request.namespace);
    if (list === undefined) return undefined;
    requireNoCommit(request);
    const [{ openIndexes }, { MultiQueries: Queries }] = await Promise.all([
      import("./multi/multi-indexes.ts"),
      import("./multi/multi-queries.ts"),
    ]);
    const opened = await openIndexes(this.#parts, { list, readiness }, request);
    this.#multi ??= new Queries({ ...this.#indexParts, language: () => this.#language.get() });
    return { ...(await run(this.#multi, { ...opened, list })), isCacheable: false };
  }

  /** Runs a query about several namespaces by their packages; undefined if the request names none or one. */
  async #across<Answer extends object>(
    request: EngineRequest,
    run: (across: AcrossNamespaces, list: NamespaceList) => Promise<Answer>,
  ): Promise<Cacheable<Answer> | undefined> {
    const list = namespaceListOf(request.namespace);
    if (list === undefined) return undefined;
    requireNoCommit(request);
    return { ...(await run(await this.#openAcross(), list)), isCacheable: false };
  }

  async #openAcross(): Promise<AcrossNamespaces> {
    const { AcrossNamespaces: Across } = await import("./multi/across-namespaces.ts");
    const { index } = this.#parts.backend;
    const { records } = this.#imports;
    this.#acrossNamespaces ??= new Across({ ...this.#parts, index, records, ...this.#indexParts });
    return this.#acrossNamespaces;
  }

  /** Runs a query on the index of its request, or returns the cached answer. */
  async #query<Answer extends object>(
    name: string,
    readiness: IndexReadiness,
    request: EngineRequest,
    run: Run<Answer>,
  ): Promise<Cacheable<Answer>> {
    const answerQuery = pipeline<QueryCall>(this.#steps, ({ index, dependencies }) => {
      const texts = maskedTexts(dependencies.track(this.#textsOf(index)), index.reader.file);
      return run({ ...index, texts, dependencies });
    });
    const how = { readiness, isKeptFresh: true };
    const answer = await this.#parts.indexes.use(request, how, async (index) => {
      const dependencies = new ReadDependencies();
      // A model may return another order the next time.
      if ("reranker" in request && request.reranker !== undefined) dependencies.markUncacheable();
      if (!needsRevision(name, request)) return answerQuery({ name, request, index, dependencies });
      // Names of commits move.
      dependencies.markUncacheable();
      const { withRevision } = await import("./revisions/open-revision.ts");
      return withRevision(this.#built, index, request, (revised) =>
        answerQuery({ name, request, index: revised, dependencies }),
      );
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the steps return the answer of the same query
    return answer as Cacheable<Answer>;
  }

  async #changesContext(index: OpenIndex, request: EngineRequest): Promise<ChangesContext> {
    const { namespace } = index;
    const state = await this.#parts.namespaces.state();
    const monitors = state.monitorsOfOwner(namespace, request.principal.id);
    const rawTexts = this.#textsOf(index);
    const texts = maskedTexts(rawTexts, index.reader.file);
    const users: FindUsers = async (symbol) =>
      (await this.#graphOf(index)).referencesTo(symbol, request.signal);
    return { ...index, monitors, rawTexts, texts, users };
  }

  /** What the indexes of commits are made of. */
  get #built() {
    const { backend, embeddings } = this.#parts;
    return { index: backend.index, embeddings: embeddingsFrom(embeddings) };
  }

  /** What is read of an index. */
  readonly #indexParts = {
    textsOf: (index: OpenIndex) => maskedTexts(this.#textsOf(index), index.reader.file),
    graphOf: (index: OpenIndex) => this.#graphOf(index),
    /** Returns what reads the files that the rules for modules need. */
    configOf: async (index: OpenIndex) => {
      const { configReader } = await import("./files/config-reader.ts");
      return configReader(await this.#anyReader(index), maskedTexts(this.#textsOf(index)));
    },
  };

  /** The reference graph of the index, opened once per version. No call can cancel its reader. */
  #graphOf(index: OpenIndex): Promise<ReferenceGraph> {
    const { namespace, reader } = index;
    return this.#graphs.get(namespace, reader.version, async () => {
      const { ReferenceGraph: Graph } = await import("../graph/reference-graph.ts");
      return Graph.open(await this.#anyReader(index), await this.#indexParts.configOf(index));
    });
  }

  #textsOf({ namespace, sources, revision }: OpenIndex): TextReader {
    return revision?.texts ?? this.#parts.backend.texts.open(namespace, sources);
  }

  /** A reader of the same index that no call can cancel. */
  #anyReader({ namespace, revision }: OpenIndex): Promise<IndexReader> {
    return revision?.reader() ?? this.#parts.indexes.anyReader(namespace);
  }

  /** The histories up to the commit that is asked about. Commits do not change the index, so an answer depends on HEAD, too. */
  #historiesFor({ dependencies, revision }: RunningQuery): Pick<GitHistoryCache, "of"> {
    return {
      of: (source, signal) => {
        dependencies.dependOnHistory(source);
        return this.#histories.of(source, signal, revision?.commits.get(source.root));
      },
    };
  }
}
