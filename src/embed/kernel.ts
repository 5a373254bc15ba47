import { KERNEL_MODULE } from "./kernel-module.ts";

/** The part of the global that is used here; its types come with the DOM library only. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: object };
    }
  | undefined;

/** In bytes: what `memory.grow` counts in. */
export const WASM_PAGE_BYTES = 1 << 16;

/**
 * The functions of scripts/kernel/kernel.wat. They see their own memory alone, take addresses in it, and
 * check nothing: what lies outside of the memory throws, what lies elsewhere in it is overwritten.
 */
export interface Kernel {
  /** Its `buffer` is another one after each `grow`, and views of the old one are empty then. */
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /** Adds `count` rows of int8, each times its weight, to `sums` (float32). */
  readonly addRows8: AddRows;
  /** The same for int4. */
  readonly addRows4: AddRows;
  /**
   * Dot products (int32) of a query with `count` stored vectors of `width` bytes. The query (int8) lies in
   * blocks of 32 components: those of the low halves of 16 bytes, then those of the high ones. `start` is
   * -8 times the sum of its components.
   */
  // oxlint-disable-next-line max-params -- WebAssembly takes numbers alone
  readonly dots: (
    query: number,
    width: number,
    start: number,
    vectors: number,
    count: number,
    to: number,
  ) => void;
}

/** `rows` (uint32) and `weights` (float32) hold `count` each. */
// oxlint-disable-next-line max-params -- as above
type AddRows = (
  rows: number,
  weights: number,
  count: number,
  matrix: number,
  dimensions: number,
  sums: number,
) => void;

/** Compiled once a thread; null where that failed. */
let compiled: object | null | undefined;

/**
 * The kernel with one page of memory of its own; undefined where there is no WebAssembly with SIMD
 * (processors of before 2008, V8 without its compilers): scalar.ts does the same.
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
