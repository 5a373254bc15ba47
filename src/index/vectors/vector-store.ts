import { VectorArena, type VectorBlock } from "../../embed/vector-arena.ts";
import type { ScoredSegment } from "../scoring/scored-segment.ts";

/** A segment whose vectors can be read. */
export interface VectorSegment extends ScoredSegment {
  /** Size of one vector, in bytes. */
  readonly vectorWidth: number;
  /** Fills `to` with a part of the concatenated vectors. */
  vectorsInto(offset: number, to: Uint8Array): void;
  /** Writes all vectors to `to`, which has their length. */
  allVectors(to: Uint8Array<ArrayBuffer>): void;
}

/** The vectors of segments in memory, ready for comparison with a query. Read on first use. */
export class VectorStore {
  #arena: VectorArena | undefined;
  #dimensions = 0;
  readonly #blocks = new Map<VectorSegment, VectorBlock>();
  /** Buffer for the vectors of single files. */
  #scratch: VectorBlock | undefined;

  /** Allocated memory in bytes; it never shrinks. */
  get sizeBytes(): number {
    return this.#arena?.sizeBytes ?? 0;
  }

  /** Returns all vectors of a segment, which must have vectors of this dimension. */
  allOf(reader: VectorSegment, dimensions: number): VectorBlock {
    const known = this.#blocks.get(reader);
    if (known !== undefined) return known;
    const block = this.#arenaFor(dimensions).vectors(reader.directory.vectorCount);
    try {
      block.fill((bytes) => reader.allVectors(bytes));
    } catch (thrown) {
      block.free();
      throw thrown;
    }
    this.#blocks.set(reader, block);
    return block;
  }

  /** Returns some vectors of a segment; valid until the next call. */
  someOf(reader: VectorSegment, from: number, count: number, dimensions: number): VectorBlock {
    const arena = this.#arenaFor(dimensions);
    if (this.#scratch === undefined || this.#scratch.count < count) {
      this.#scratch?.free();
      this.#scratch = arena.vectors(Math.max(256, count));
    }
    const width = reader.vectorWidth;
    this.#scratch.fill((bytes) =>
      reader.vectorsInto(from * width, bytes.subarray(0, count * width)),
    );
    // The buffer has room for more, which would be compared too.
    return this.#scratch.first(count);
  }

  /** Frees the vectors of a segment. */
  forget(reader: VectorSegment): void {
    this.#blocks.get(reader)?.free();
    this.#blocks.delete(reader);
  }

  /** Another number of dimensions means another table: the old vectors are no longer needed. */
  #arenaFor(dimensions: number): VectorArena {
    if (this.#arena === undefined || this.#dimensions !== dimensions) {
      this.#arena = new VectorArena(dimensions);
      this.#dimensions = dimensions;
      this.#blocks.clear();
      this.#scratch = undefined;
    }
    return this.#arena;
  }
}
