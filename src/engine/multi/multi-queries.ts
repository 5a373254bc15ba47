// Searches of several namespaces, ranked as one index. Their answers name the namespace of each result.

import { SvcError } from "../../base/errors.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import { splitNamespace } from "../../index/multi/multi-reader.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { QueryEmbedder } from "../../search/query-embedder.ts";
import { namespaceListText, type NamespaceList } from "../../sources/namespace-list.ts";
import type { TextReader } from "../../sources/text/port.ts";
import type { TextSearchRequest, TextSearchResult } from "../api/search-text.ts";
import type { SearchRequest, SearchResult } from "../api/search.ts";
import type { SymbolsRequest, SymbolsResult } from "../api/symbols.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { OpenedIndexes } from "./multi-indexes.ts";
import { multiTexts } from "./multi-texts.ts";

interface MultiQueriesParts {
  /** Its texts must be masked. */
  readonly textsOf: (index: OpenIndex) => TextReader;
  readonly graphOf: (index: OpenIndex) => Promise<Pick<ReferenceGraph, "usingFiles">>;
  readonly language: () => { readonly tokenizer: Tokenizer; readonly embedder: QueryEmbedder };
}

/** Indexes that were opened for a search, and how the request names them. */
export interface SearchedIndexes extends OpenedIndexes {
  readonly list: NamespaceList;
}

export class MultiQueries {
  readonly #parts: MultiQueriesParts;

  constructor(parts: MultiQueriesParts) {
    this.#parts = parts;
  }

  async search(
    searched: SearchedIndexes,
    request: SearchRequest,
  ): Promise<Omit<SearchResult, "tookMs">> {
    const { searchPassages } = await import("../passages/search-passages.ts");
    const context = {
      ...this.#contextOf(searched),
      ...this.#parts.language(),
      // A project's name distinguishes it here, so it counts like any other word.
      sources: [],
      namespaceOf: (path: string) => splitNamespace(path).namespace,
    };
    const found = await searchPassages(context, request);
    return {
      ...found,
      namespace: namespaceListText(searched.list),
      passages: found.passages.map((passage) => ({
        ...placed(passage),
        copies: passage.copies.map((path) => splitNamespace(path).path),
        translations: passage.translations.map((path) => splitNamespace(path).path),
      })),
      partial: [...searched.missing, ...found.partial],
      building: undefined,
    };
  }

  async searchText(
    searched: SearchedIndexes,
    request: TextSearchRequest,
  ): Promise<TextSearchResult> {
    const { searchText } = await import("../text-search/search-text.ts");
    const { isTimed: _isTimed, ...result } = await searchText(this.#contextOf(searched), request);
    return {
      ...result,
      namespace: namespaceListText(searched.list),
      matches: result.matches.map(placed),
      files: result.files.map(placed),
      missing: searched.missing,
    };
  }

  async findSymbols(searched: SearchedIndexes, request: SymbolsRequest): Promise<SymbolsResult> {
    if (request.near !== undefined) {
      throw new SvcError("INVALID_PARAMS", "near: it is a place in one namespace.", {
        hint: "Name a single namespace, or leave `near` out.",
      });
    }
    const { findSymbols } = await import("../symbols/find-symbols.ts");
    const context = this.#contextOf(searched);
    const parts = await context.reader.segmentSymbols();
    const graph = async (): Promise<Pick<ReferenceGraph, "usingFiles">> => ({
      usingFiles: (symbols, signal) => this.#usingFiles(searched, symbols, signal),
    });
    const result = await findSymbols({ ...context, parts, graph }, request);
    return {
      ...result,
      namespace: namespaceListText(searched.list),
      symbols: result.symbols.map(placed),
      missing: searched.missing,
      building: undefined,
    };
  }

  #contextOf({ reader, indexes }: SearchedIndexes) {
    const texts = new Map(
      indexes.map((index) => [index.namespace as string, this.#parts.textsOf(index)]),
    );
    return { reader, texts: multiTexts(texts) };
  }

  /** A definition counts the files of its own namespace. */
  async #usingFiles(
    { indexes }: SearchedIndexes,
    symbols: readonly SymbolHit[],
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const counts = new Map<SymbolHit, number>();
    const groups = Map.groupBy(symbols, ({ path }) => splitNamespace(path).namespace);
    for (const [namespace, group] of groups) {
      const index = indexes.find((one) => one.namespace === namespace);
      if (index === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- each opens the graph of another index
      const graph = await this.#parts.graphOf(index);
      const own = group.map((symbol) => ({ ...symbol, path: splitNamespace(symbol.path).path }));
      // oxlint-disable-next-line no-await-in-loop -- as above
      const ofGroup = await graph.usingFiles(own, signal);
      for (const [at, symbol] of group.entries()) counts.set(symbol, ofGroup[at] ?? 0);
    }
    return symbols.map((symbol) => counts.get(symbol) ?? 0);
  }
}

function placed<Item extends { readonly path: string }>(
  item: Item,
): Item & { readonly namespace: string } {
  return { ...item, ...splitNamespace(item.path) };
}
