// Compiles grammars. V8 first compiles a function of WebAssembly quickly, and again with its optimizing compiler when the
// function has run for a while. For the largest functions, the lexers of some grammars, optimizing takes more than it
// gains: that of Kotlin needs 600 MB of memory and half a second (V8 13.6), and then parses no faster.

import { setFlagsFromString } from "node:v8";

import { ByteReader } from "../index/coding/bytes.ts";

/** The member of the global that this file uses. Only the DOM library has its types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssembly.Module;
};

/**
 * The longest body of a function, in bytes, that V8 may optimize. For those of 53 KB and more (Ruby, C#) it needs 75 MB and
 * 0.2 s, for those of 82 KB over 200 MB. Optimizing that of C, which has 52 KB, costs no memory that an index notices.
 */
const MAX_OPTIMIZED_BODY_BYTES = 52 << 10;
/** Without lazy compilation, because V8 reads the other two whenever it compiles a function. */
const WITHOUT_OPTIMIZING = ["wasm-tier-up", "wasm-dynamic-tiering", "wasm-lazy-compilation"];

/** Compiles a grammar. Throws `WebAssembly.CompileError` for other bytes. */
export function compileGrammar(bytes: Uint8Array): WebAssembly.Module {
  // A copy, because the bytes of an asset may be in shared or read-only memory, which cannot be compiled.
  const code = new Uint8Array(bytes);
  if (longestBody(code) <= MAX_OPTIMIZED_BODY_BYTES) return new WebAssembly.Module(code);
  // The flags are those of the process. A module that another thread compiles in these milliseconds is slower, not wrong.
  for (const flag of WITHOUT_OPTIMIZING) setFlagsFromString(`--no-${flag}`);
  try {
    return new WebAssembly.Module(code);
  } finally {
    for (const flag of WITHOUT_OPTIMIZING) setFlagsFromString(`--${flag}`);
  }
}

const HEADER_BYTES = 8;
const CODE_SECTION = 10;

/** Returns the length of the longest function of a module in bytes; 0 if the module has no code. */
function longestBody(module: Uint8Array): number {
  const reader = new ByteReader(module, HEADER_BYTES);
  while (reader.left > 0) {
    const section = reader.byte();
    const length = reader.varint();
    if (section === CODE_SECTION) return longestOf(reader);
    reader.position += length;
  }
  return 0;
}

/** Reads the functions of a code section. */
function longestOf(reader: ByteReader): number {
  let longest = 0;
  for (let left = reader.varint(); left > 0 && reader.left > 0; left -= 1) {
    const length = reader.varint();
    longest = Math.max(longest, length);
    reader.position += length;
  }
  return longest;
}
