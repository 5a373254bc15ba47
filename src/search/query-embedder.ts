import type { EmbeddingSource } from "../embed/embedding-source.ts";
import { Pooler } from "../embed/pooler.ts";
import type { QueryVector } from "../index/scoring/vector-scores.ts";
import { scanWords } from "../parse/tokenizer.ts";

/** Names whose vectors are remembered: some megabytes. */
const MAX_CACHED_NAMES = 20_000;

/** Makes vectors of questions, and compares names with them. Loads the table when the first question comes. */
export class QueryEmbedder {
  readonly #source: EmbeddingSource;
  #pooler: Pooler | undefined;
  #names = new Map<string, Int8Array | undefined>();

  constructor(source: EmbeddingSource) {
    this.#source = source;
  }

  /** Undefined when the table knows none of the words. Cost: microseconds. */
  embed(text: string): QueryVector | undefined {
    const components = this.#componentsOf(text);
    return components && { embedder: this.#source.id, components };
  }

  /** Cosine of a name, which has few words, with a question; 0 where the table knows none of its words. */
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
