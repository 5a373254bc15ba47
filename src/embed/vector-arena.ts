import { FreeList } from "./free-list.ts";
import { createVectorScanner, type VectorScanner } from "./vector-scanner.ts";
import { vectorBytes } from "./quantize.ts";

const ALIGNMENT = 16;

/**
 * Where the vectors of an index lie to be compared with a question: in the kernel's memory, which can grow
 * but not shrink. Blocks are taken for each segment and given back when it goes away; their room is used
 * again. Growing makes every view of the memory useless, so none is handed out for keeps: what a block
 * holds is written inside a callback, during which nothing can be taken.
 */
export class VectorArena {
  readonly #dimensions: number;
  readonly #scanner: VectorScanner;
  readonly #free = new FreeList();
  #isLent = false;

  /** `scanner` is for vectors of `dimensions`, which is a multiple of 16. */
  constructor(dimensions: number, scanner: VectorScanner = createVectorScanner(dimensions)) {
    if (dimensions <= 0 || dimensions % ALIGNMENT !== 0) {
      throw new RangeError(`the kernel takes no vectors of ${dimensions} dimensions`);
    }
    this.#dimensions = dimensions;
    this.#scanner = scanner;
    this.#free.free(scanner.start, scanner.end - scanner.start);
  }

  /** Its memory, free or taken. */
  get sizeBytes(): number {
    return this.#scanner.end;
  }

  /** Room for `count` vectors of unknown content. Throws INDEX_UNAVAILABLE where there is no more memory. */
  vectors(count: number): VectorBlock {
    const bytes = count * vectorBytes(this.#dimensions);
    const at = this.#take(bytes);
    const place = {
      at,
      dimensions: this.#dimensions,
      lend: (use: (bytes: Uint8Array) => void) => this.#lend(at, bytes, use),
      giveBack: () => this.#free.free(at, bytes),
    };
    return new VectorBlock(count, place, this.#scanner);
  }

  #lend(at: number, bytes: number, use: (bytes: Uint8Array) => void): void {
    this.#isLent = true;
    try {
      use(this.#scanner.view(at, bytes));
    } finally {
      this.#isLent = false;
    }
  }

  #take(bytes: number): number {
    if (this.#isLent) throw new Error("nothing can be taken while a block is filled");
    const at = this.#free.take(bytes);
    if (at !== undefined) return at;
    const { end } = this.#scanner;
    this.#scanner.grow(end + bytes - this.#free.bytesBefore(end));
    this.#free.free(end, this.#scanner.end - end);
    return this.#free.take(bytes) ?? end;
  }
}

/** A part of the arena's memory. */
interface ArenaPlace {
  readonly at: number;
  readonly dimensions: number;
  readonly lend: (use: (bytes: Uint8Array) => void) => void;
  readonly giveBack: () => void;
}

/** Some stored vectors, one after the other. */
export class VectorBlock {
  readonly count: number;
  readonly #scanner: VectorScanner;
  #place: ArenaPlace | undefined;

  constructor(count: number, place: ArenaPlace, scanner: VectorScanner) {
    this.count = count;
    this.#place = place;
    this.#scanner = scanner;
  }

  /** Lets `write` put the vectors in place; the bytes are of no use once it has returned. */
  fill(write: (bytes: Uint8Array) => void): void {
    this.#placeInUse().lend(write);
  }

  /** Gives the room back; the block cannot be used any more. */
  free(): void {
    this.#placeInUse().giveBack();
    this.#place = undefined;
  }

  /** The dot product of the query with each of the vectors, into the first `count` places of `to`. */
  dots(query: Int8Array, to: Int32Array): void {
    checkPlaces(to.length, this.count);
    this.#scanner.dots(query, this.#addressFor(query), to.subarray(0, this.count));
  }

  /** The same for some of the vectors: `to[i]` is of vector `rows[i]`. */
  dotsOf(query: Int8Array, rows: Uint32Array, to: Int32Array): void {
    checkPlaces(to.length, rows.length);
    const unknown = rows.find((row) => row >= this.count);
    if (unknown !== undefined) throw new RangeError(`the block has no vector ${unknown}`);
    this.#scanner.dotsOf(query, this.#addressFor(query), rows, to);
  }

  /** Where the vectors are, for a query that fits them. */
  #addressFor(query: Int8Array): number {
    const { at, dimensions } = this.#placeInUse();
    if (query.length === dimensions) return at;
    throw new RangeError(`the query has ${query.length} dimensions, not ${dimensions}`);
  }

  #placeInUse(): ArenaPlace {
    if (this.#place === undefined) throw new Error("the block was given back");
    return this.#place;
  }
}

function checkPlaces(places: number, results: number): void {
  if (places < results) throw new RangeError(`${places} places for ${results} results`);
}
