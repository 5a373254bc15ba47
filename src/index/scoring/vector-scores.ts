// Similarity of chunks and a query: cosines of their vectors.

import { cosineFactor } from "../../embed/quantize.ts";
import type { ScoredView, ScoredSegments } from "./scored-segments.ts";

/** The vector of a query. */
export interface QueryVector {
  /** Id of the embedding table that made it: see `EmbeddingSource.id`. */
  readonly embedder: string;
  /** Quantized components, as `embed/quantize.ts` makes them. */
  readonly components: Int8Array;
}

/** Half of all queries have a chunk with a larger cosine. If the maximum is lower, similarity says little. */
const MIN_SCALE_COSINE = 0.5;

/** The divisor of cosines, given the largest one of all: at least `MIN_SCALE_COSINE`. */
export function similarityScale(maxCosine: number): number {
  return Math.max(MIN_SCALE_COSINE, maxCosine);
}

/** The cosine of every chunk with the query; 0 for chunks without a vector or with a negative cosine. */
export class VectorScores {
  readonly #snapshot: ScoredSegments;
  /** Dot products of the chunks, if positive. */
  readonly #products: Int32Array;
  /** The maximum of each file. */
  readonly #maxByFile: Int32Array;
  #results = new Int32Array(0);
  /** Turns dot products into cosines. */
  #factor = 0;
  #maxProduct = 0;

  constructor(snapshot: ScoredSegments) {
    this.#snapshot = snapshot;
    this.#products = new Int32Array(snapshot.chunks);
    this.#maxByFile = new Int32Array(snapshot.files);
  }

  /** The maximum cosine; 0 if nothing was compared. */
  get max(): number {
    return this.#maxProduct * this.#factor;
  }

  at(chunk: number): number {
    return Math.fround((this.#products[chunk] ?? 0) * this.#factor);
  }

  /** Returns the maximum cosine of the file's chunks. */
  maxOf(file: number): number {
    return Math.fround((this.#maxByFile[file] ?? 0) * this.#factor);
  }

  clear(): void {
    this.#products.fill(0);
    this.#maxByFile.fill(0);
    this.#maxProduct = 0;
  }

  /** Compares every chunk. Takes about 15 ns per chunk, and the first time a read of all vectors. */
  compareAll(query: QueryVector): void {
    this.#factor = cosineFactor(query.components);
    for (const view of this.#snapshot.segments) {
      const { reader } = view;
      const { embedder, vectorCount } = reader.directory;
      if (vectorCount === 0 || embedder !== query.embedder) continue;
      const results = this.#resultsFor(vectorCount);
      this.#snapshot.vectors.allOf(reader, query.components.length).dots(query.components, results);
      this.#recordAll(view, results);
    }
  }

  /** Records the dot products of all vectors of a segment. */
  #recordAll({ reader, tombstones, chunkBase, fileBase }: ScoredView, results: Int32Array): void {
    const vectors = reader.column("firstVector");
    const first = reader.column("firstChunk");
    const products = this.#products;
    const maxByFile = this.#maxByFile;
    let maxProduct = this.#maxProduct;
    for (let file = 0; file < vectors.length; file += 1) {
      const vector = vectors[file] ?? 0;
      if (vector === 0 || tombstones[file] === 1) continue;
      const from = first[file] ?? 0;
      const end = first[file + 1] ?? reader.chunks;
      const toResult = vector - 1 - from;
      let max = 0;
      for (let chunk = from; chunk < end; chunk += 1) {
        const product = results[toResult + chunk] ?? 0;
        if (product <= 0) continue;
        products[chunkBase + chunk] = product;
        if (product > max) max = product;
      }
      maxByFile[fileBase + file] = max;
      if (max > maxProduct) maxProduct = max;
    }
    this.#maxProduct = maxProduct;
  }

  /** Compares the chunks of one file; reads its vectors. */
  compareFile(query: QueryVector, view: ScoredView, file: number): void {
    const { reader, chunkBase, fileBase } = view;
    const vector = reader.column("firstVector")[file] ?? 0;
    if (vector === 0 || reader.directory.embedder !== query.embedder) return;
    const [from, to] = reader.chunkRange(file);
    const { components } = query;
    const block = this.#snapshot.vectors.someOf(reader, vector - 1, to - from, components.length);
    const results = this.#resultsFor(block.count);
    block.dots(components, results);
    this.#factor = cosineFactor(components);
    let max = 0;
    for (let at = 0; at < to - from; at += 1) {
      const product = Math.max(0, results[at] ?? 0);
      this.#products[chunkBase + from + at] = product;
      max = Math.max(max, product);
    }
    this.#maxByFile[fileBase + file] = max;
    this.#maxProduct = Math.max(this.#maxProduct, max);
  }

  #resultsFor(count: number): Int32Array {
    if (this.#results.length < count) this.#results = new Int32Array(count);
    return this.#results;
  }
}
