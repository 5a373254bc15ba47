// The terms and the vector of a query in words.

import { forgetAtRest } from "../base/at-rest.ts";
import type { EmbeddingSource } from "../embed/embedding-source.ts";
import { createTokenizer, type Tokenizer } from "../parse/tokenizer.ts";
import { QueryEmbedder } from "../search/query-embedder.ts";

/** Makes both with the first query, and again with the first one after a rest: they keep the words that they have met. */
export class QueryLanguage {
  readonly #source: () => EmbeddingSource;
  #tokenizer: Tokenizer | undefined;
  #embedder: QueryEmbedder | undefined;

  /** `source`: the table of word vectors. It may throw. */
  constructor(source: () => EmbeddingSource) {
    this.#source = source;
    forgetAtRest(this);
  }

  readonly forget = (): void => {
    this.#tokenizer = undefined;
    this.#embedder = undefined;
  };

  get(): { readonly tokenizer: Tokenizer; readonly embedder: QueryEmbedder } {
    this.#tokenizer ??= createTokenizer();
    this.#embedder ??= new QueryEmbedder(this.#source());
    return { tokenizer: this.#tokenizer, embedder: this.#embedder };
  }
}
