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
  readonly #cosines: Float32Array;
  readonly #maxByFile: Float32Array;
  #dots = new Int32Array(0);
  #best = 0;

  constructor(snapshot: ScoredSegments) {
    this.#snapshot = snapshot;
    this.#cosines = new Float32Array(snapshot.chunks);
    this.#maxByFile = new Float32Array(snapshot.files);
  }

  /** The maximum cosine; 0 if nothing was compared. */
  get max(): number {
    return this.#best;
  }

  at(chunk: number): number {
    return this.#cosines[chunk] ?? 0;
  }

  /** Returns the maximum cosine of the file's chunks. */
  maxOf(file: number): number {
    return this.#maxByFile[file] ?? 0;
  }

  clear(): void {
    this.#cosines.fill(0);
    this.#maxByFile.fill(0);
    this.#best = 0;
  }

  /** Compares every chunk. Takes about 15 ns per chunk, and the first time a read of all vectors. */
  compareAll(query: QueryVector): void {
    const factor = cosineFactor(query.components);
    for (const view of this.#snapshot.segments) {
      const { reader, tombstones } = view;
      const { embedder, vectorCount } = reader.directory;
      if (vectorCount === 0 || embedder !== query.embedder) continue;
      const dots = this.#dotsBuffer(vectorCount);
      this.#snapshot.vectors.allOf(reader, query.components.length).dots(query.components, dots);
      const vectors = reader.column("firstVector");
      const first = reader.column("firstChunk");
      for (let file = 0; file < vectors.length; file += 1) {
        const vector = vectors[file] ?? 0;
        if (vector === 0 || tombstones[file] === 1) continue;
        const from = first[file] ?? 0;
        const count = (first[file + 1] ?? reader.chunks) - from;
        this.#recordCosines(view, file, { from, count, vector: vector - 1, factor });
      }
    }
  }

  /** Compares the chunks of one file; reads its vectors. */
  compareFile(query: QueryVector, view: ScoredView, file: number): void {
    const { reader } = view;
    const vector = reader.column("firstVector")[file] ?? 0;
    if (vector === 0 || reader.directory.embedder !== query.embedder) return;
    const [from, to] = reader.chunkRange(file);
    const { components } = query;
    const block = this.#snapshot.vectors.someOf(reader, vector - 1, to - from, components.length);
    block.dots(components, this.#dotsBuffer(block.count));
    const factor = cosineFactor(components);
    this.#recordCosines(view, file, { from, count: to - from, vector: 0, factor });
  }

  /** Records the cosines of a file's chunks from their dot products, the first at `vector`. */
  #recordCosines(
    { chunkBase, fileBase }: ScoredView,
    file: number,
    { from, count, vector, factor }: Record<"from" | "count" | "vector" | "factor", number>,
  ): void {
    const dots = this.#dots;
    let maxCosine = 0;
    for (let at = 0; at < count; at += 1) {
      const cosine = (dots[vector + at] ?? 0) * factor;
      if (cosine <= 0) continue;
      this.#cosines[chunkBase + from + at] = cosine;
      if (cosine > maxCosine) maxCosine = cosine;
    }
    this.#maxByFile[fileBase + file] = maxCosine;
    if (maxCosine > this.#best) this.#best = maxCosine;
  }

  #dotsBuffer(count: number): Int32Array {
    if (this.#dots.length < count) this.#dots = new Int32Array(count);
    return this.#dots;
  }
}
