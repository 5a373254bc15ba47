import type { EmbeddingSource } from "../embed/embedding-source.ts";
import { Pooler } from "../embed/pooler.ts";
import type { QueryVector } from "../index/scoring/vector-scores.ts";
import { scanWords } from "../parse/tokenizer.ts";

/** Maximum number of name vectors cached; some megabytes. */
const MAX_CACHED_NAMES = 20_000;

/** Embeds queries and compares names with them. Loads the embedding table for the first query. */
export class QueryEmbedder {
  readonly #source: EmbeddingSource;
  #pooler: Pooler | undefined;
  #names = new Map<string, Int8Array | undefined>();

  constructor(source: EmbeddingSource) {
    this.#source = source;
  }

  /** Returns the vector of a query; undefined when the table contains none of its words. Cost: microseconds. */
  embed(text: string): QueryVector | undefined {
    const components = this.#componentsOf(text);
    return components && { embedder: this.#source.id, components };
  }

  /** Returns the cosine of a short name with a query; 0 when the table contains none of the name's words. */
  nameSimilarity(name: string, query: QueryVector): number {
    if (!this.#names.has(name)) {
      if (this.#names.size >= MAX_CACHED_NAMES) this.#names = new Map();
      this.#names.set(name, this.#componentsOf(name));
    }
    const components = this.#names.get(name);
    return components === undefined ? 0 : cosineOf(components, query.components);
  }

  /** As `EmbeddingTable.logProbability`. */
  readonly logProbability = (word: string): number | undefined =>
    this.#source.load().logProbability(word);

  #componentsOf(text: string): Int8Array | undefined {
    const table = this.#source.load();
    this.#pooler ??= new Pooler(table);
    const pooler = this.#pooler;
    let isEmpty = true;
    scanWords(text, (word) => {
      for (const row of table.rowsOf(word)) {
        pooler.count(row);
        isEmpty = false;
      }
    });
    return isEmpty ? undefined : pooler.finishQuery();
  }
}

/** Returns the cosine of two vectors of equal length. */
export function cosineOf(one: Int8Array, other: Int8Array): number {
  let dot = 0;
  let ones = 0;
  let others = 0;
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at] ?? 0;
    const b = other[at] ?? 0;
    dot += a * b;
    ones += a * a;
    others += b * b;
  }
  return dot / Math.max(1e-9, Math.sqrt(ones * others));
}
