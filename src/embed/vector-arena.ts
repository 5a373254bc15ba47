import { FreeList } from "./free-list.ts";
import { createVectorScanner, type VectorScanner } from "./vector-scanner.ts";
import { vectorBytes } from "./quantize.ts";

const ALIGNMENT = 16;

/**
 * The memory in which the vectors of an index are compared with a query. It is the kernel's memory, which can
 * grow but not shrink. Each segment allocates a block and frees it when the segment is closed; freed memory
 * is used again. Growing invalidates every view of the memory, so no view leaves the arena: callers write a
 * block's vectors inside a callback, during which no block can be allocated.
 */
export class VectorArena {
  readonly #dimensions: number;
  readonly #scanner: VectorScanner;
  readonly #free = new FreeList();
  #isFilling = false;

  /** `dimensions` is a multiple of 16, else RangeError is thrown. `scanner` must have the same dimensions. */
  constructor(dimensions: number, scanner: VectorScanner = createVectorScanner(dimensions)) {
    if (dimensions <= 0 || dimensions % ALIGNMENT !== 0) {
      throw new RangeError(`the kernel does not support vectors of ${dimensions} dimensions`);
    }
    this.#dimensions = dimensions;
    this.#scanner = scanner;
    this.#free.free(scanner.start, scanner.end - scanner.start);
  }

  /** Size of the memory in bytes, allocated or free. */
  get sizeBytes(): number {
    return this.#scanner.end;
  }

  /**
   * Allocates `count` vectors, whose content is undefined. Throws INDEX_UNAVAILABLE if there is not enough
   * memory.
   */
  vectors(count: number): VectorBlock {
    const bytes = count * vectorBytes(this.#dimensions);
    const at = this.#allocate(bytes);
    const allocation = {
      at,
      dimensions: this.#dimensions,
      fill: (write: (bytes: Uint8Array<ArrayBuffer>) => void) => this.#fill(at, bytes, write),
      release: () => this.#free.free(at, bytes),
    };
    return new VectorBlock(count, allocation, this.#scanner);
  }

  #fill(at: number, bytes: number, write: (bytes: Uint8Array<ArrayBuffer>) => void): void {
    this.#isFilling = true;
    try {
      write(this.#scanner.view(at, bytes));
    } finally {
      this.#isFilling = false;
    }
  }

  #allocate(bytes: number): number {
    if (this.#isFilling)
      throw new Error("no block can be allocated while another one is being filled");
    const at = this.#free.allocate(bytes);
    if (at !== undefined) return at;
    const { end } = this.#scanner;
    this.#scanner.grow(end + bytes - this.#free.bytesBefore(end));
    this.#free.free(end, this.#scanner.end - end);
    return this.#free.allocate(bytes) ?? end;
  }
}

/** A block of the arena's memory. */
interface Allocation {
  readonly at: number;
  readonly dimensions: number;
  readonly fill: (write: (bytes: Uint8Array<ArrayBuffer>) => void) => void;
  readonly release: () => void;
}

/** Stored vectors at consecutive addresses. */
export class VectorBlock {
  readonly count: number;
  readonly #scanner: VectorScanner;
  #allocation: Allocation | undefined;

  constructor(count: number, allocation: Allocation, scanner: VectorScanner) {
    this.count = count;
    this.#allocation = allocation;
    this.#scanner = scanner;
  }

  /**
   * Calls `write` with the bytes of the vectors to fill in. The bytes must not be used after `write` returns.
   */
  fill(write: (bytes: Uint8Array<ArrayBuffer>) => void): void {
    this.#requireAllocation().fill(write);
  }

  /** Returns the first vectors as a block, which is valid as long as this one. Throws RangeError if there are fewer. */
  first(count: number): VectorBlock {
    checkLength(this.count, count);
    return new VectorBlock(count, this.#requireAllocation(), this.#scanner);
  }

  /** Frees the memory. The block cannot be used any more. */
  free(): void {
    this.#requireAllocation().release();
    this.#allocation = undefined;
  }

  /**
   * Writes the dot product of the query with each vector into the first `count` elements of `to`. Throws
   * RangeError if `to` is too short or the query has other dimensions.
   */
  dots(query: Int8Array, to: Int32Array): void {
    checkLength(to.length, this.count);
    this.#scanner.dots(query, this.#addressFor(query), to.subarray(0, this.count));
  }

  /** The same for selected vectors: `to[i]` is the result for vector `rows[i]`. */
  dotsOf(query: Int8Array, rows: Uint32Array, to: Int32Array): void {
    checkLength(to.length, rows.length);
    const unknown = rows.find((row) => row >= this.count);
    if (unknown !== undefined) throw new RangeError(`the block has no vector ${unknown}`);
    this.#scanner.dotsOf(query, this.#addressFor(query), rows, to);
  }

  /** Returns the address of the vectors. Throws RangeError if the query has other dimensions. */
  #addressFor(query: Int8Array): number {
    const { at, dimensions } = this.#requireAllocation();
    if (query.length === dimensions) return at;
    throw new RangeError(`the query has ${query.length} dimensions, not ${dimensions}`);
  }

  #requireAllocation(): Allocation {
    if (this.#allocation === undefined) throw new Error("the block was freed");
    return this.#allocation;
  }
}

function checkLength(length: number, results: number): void {
  if (length < results) throw new RangeError(`${length} elements cannot hold ${results} results`);
}
