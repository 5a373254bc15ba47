// The query methods of the engine, with their cache and the data that they share.

import { SvcError } from "../base/errors.ts";
import { hasQueryLength, QUERY_LENGTH_PROBLEM } from "../base/query-length.ts";
import { nextTurn } from "../base/turns.ts";
import { createTokenizer, type Tokenizer } from "../parse/tokenizer.ts";
import { ReferenceGraph } from "../graph/reference-graph.ts";
import type { IndexReader } from "../index/port.ts";
import { QueryEmbedder } from "../search/query-embedder.ts";
import { GitHistoryCache } from "../sources/git-history.ts";
import type { AuthorizedNamespace } from "../sources/principal.ts";
import type { Monitor } from "../sources/monitors.ts";
import type { Source } from "../sources/registry.ts";
import { readIfIndexable } from "./files/current-text.ts";
import { analyzeImpact } from "./impact/analyze-impact.ts";
import { collectChanges, describeChanges } from "./changes/list-changes.ts";
import { embeddingsFrom } from "./embeddings.ts";
import type { FindUsers } from "./changes/change-symbols.ts";
import type { EngineRequest } from "./engine-request.ts";
import type { Engine, Cacheable } from "./engine.ts";
import { findRelated } from "./related/find-related.ts";
import { findReferences } from "./symbols/find-references.ts";
import { findSymbols } from "./symbols/find-symbols.ts";
import { ReadDependencies } from "./read-dependencies.ts";
import type { IndexProgress } from "./indexing/index-report.ts";
import { AnswerCache, type AnswerCacheOptions } from "./answer-cache.ts";
import { readTargets } from "./files/read-targets.ts";
import { searchPassages } from "./passages/search-passages.ts";
import { searchText } from "./text-search/search-text.ts";
import { outlineOf } from "./outline/outline-tree.ts";
import { rankFiles } from "./outline/ranked-files.ts";
import { VersionCache } from "./version-cache.ts";

/** The stage of the index that a query needs: `files` (paths) is enough to search for text. */
export type IndexReadiness = "files" | "words";

export interface OpenIndex {
  readonly namespace: AuthorizedNamespace;
  readonly reader: IndexReader;
}

/** Functions of the engine that queries use. */
export interface QueryServiceDependencies {
  /** Calls `query` with the index of the request's namespace, after a check of the caller's rights. */
  readonly withIndex: <T>(
    request: EngineRequest,
    readiness: IndexReadiness,
    query: (opened: OpenIndex) => Promise<T>,
  ) => Promise<T>;
  readonly sources: (namespace: string) => readonly Source[];
  /** A reader that no call can cancel. */
  readonly reader: (namespace: AuthorizedNamespace) => Promise<IndexReader>;
  /** Monitors of the caller. */
  readonly monitors: (namespace: string, request: EngineRequest) => readonly Monitor[];
  /** Starts a check of the files of a namespace when the last one is too old. */
  readonly refresh: (namespace: AuthorizedNamespace) => void;
  /** Progress of the first build of a namespace, while it is running. */
  readonly building: (namespace: string) => IndexProgress | undefined;
  /** The folder of a model2vec model; the bundled table by default. */
  readonly embeddings: string | undefined;
  readonly answerCache?: AnswerCacheOptions | undefined;
}

/** The index and the sources of one query. */
interface QueryContext {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
}

/** A query whose answer may come from the cache. */
interface CacheableQuery {
  /** Name of the engine's method. */
  readonly name: string;
  readonly opened: OpenIndex;
  readonly request: EngineRequest;
  /** True to bypass the cache. */
  readonly isUncacheable?: boolean;
}

export class QueryService {
  readonly #dependencies: QueryServiceDependencies;
  readonly #answerCache: AnswerCache;
  readonly #files = new VersionCache(rankFiles);
  readonly #graphs: VersionCache<ReferenceGraph>;
  readonly #histories = new GitHistoryCache();
  #tokenizer: Tokenizer | undefined;
  #embedder: QueryEmbedder | undefined;

  constructor(dependencies: QueryServiceDependencies) {
    this.#dependencies = dependencies;
    this.#answerCache = new AnswerCache(dependencies.answerCache);
    this.#graphs = new VersionCache((reader, namespace) => {
      const sources = dependencies.sources(namespace);
      return ReferenceGraph.open(reader, (path) =>
        readIfIndexable(sources, path)?.lines.join("\n"),
      );
    });
  }

  readonly search: Engine["search"] = async (request) => {
    const started = performance.now();
    if (!hasQueryLength(request.query)) {
      throw new SvcError("INVALID_QUERY", `query: ${QUERY_LENGTH_PROBLEM}.`);
    }
    // A model may return another order the next time.
    const isUncacheable = request.reranker !== undefined;
    const result = await this.#dependencies.withIndex(request, "words", (opened) =>
      this.#cached(
        { name: "search", opened, request, isUncacheable },
        async (context, dependencies) => {
          const { namespace, reader } = opened;
          const found = await searchPassages({ ...context, ...this.#language() }, request);
          const { partial } = reader;
          if (partial.length > 0) dependencies.markUncacheable();
          const building = this.#dependencies.building(namespace);
          return { namespace, generation: reader.version.at, partial, ...found, building };
        },
      ),
    );
    return { ...result, tookMs: Math.round((performance.now() - started) * 100) / 100 };
  };

  readonly searchText: Engine["searchText"] = (request) =>
    this.#dependencies.withIndex(request, "files", (opened) =>
      this.#cached({ name: "searchText", opened, request }, async (context, dependencies) => {
        const { isTimed, ...result } = await searchText(context, request);
        if (isTimed) dependencies.markUncacheable();
        return { namespace: opened.namespace, ...result };
      }),
    );

  readonly read: Engine["read"] = (request) =>
    this.#dependencies.withIndex(request, "files", (opened) =>
      this.#cached({ name: "read", opened, request }, async (context, dependencies) => {
        const result = await readTargets(context, request);
        if (result.problems.length > 0) dependencies.markUncacheable();
        return { namespace: opened.namespace, ...result };
      }),
    );

  readonly findSymbols: Engine["findSymbols"] = (request) =>
    this.#dependencies.withIndex(request, "words", (opened) =>
      this.#cached({ name: "findSymbols", opened, request }, async (context, dependencies) => {
        const { namespace, reader } = opened;
        const parts = await reader.segmentSymbols();
        const graph = (): Promise<ReferenceGraph> =>
          this.#graphs.get(namespace, reader, () => this.#dependencies.reader(namespace));
        const result = await findSymbols({ ...context, parts, graph }, request);
        if (result.isPartial) dependencies.markUncacheable();
        return { namespace, ...result, building: this.#dependencies.building(namespace) };
      }),
    );

  readonly outline: Engine["outline"] = (request) =>
    this.#dependencies.withIndex(request, "words", (opened) =>
      this.#cached({ name: "outline", opened, request }, async (context) => {
        const { namespace, reader } = opened;
        const { epoch, at } = reader.version;
        const version = { epoch: `${epoch} ${await reader.rankVersion()}`, at };
        const files = await this.#files.get(namespace, { version }, () =>
          this.#dependencies.reader(namespace),
        );
        const outline = await outlineOf({ ...context, files }, request);
        const building = this.#dependencies.building(namespace);
        return { namespace, generation: reader.version.at, outline, building };
      }),
    );

  readonly references: Engine["references"] = (request) =>
    this.#dependencies.withIndex(request, "words", (opened) =>
      this.#cached({ name: "references", opened, request }, async (context) => {
        const { namespace, reader } = opened;
        const graph = await this.#graphs.get(namespace, reader, () =>
          this.#dependencies.reader(namespace),
        );
        return { namespace, ...(await findReferences({ ...context, graph }, request)) };
      }),
    );

  readonly related: Engine["related"] = (request) =>
    this.#dependencies.withIndex(request, "words", (opened) =>
      this.#cached({ name: "related", opened, request }, async (context, dependencies) => {
        const { namespace, reader } = opened;
        const graph = (): Promise<ReferenceGraph> =>
          this.#graphs.get(namespace, reader, () => this.#dependencies.reader(namespace));
        const histories = this.#historiesFor(dependencies);
        const fullContext = { ...context, ...this.#language(), graph, histories };
        return { namespace, ...(await findRelated(fullContext, request)) };
      }),
    );

  readonly impact: Engine["impact"] = (request) =>
    this.#dependencies.withIndex(request, "words", (opened) =>
      this.#cached({ name: "impact", opened, request }, async (context, dependencies) => {
        const { namespace, reader } = opened;
        const graph = await this.#graphs.get(namespace, reader, () =>
          this.#dependencies.reader(namespace),
        );
        const histories = this.#historiesFor(dependencies);
        const { isTimed, ...result } = await analyzeImpact(
          { ...context, graph, histories },
          request,
        );
        // A comparison with a commit may change without a change in an indexed file.
        const isNamed = result.changedFiles.some(({ status }) => status === "named");
        if (!isNamed || isTimed) dependencies.markUncacheable();
        return { namespace, ...result };
      }),
    );

  readonly changes: Engine["changes"] = async (request) => {
    const collected = await this.#dependencies.withIndex(request, "files", (opened) => {
      const { namespace } = opened;
      const monitors = this.#dependencies.monitors(namespace, request);
      const context = { namespace, monitors, ...this.#contextOf(opened) };
      return collectChanges(context, request, () => this.#dependencies.refresh(namespace));
    });
    // The awaited version is newer than this reader, so open another one.
    return this.#dependencies.withIndex(request, "files", async (opened) => {
      const { namespace, reader } = opened;
      const graph = this.#graphs.get(namespace, reader, () => this.#dependencies.reader(namespace));
      const users: FindUsers = async (symbol) => (await graph).referencesTo(symbol, request.signal);
      const monitors = this.#dependencies.monitors(namespace, request);
      const context = { namespace, monitors, users, ...this.#contextOf(opened) };
      return { namespace, ...(await describeChanges(context, collected, request.signal)) };
    });
  };

  /** Stops background work and clears the cache. */
  close(): void {
    this.#histories.close();
    this.#answerCache.clear();
  }

  /**
   * The cached answer, when the index and every file that it read are unchanged and the caller has the same rights.
   * Otherwise computes and caches one. The caller's access to the namespace must be checked before.
   */
  async #cached<Answer extends object>(
    { name, opened: { namespace, reader }, request, isUncacheable = false }: CacheableQuery,
    compute: (context: QueryContext, dependencies: ReadDependencies) => Promise<Answer>,
  ): Promise<Cacheable<Answer>> {
    const { principal, signal, deadline: _late, ...query } = request;
    const sources = this.#dependencies.sources(namespace);
    const mustBeNew = (): boolean =>
      isUncacheable || this.#dependencies.building(namespace) !== undefined;
    const key = cacheKeyOf([name, principal.rightsKey, { ...query, namespace }]);
    const version = JSON.stringify([reader.version, await reader.rankVersion(), sources]);
    const isValid = (dependencies: ReadDependencies): boolean => dependencies.isValid(sources);
    const lookUp = (): unknown =>
      mustBeNew() ? undefined : this.#answerCache.get(key, version, isValid);
    let known = lookUp();
    if (known === undefined) {
      await nextTurn();
      // A call that began at the same time may have stored the answer by now.
      known = lookUp();
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key contains the method's name
    if (known !== undefined) return { ...(known as Answer), isCacheable: true };
    // The caller has gone.
    if (signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    const dependencies = new ReadDependencies();
    const result = await compute({ reader, sources: dependencies.track(sources) }, dependencies);
    if (mustBeNew() || signal.aborted) dependencies.markUncacheable();
    return {
      ...result,
      isCacheable: this.#answerCache.set(key, version, { answer: result, dependencies }),
    };
  }

  /** Records a dependency on the history, because commits do not change the index. */
  #historiesFor(dependencies: ReadDependencies): Pick<GitHistoryCache, "of"> {
    return {
      of: (source, signal) => {
        dependencies.dependOnHistory(source);
        return this.#histories.of(source, signal);
      },
    };
  }

  /** The tokenizer and the embedder, loaded on first use. */
  #language(): { readonly tokenizer: Tokenizer; readonly embedder: QueryEmbedder } {
    this.#tokenizer ??= createTokenizer();
    this.#embedder ??= new QueryEmbedder(embeddingsFrom(this.#dependencies.embeddings));
    return { tokenizer: this.#tokenizer, embedder: this.#embedder };
  }

  #contextOf({ namespace, reader }: OpenIndex): QueryContext {
    return { reader, sources: this.#dependencies.sources(namespace) };
  }
}

/** A key that does not depend on the order of fields and ignores undefined ones. */
function cacheKeyOf(query: unknown): string {
  return JSON.stringify(query, (_name, value: unknown) => {
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isRecord) return value;
    return Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}
