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
import { readIndexed } from "./files/current-text.ts";
import { analyzeImpact } from "./impact/analyze-impact.ts";
import { collectChanges, describeChanges } from "./changes/list-changes.ts";
import { embeddingsFrom } from "./embeddings.ts";
import type { UsersOf } from "./changes/change-symbols.ts";
import type { Engine, Repeated, Request } from "./engine.ts";
import { findRelated } from "./related/find-related.ts";
import { findReferences } from "./symbols/find-references.ts";
import { findSymbols } from "./symbols/find-symbols.ts";
import { Grounds } from "./grounds.ts";
import type { IndexProgress } from "./indexing/indexer.ts";
import { KeptAnswers, type KeptAnswersOptions } from "./kept-answers.ts";
import { readTargets } from "./files/read-context.ts";
import { searchPassages } from "./passages/search-passages.ts";
import { searchText } from "./text-search/search-text.ts";
import { outlineOf } from "./outline/outline-tree.ts";
import { weighedFiles } from "./outline/weighed-files.ts";
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
  readonly kept?: KeptAnswersOptions | undefined;
}

/** What one question is answered from. */
interface Sight {
  readonly reader: IndexReader;
  readonly sources: readonly Source[];
}

/** A question that may be answered as it was before. */
interface Asked {
  /** As the engine calls it. */
  readonly name: string;
  readonly opened: Opened;
  readonly request: Request;
  /** True for one that must be answered anew. */
  readonly isOnce?: boolean;
}

export class Questions {
  readonly #host: Host;
  readonly #kept: KeptAnswers;
  readonly #files = new PerVersion(weighedFiles);
  readonly #graphs: PerVersion<ReferenceGraph>;
  readonly #histories = new GitHistories();
  #tokenizer: Tokenizer | undefined;
  #embedder: QuestionEmbedder | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#kept = new KeptAnswers(host.kept);
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
    // A model may say something else the next time.
    const isOnce = request.reranker !== undefined;
    const answer = await this.#host.ask(request, "words", (opened) =>
      this.#again({ name: "search", opened, request, isOnce }, async (sight, grounds) => {
        const { namespace, reader } = opened;
        const found = await searchPassages({ ...sight, ...this.#language() }, request);
        const { partial } = reader;
        if (partial.length > 0) grounds.shake();
        const building = this.#host.building(namespace);
        return { namespace, generation: reader.version.at, partial, ...found, building };
      }),
    );
    return { ...answer, tookMs: Math.round((performance.now() - started) * 100) / 100 };
  };

  readonly searchText: Engine["searchText"] = (request) =>
    this.#host.ask(request, "files", (opened) =>
      this.#again({ name: "searchText", opened, request }, async (sight, grounds) => {
        const { isTimed, ...answer } = await searchText(sight, request);
        if (isTimed) grounds.shake();
        return { namespace: opened.namespace, ...answer };
      }),
    );

  readonly read: Engine["read"] = (request) =>
    this.#host.ask(request, "files", (opened) =>
      this.#again({ name: "read", opened, request }, async (sight, grounds) => {
        const answer = await readTargets(sight, request);
        if (answer.problems.length > 0) grounds.shake();
        return { namespace: opened.namespace, ...answer };
      }),
    );

  readonly findSymbols: Engine["findSymbols"] = (request) =>
    this.#host.ask(request, "words", (opened) =>
      this.#again({ name: "findSymbols", opened, request }, async (sight, grounds) => {
        const { namespace, reader } = opened;
        const parts = await reader.symbolParts();
        const answer = await findSymbols({ ...sight, parts }, request);
        if (answer.isPartial) grounds.shake();
        return { namespace, ...answer, building: this.#host.building(namespace) };
      }),
    );

  readonly outline: Engine["outline"] = (request) =>
    this.#host.ask(request, "words", (opened) =>
      this.#again({ name: "outline", opened, request }, async (sight) => {
        const { namespace, reader } = opened;
        const { epoch, at } = reader.version;
        const version = { epoch: `${epoch} ${await reader.weighing()}`, at };
        const files = await this.#files.of(namespace, { version }, () =>
          this.#host.reader(namespace),
        );
        const outline = await outlineOf({ ...sight, files }, request);
        const building = this.#host.building(namespace);
        return { namespace, generation: reader.version.at, outline, building };
      }),
    );

  readonly references: Engine["references"] = (request) =>
    this.#host.ask(request, "words", (opened) =>
      this.#again({ name: "references", opened, request }, async (sight) => {
        const { namespace, reader } = opened;
        const graph = await this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
        return { namespace, ...(await findReferences({ ...sight, graph }, request)) };
      }),
    );

  readonly related: Engine["related"] = (request) =>
    this.#host.ask(request, "words", (opened) =>
      this.#again({ name: "related", opened, request }, async (sight, grounds) => {
        const { namespace, reader } = opened;
        const graph = (): Promise<ReferenceGraph> =>
          this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
        const histories = this.#historiesFor(grounds);
        const whole = { ...sight, ...this.#language(), graph, histories };
        return { namespace, ...(await findRelated(whole, request)) };
      }),
    );

  readonly impact: Engine["impact"] = (request) =>
    this.#host.ask(request, "words", (opened) =>
      this.#again({ name: "impact", opened, request }, async (sight, grounds) => {
        const { namespace, reader } = opened;
        const graph = await this.#graphs.of(namespace, reader, () => this.#host.reader(namespace));
        const histories = this.#historiesFor(grounds);
        const { isTimed, ...answer } = await analyzeImpact({ ...sight, graph, histories }, request);
        // What is compared with a commit may change without any file that is indexed.
        const isNamed = answer.touched.some(({ status }) => status === "named");
        if (!isNamed || isTimed) grounds.shake();
        return { namespace, ...answer };
      }),
    );

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
    this.#kept.clear();
  }

  /**
   * The answer of before, where the index and every file it rests on are as they were and the caller has the same
   * rights; else a new one, which is kept. The caller's right to the namespace has been verified by then.
   */
  async #again<Answer extends object>(
    { name, opened: { namespace, reader }, request, isOnce = false }: Asked,
    answer: (sight: Sight, grounds: Grounds) => Promise<Answer>,
  ): Promise<Repeated<Answer>> {
    const { caller, signal, answerBy: _late, ...asked } = request;
    const sources = this.#host.sources(namespace);
    const mustBeNew = (): boolean => isOnce || this.#host.building(namespace) !== undefined;
    const key = keyOf([name, caller.rights, { ...asked, namespace }]);
    const version = JSON.stringify([reader.version, await reader.weighing(), sources]);
    const holds = (grounds: Grounds): boolean => grounds.stillHold(sources);
    const known = mustBeNew() ? undefined : this.#kept.find(key, version, holds);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was kept under the same name
    if (known !== undefined) return { ...(known as Answer), isRepeatable: true };
    // Nobody waits for it any more.
    if (signal.aborted) throw new SvcError("TIMEOUT", "The call was cancelled.");
    const grounds = new Grounds();
    const made = await answer({ reader, sources: grounds.over(sources) }, grounds);
    if (mustBeNew() || signal.aborted) grounds.shake();
    return { ...made, isRepeatable: this.#kept.keep(key, version, { answer: made, grounds }) };
  }

  /** Commits come without a change in the index. */
  #historiesFor(grounds: Grounds): Pick<GitHistories, "of"> {
    return {
      of: (root, signal) => {
        grounds.restOnHistory(root);
        return this.#histories.of(root, signal);
      },
    };
  }

  /** What words become: terms and vectors. */
  #language(): { readonly tokenizer: Tokenizer; readonly embedder: QuestionEmbedder } {
    this.#tokenizer ??= createTokenizer();
    this.#embedder ??= new QuestionEmbedder(embeddingsFrom(this.#host.embeddings));
    return { tokenizer: this.#tokenizer, embedder: this.#embedder };
  }

  #sight({ namespace, reader }: Opened): Sight {
    return { reader, sources: this.#host.sources(namespace) };
  }
}

/** The same for requests that say the same, in whatever order; what is undefined is not said. */
function keyOf(asked: unknown): string {
  return JSON.stringify(asked, (_name, value: unknown) => {
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isRecord) return value;
    return Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}
