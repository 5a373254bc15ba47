import { SvcError } from "../base/errors.ts";
import { loadKernel, WASM_PAGE_BYTES, type Kernel } from "./kernel.ts";
import { dotsScalar } from "./scalar-kernel.ts";
import { vectorBytes } from "./quantize.ts";

/** Compares a query with vectors in the scanner's own memory. Addresses are in bytes and multiples of 16. */
export interface VectorScanner {
  /** The first address that callers may use. */
  readonly start: number;
  /** The end of the memory. */
  readonly end: number;
  /**
   * Grows the memory to at least `end` bytes. Older views become empty. Throws INDEX_UNAVAILABLE if there is
   * not enough memory.
   */
  readonly grow: (end: number) => void;
  readonly view: (at: number, length: number) => Uint8Array<ArrayBuffer>;
  /**
   * Writes the dot products of the query with the stored vectors at address `at`; `to.length` is their
   * number.
   */
  readonly dots: (query: Int8Array, at: number, to: Int32Array) => void;
  /** The same for selected vectors at `at`: `to[i]` is the result for vector `rows[i]`. */
  // oxlint-disable-next-line max-params -- called once per query
  readonly dotsOf: (query: Int8Array, at: number, rows: Uint32Array, to: Int32Array) => void;
}

/** Returns a scanner that uses the kernel, or JavaScript if there is no kernel. */
export function createVectorScanner(dimensions: number): VectorScanner {
  const kernel = loadKernel();
  return kernel === undefined ? scalarScanner(dimensions) : simdScanner(dimensions, kernel);
}

/** The number of results that one call of the kernel writes before they are copied to the caller. */
const MAX_RESULTS = 4096;
/** Addresses have 32 bits, and the end of the memory must be an address too. */
const MAX_BYTES = 2 ** 32 - WASM_PAGE_BYTES;

/** Returns a scanner whose vectors are in the memory of `kernel`. */
export function simdScanner(dimensions: number, kernel: Kernel): VectorScanner {
  const { memory } = kernel;
  const width = vectorBytes(dimensions);
  // Layout: the query at address 0, then the results.
  const resultsAt = 2 * width;
  const start = resultsAt + 4 * MAX_RESULTS;
  const grow = (end: number): void => {
    const missing = Math.ceil((end - memory.buffer.byteLength) / WASM_PAGE_BYTES);
    if (end > MAX_BYTES) throw noMemory();
    try {
      if (missing > 0) memory.grow(missing);
    } catch (cause) {
      throw noMemory(cause);
    }
  };
  grow(start);
  const place = (query: Int8Array): number =>
    placeQuery(query, new Int8Array(memory.buffer, 0, 2 * width));
  return {
    start,
    get end() {
      return memory.buffer.byteLength;
    },
    grow,
    view: (at, length) => new Uint8Array(memory.buffer, at, length),
    dots(query, at, to) {
      const first = place(query);
      for (let done = 0; done < to.length; done += MAX_RESULTS) {
        const count = Math.min(MAX_RESULTS, to.length - done);
        const quarter = Math.floor(count / 4);
        const rest = 4 * quarter;
        const from = at + done * width;
        kernel.dotsOfQuarters(0, width, first, from, quarter, resultsAt);
        kernel.dots(0, width, first, from + rest * width, count - rest, resultsAt + 4 * rest);
        to.set(new Int32Array(memory.buffer, resultsAt, count), done);
      }
    },
    dotsOf(query, at, rows, to) {
      const first = place(query);
      const result = new Int32Array(memory.buffer, resultsAt, 1);
      for (let index = 0; index < rows.length; index += 1) {
        kernel.dots(0, width, first, at + (rows[index] ?? 0) * width, 1, resultsAt);
        to[index] = result[0] ?? 0;
      }
    },
  };
}

/** Writes a query in the layout of the kernel. Returns the initial value of its sums. */
function placeQuery(query: Int8Array, to: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at += 1) {
    const value = query[at] ?? 0;
    const block = at & ~31;
    to[block + ((at & 1) << 4) + ((at & 31) >> 1)] = value;
    sum += value;
  }
  return -8 * sum;
}

/** Returns a scanner in JavaScript, with the same results as the kernel. */
export function scalarScanner(dimensions: number): VectorScanner {
  let memory = new ArrayBuffer(0);
  const width = vectorBytes(dimensions);
  return {
    start: 0,
    get end() {
      return memory.byteLength;
    },
    grow(end) {
      if (end <= memory.byteLength) return;
      try {
        memory = memory.transfer(end);
      } catch (cause) {
        throw noMemory(cause);
      }
    },
    view: (at, length) => new Uint8Array(memory, at, length),
    dots: (query, at, to) => dotsScalar(query, new Uint8Array(memory, at, to.length * width), to),
    dotsOf(query, at, rows, to) {
      for (const [index, row] of rows.entries()) {
        const vector = new Uint8Array(memory, at + row * width, width);
        dotsScalar(query, vector, to.subarray(index, index + 1));
      }
    },
  };
}

function noMemory(cause?: unknown): SvcError {
  return new SvcError(
    "INDEX_UNAVAILABLE",
    "There is not enough memory for the vectors of the index.",
    {
      hint: "Index fewer files in one namespace, or give the process more memory.",
      cause,
    },
  );
}
