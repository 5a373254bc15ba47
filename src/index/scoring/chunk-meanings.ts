// How near the chunks of a snapshot are to a question in meaning: cosines of their vectors.

import { cosineFactor } from "../../embed/vector-scale.ts";
import type { SegmentView, Snapshot } from "../snapshot.ts";

/** A question as a vector. */
export interface QuestionVector {
  /** Which table made it: see `EmbeddingSource.id`. */
  readonly embedder: string;
  readonly components: Int8Array;
}

/** The nearest chunk of half of all questions is nearer than this. Where none is, meaning tells little. */
const CLOSE = 0.5;

/** The cosine of every chunk with the question, 0 for those that have no vector or a negative one. */
export class ChunkMeanings {
  readonly #snapshot: Snapshot;
  readonly #cosines: Float32Array;
  readonly #most: Float32Array;
  #dots = new Int32Array(0);
  #best = 0;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#cosines = new Float32Array(snapshot.chunks);
    this.#most = new Float32Array(snapshot.files);
  }

  /** What a cosine is divided by: the largest, or `CLOSE` where nothing is so near. */
  get best(): number {
    return Math.max(CLOSE, this.#best);
  }

  /** The largest cosine, 0 where nothing was compared. */
  get nearest(): number {
    return this.#best;
  }

  at(chunk: number): number {
    return this.#cosines[chunk] ?? 0;
  }

  /** The most that a chunk of the file has. */
  most(file: number): number {
    return this.#most[file] ?? 0;
  }

  clear(): void {
    this.#cosines.fill(0);
    this.#most.fill(0);
    this.#best = 0;
  }

  /** Compares every chunk. Cost: about 15 ns each, and reading all vectors the first time. */
  compareAll(question: QuestionVector): void {
    const factor = cosineFactor(question.components);
    for (const view of this.#snapshot.segments) {
      const { reader, dead } = view;
      const { embedder, vectorCount } = reader.directory;
      if (vectorCount === 0 || embedder !== question.embedder) continue;
      const dots = this.#room(vectorCount);
      this.#snapshot.vectors
        .allOf(reader, question.components.length)
        .dots(question.components, dots);
      const vectors = reader.column("firstVector");
      const first = reader.column("firstChunk");
      for (let file = 0; file < vectors.length; file += 1) {
        const vector = vectors[file] ?? 0;
        if (vector === 0 || dead[file] === 1) continue;
        const from = first[file] ?? 0;
        const count = (first[file + 1] ?? reader.chunks) - from;
        this.#note(view, file, { from, count, vector: vector - 1, factor });
      }
    }
  }

  /** Compares the chunks of one file: reads its vectors. */
  compareFile(question: QuestionVector, view: SegmentView, file: number): void {
    const { reader } = view;
    const vector = reader.column("firstVector")[file] ?? 0;
    if (vector === 0 || reader.directory.embedder !== question.embedder) return;
    const [from, to] = reader.chunkRange(file);
    const { components } = question;
    const block = this.#snapshot.vectors.someOf(reader, vector - 1, to - from, components.length);
    block.dots(components, this.#room(block.count));
    const factor = cosineFactor(components);
    this.#note(view, file, { from, count: to - from, vector: 0, factor });
  }

  /** Takes the dot products of a file's chunks, the first at `vector`. */
  #note(
    { chunkBase, fileBase }: SegmentView,
    file: number,
    { from, count, vector, factor }: Record<"from" | "count" | "vector" | "factor", number>,
  ): void {
    const dots = this.#dots;
    let most = 0;
    for (let at = 0; at < count; at += 1) {
      const cosine = (dots[vector + at] ?? 0) * factor;
      if (cosine <= 0) continue;
      this.#cosines[chunkBase + from + at] = cosine;
      if (cosine > most) most = cosine;
    }
    this.#most[fileBase + file] = most;
    if (most > this.#best) this.#best = most;
  }

  #room(count: number): Int32Array {
    if (this.#dots.length < count) this.#dots = new Int32Array(count);
    return this.#dots;
  }
}
