import { VectorArena, type VectorBlock } from "../../embed/vector-arena.ts";
import type { SegmentReader } from "./segment-reader.ts";

/** The vectors of segments, where they can be compared with a question. Read when first asked for. */
export class VectorStore {
  #arena: VectorArena | undefined;
  #dimensions = 0;
  readonly #blocks = new Map<SegmentReader, VectorBlock>();
  /** For the vectors of single files. */
  #scratch: VectorBlock | undefined;

  /** The memory that is taken, or was once. */
  get sizeBytes(): number {
    return this.#arena?.sizeBytes ?? 0;
  }

  /** All vectors of a segment, which has some of so many dimensions. */
  allOf(reader: SegmentReader, dimensions: number): VectorBlock {
    const known = this.#blocks.get(reader);
    if (known !== undefined) return known;
    // Read first: no room is taken for what cannot be read.
    const vectors = reader.vectors(0, reader.vectorsLength);
    const block = this.#arenaFor(dimensions).vectors(reader.directory.vectorCount);
    block.fill((bytes) => bytes.set(vectors));
    this.#blocks.set(reader, block);
    return block;
  }

  /** Some vectors of a segment; good until the next call. */
  someOf(reader: SegmentReader, from: number, count: number, dimensions: number): VectorBlock {
    const arena = this.#arenaFor(dimensions);
    if (this.#scratch === undefined || this.#scratch.count < count) {
      this.#scratch?.free();
      this.#scratch = arena.vectors(Math.max(256, count));
    }
    const width = reader.vectorWidth;
    this.#scratch.fill((bytes) => bytes.set(reader.vectors(from * width, count * width)));
    return this.#scratch;
  }

  /** Gives up what was read of a segment. */
  forget(reader: SegmentReader): void {
    this.#blocks.get(reader)?.free();
    this.#blocks.delete(reader);
  }

  /** Another number of dimensions is another table: nothing of the old one will be asked for. */
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
