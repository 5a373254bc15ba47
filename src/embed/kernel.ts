import { KERNEL_MODULE } from "./kernel-module.ts";

/** The members of the global that this file uses. Only the DOM library has its types. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: object };
    }
  | undefined;

/** The unit of `memory.grow`, in bytes. */
export const WASM_PAGE_BYTES = 1 << 16;

/**
 * The functions of scripts/kernel/kernel.wat. They can only access their own memory, take addresses in it,
 * and check nothing: an access outside the memory throws, a wrong address inside it overwrites data.
 */
export interface Kernel {
  /** `grow` replaces `buffer`; views of the old buffer become empty. */
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /** Adds `count` rows of int8, each times its weight, to `sums` (float32). */
  readonly addRows8: AddRows;
  /** The same for int4. */
  readonly addRows4: AddRows;
  /**
   * Computes the dot products (int32) of a query with `count` stored vectors of `width` bytes. The query
   * (int8) is in blocks of 32 components: first those that match the low halves of 16 bytes, then those of
   * the high halves. `start` is -8 times the sum of the query's components.
   */
  readonly dots: Dots;
  /** The same for four times `count` vectors, in half the time if they are not in the processor's cache. */
  readonly dotsOfQuarters: Dots;
}

// oxlint-disable-next-line max-params -- WebAssembly takes only numbers
type Dots = (
  query: number,
  width: number,
  start: number,
  vectors: number,
  count: number,
  to: number,
) => void;

/** `rows` (uint32) and `weights` (float32) are addresses of `count` numbers each. */
// oxlint-disable-next-line max-params -- as above
type AddRows = (
  rows: number,
  weights: number,
  count: number,
  matrix: number,
  dimensions: number,
  sums: number,
) => void;

/** Compiled once per thread. Null if compiling failed. */
let compiled: object | null | undefined;

/**
 * Returns the kernel with one page of memory of its own. Returns undefined if there is no WebAssembly with
 * SIMD (processors from before 2008, V8 without its compilers); scalar-kernel.ts then computes the same.
 */
export function loadKernel(): Kernel | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  if (compiled === undefined) {
    try {
      compiled = new WebAssembly.Module(Buffer.from(KERNEL_MODULE, "base64"));
    } catch {
      compiled = null;
    }
  }
  if (compiled === null) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module is ours; a test calls each function
  return new WebAssembly.Instance(compiled).exports as Kernel;
}
