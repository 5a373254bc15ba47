import { SvcError } from "../base/errors.ts";
import { loadKernel, WASM_PAGE_BYTES, type Kernel } from "./kernel.ts";
import { dotsScalar } from "./scalar-kernel.ts";
import { vectorBytes } from "./quantize.ts";

/** Compares a query with what lies in a memory of the scanner's own. Addresses are multiples of 16. */
export interface VectorScanner {
  /** The first address that is free to use, and the end of the memory. */
  readonly start: number;
  readonly end: number;
  /** Lets the memory end at `end` or behind it. Views of before are empty from then on. */
  readonly grow: (end: number) => void;
  readonly view: (at: number, length: number) => Uint8Array;
  /** Dot products of the query with the stored vectors at `at`, as many as `to` has places. */
  readonly dots: (query: Int8Array, at: number, to: Int32Array) => void;
  /** The same for some of the vectors at `at`: `to[i]` is of vector `rows[i]`. */
  // oxlint-disable-next-line max-params -- called once a question
  readonly dotsOf: (query: Int8Array, at: number, rows: Uint32Array, to: Int32Array) => void;
}

export function createVectorScanner(dimensions: number): VectorScanner {
  const kernel = loadKernel();
  return kernel === undefined ? scalarScanner(dimensions) : simdScanner(dimensions, kernel);
}

/** Results that the kernel writes at a time, before they are copied to the caller. */
const MAX_RESULTS = 4096;
/** Addresses have 32 bits, and the one behind the last byte must be one. */
const MAX_BYTES = 2 ** 32 - WASM_PAGE_BYTES;

export function simdScanner(dimensions: number, kernel: Kernel): VectorScanner {
  const { memory } = kernel;
  const width = vectorBytes(dimensions);
  // The query, from address 0; then the results.
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
        kernel.dots(0, width, first, at + done * width, count, resultsAt);
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

/** Writes a query as the kernel wants it, and returns what its sums begin with. */
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
    "There is no memory left for the vectors of the index.",
    {
      hint: "Index less with one namespace, or give the process more memory.",
      cause,
    },
  );
}
