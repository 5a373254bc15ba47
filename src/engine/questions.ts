// What can be asked of an index: each question with what it needs for its answer.

import { SvcError } from "../base/errors.ts";
import { hasQueryLength, QUERY_LENGTH_PROBLEM } from "../base/query-length.ts";
import { createTokenizer, type Tokenizer } from "../chunk/words.ts";
import { ReferenceGraph } from "../graph/reference-graph.ts";
import type { IndexReader } from "../index/backend.ts";
import { QuestionEmbedder } from "../search/question-vector.ts";
import { GitHistories } from "../sources/git-history.ts";
import type { GrantedNamespace } from "../sources/caller.ts";
import type { Monitor } from "../sources/monitors.ts";
import type { Source } from "../sources/registry.ts";
import { readIndexed } from "./current-text.ts";
import { analyzeImpact } from "./analyze-impact.ts";
import { collectChanges, describeChanges } from "./list-changes.ts";
import { embeddingsFrom } from "./embeddings.ts";
import type { UsersOf } from "./change-symbols.ts";
import type { Engine, Request } from "./engine.ts";
import { findRelated } from "./find-related.ts";
import { findReferences } from "./find-references.ts";
import { findSymbols } from "./find-symbols.ts";
import type { IndexProgress } from "./indexer.ts";
import { readTargets } from "./read-context.ts";
import { searchPassages } from "./search-passages.ts";
import { searchText } from "./search-text.ts";
import { outlineOf } from "./outline-tree.ts";
import { weighedFiles } from "./weighed-files.ts";
import { PerVersion } from "./symbol-parts.ts";

/** What must be there for an answer: names of files are enough to search for text. */
export type Need = "files" | "words";

export interface Opened {
  readonly namespace: GrantedNamespace;
  readonly reader: IndexReader;
}

/** What the engine has for questions. */
export interface Host {
  /** Gives `answer` the index of the question's namespace, which the caller may see. */
  readonly ask: <T>(
    request: Request,
    need: Need,
    answer: (opened: Opened) => Promise<T>,
  ) => Promise<T>;
  readonly sources: (namespace: string) => readonly Source[];
  /** A reader that no call can cancel. */
  readonly reader: (namespace: GrantedNamespace) => Promise<IndexReader>;
  /** The caller's own. */
  readonly monitors: (namespace: string, request: Request) => readonly Monitor[];
  /** Has the files of a namespace looked at again, when the last look is some time ago. */
  readonly look: (namespace: GrantedNamespace) => void;
  /** How far the first build of a namespace is, while it is under way. */
  readonly building: (namespace: string) => IndexProgress | undefined;
  /** The folder of a model2vec model; the program's own table by default. */
  readonly embeddings: string | undefined;
}

export class Questions {
  readonly #host: Host;
  readonly #files = new PerVersion(weighedFiles);
  readonly #graphs: PerVersion<ReferenceGraph>;
  readonly #histories = new GitHistories();
  #tokenizer: Tokenizer | undefined;
  #embedder: QuestionEmbedder | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#graphs = new PerVersion((reader, namespace) => {
      const sources = host.sources(namespace);
      return ReferenceGraph.open(reader, (path) => readIndexed(sources, path)?.lines.join("\n"));
    });
  }

  readonly search: Engine["search"] = async (request) => {
    const started = performance.now();
    if (!hasQueryLength(request.query)) {
      throw new SvcError("INVALID_QUERY", `query: ${QUERY_LENGTH_PROBLEM}.`);
    }
    return this.#host.ask(request, "words", async (opened) => {
      const sight = { ...this.#sight(opened), ...this.#language() };
      const answer = await searchPassages(sight, request);
      const { namespace, reader } = opened;
      return {
        namespace,
        generation: reader.version.at,
        partial: reader.partial,
        ...answer,
        building: this.#host.building(namespace),
        tookMs: Math.round((performance.now() - started) * 100) / 100,
      };
    });
  };

  readonly searchText: Engine["searchText"] = (request) =>
    this.#host.ask(request, "files", async (opened) => ({
      namespace: opened.namespace,
      ...(await searchText(this.#sight(opened), request)),
    }));

  readonly read: Engine["read"] = (request) =>
    this.#host.ask(request, "files", async (opened) => ({
      namespace: opened.namespace,
      ...(await readTargets(this.#sight(opened), request)),
    }));

  readonly findSymbols: Engine["findSymbols"] = (request) =>
    this.#host.ask(request, "words", async (opened) => {
      const { namespace, reader } = opened;
      const parts = await reader.symbolParts();
      const answer = await findSymbols({ ...this.#sight(opened), parts }, request);
      return { namespace, ...answer, building: this.#host.building(namespace) };
    });

  readonly outline: Engine["outline"] = (request) =>
    this.#host.ask(request, "words", async (opened) => {
      const { namespace, reader } = opened;
      const { epoch, at } = reader.version;
      const version = { epoch: `${epoch} ${await reader.weighing()}`, at };
      const files = await this.#files.of(namespace, { version }, () =>
        this.#host.reader(namespace),
      );
      const outline = await outlineOf({ ...this.#sight(opened), files }, request);
      const building = this.#host.building(namespace);
      return { namespace, generation: reader.version.at, outline, building };
    });

  readonly references: Engine["references"] = (request) =>
    this.#host.ask(request, "words", async (opened) => {
      const { namespace, reader } = opened;
      const graph = await this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
      const answer = await findReferences({ ...this.#sight(opened), graph }, request);
      return { namespace, ...answer };
    });

  readonly related: Engine["related"] = (request) =>
    this.#host.ask(request, "words", async (opened) => {
      const { namespace, reader } = opened;
      const graph = (): Promise<ReferenceGraph> =>
        this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
      const sight = { ...this.#sight(opened), ...this.#language() };
      const answer = await findRelated({ ...sight, graph, histories: this.#histories }, request);
      return { namespace, ...answer };
    });

  readonly impact: Engine["impact"] = (request) =>
    this.#host.ask(request, "words", async (opened) => {
      const { namespace, reader } = opened;
      const graph = await this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
      const sight = { ...this.#sight(opened), graph, histories: this.#histories };
      return { namespace, ...(await analyzeImpact(sight, request)) };
    });

  readonly changes: Engine["changes"] = async (request) => {
    const collected = await this.#host.ask(request, "files", (opened) => {
      const { namespace } = opened;
      const monitors = this.#host.monitors(namespace, request);
      const sight = { namespace, monitors, ...this.#sight(opened) };
      return collectChanges(sight, request, () => this.#host.look(namespace));
    });
    // What was waited for is newer than the reader that waited.
    return this.#host.ask(request, "files", async (opened) => {
      const { namespace, reader } = opened;
      const graph = this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
      const users: UsersOf = async (symbol) => (await graph).referencesTo(symbol, request.signal);
      const monitors = this.#host.monitors(namespace, request);
      const sight = { namespace, monitors, users, ...this.#sight(opened) };
      return { namespace, ...(await describeChanges(sight, collected, request.signal)) };
    });
  };

  /** Ends what runs beside the questions. */
  close(): void {
    this.#histories.close();
  }

  /** What words become: terms and vectors. */
  #language(): { readonly tokenizer: Tokenizer; readonly embedder: QuestionEmbedder } {
    this.#tokenizer ??= createTokenizer();
    this.#embedder ??= new QuestionEmbedder(embeddingsFrom(this.#host.embeddings));
    return { tokenizer: this.#tokenizer, embedder: this.#embedder };
  }

  #sight({ namespace, reader }: Opened): {
    readonly reader: IndexReader;
    readonly sources: readonly Source[];
  } {
    return { reader, sources: this.#host.sources(namespace) };
  }
}
